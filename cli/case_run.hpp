// What `check`, `worst` and `sweep` share: a case with its settings, run.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <string>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/settings.hpp"
#include "report/summary.hpp"

namespace tickproof {

/// How hard to try.
struct Effort {
  int depth = 0;        ///< events; 0: what the case says, or kDefaultDepth
  double seconds = 60;  ///< for each property; 0: no limit

  void add_to(CLI::App& app);
  SearchLimits limits(const CaseFile& file, const std::atomic<bool>& stop) const;
};

inline constexpr int kDefaultDepth = 6;

/// Loads a case and puts the settings on top of it.
CaseReport open_case(const std::string& path, const Settings& settings);

/// Answers one question about an opened case and adds the finding to it. Shows a
/// progress line.
const Finding& ask(CaseReport& report, const CaseProperty& asked, bool wants_value,
                   const SearchLimits& limits);

/// The property of that name. Throws InputError that lists those of the case.
const CaseProperty& find_property(const CaseFile& file, const std::string& name);

/// Of one verdict.
ExitCode exit_code_of(const Finding& finding);
ExitCode worse(ExitCode a, ExitCode b);

}  // namespace tickproof
