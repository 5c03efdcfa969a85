#pragma once

namespace tickproof {

/// What the program's exit says; of several verdicts the worst one counts.
enum class ExitCode {
  holds = 0,     ///< everything asked for holds
  violated = 1,  ///< a property is violated, or a replay does not conform
  usage = 2,     ///< bad input or usage
  unknown = 3,   ///< unknown, or only bounded where a proof was demanded
  internal = 4,  ///< a fault of this program
};

inline constexpr const char* kExitCodeHelp =
    "Exit codes: 0 all hold, 1 something is violated, 2 bad input or usage,\n"
    "3 unknown (or only bounded where a proof was demanded), 4 internal error.";

}  // namespace tickproof
