// A configuration is a list of assignments "key = value", each of which
// remembers where it came from: that is how the output can name the origin of
// every number, and how the last one named wins.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace tickproof {

/// Where a value came from.
struct Origin {
  enum class Kind { profile_default, case_file, kconfig, sched_debug, command_line };
  Kind kind = Kind::profile_default;
  /// "cases/x.toml:12", "/proc/config.gz:431", "--hz"; empty for a default.
  std::string where;
};

/// "profile default", "case", "kconfig", "sched-debug" or "command line".
const char* name_of(Origin::Kind kind);
/// name_of() and the place, as the output prints it: "case (x.toml:12)".
std::string describe(const Origin& origin);

/// One "key = value". Keys and the form of their values: model/parameters.hpp.
struct Assignment {
  std::string key;
  std::string value;
  Origin origin;
};

/// Several values for one key: one direction of a grid.
using Axis = std::vector<Assignment>;

/// "hz" = "100,250" as an axis of two.
Axis split_values(const Assignment& assignment);

/// A value that does not fit its key; the message says what would be right.
/// Whoever knows the place turns it into an InputError.
struct BadValue : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The user gave us something that we cannot use. what() is one line that names
/// the place (file and line, or option), the key where there is one, and what
/// would be right. Exit code 2.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
  InputError(const std::string& where, const std::string& key, const std::string& message)
      : std::runtime_error(where + ": " + (key.empty() ? "" : key + ": ") + message) {}
};

/// What one source of settings says, and what the reader should be told about it
/// ("no HZ line: the Kconfig default, 250").
struct Overlay {
  std::vector<Assignment> assignments;
  std::vector<std::string> notes;
};

}  // namespace tickproof
