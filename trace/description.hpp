// NAME.json beside NAME.trace.txt(.gz): the kernel and the machine that a trace is of.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/config.hpp"
#include "model/setting.hpp"

namespace tickproof {

struct TraceDescription {
  std::string kernel;  ///< "6.12.117"
  Rules rules;         ///< of that kernel's profile ...
  Features features;   ///< ... and its features, those that the description names as it says
  int hz = 0;
  Ns base_slice = 0;
  std::map<std::int64_t, Policy> policies;  ///< by pid, of the tasks that it lists
  std::map<std::int64_t, Ns> slices;        ///< custom ones, by pid
};

/// Throws InputError that names file and key, for a kernel without a profile as well.
TraceDescription read_trace_description(const std::filesystem::path& path);

/// The same as settings, for others to be named on top of them.
std::vector<Assignment> assignments_of(const TraceDescription& description,
                                       const std::filesystem::path& path);

/// Where the description of a trace is looked for: the trace's name up to ".trace.txt"
/// (or ".txt"), and ".json". None if there is no such file.
std::optional<std::filesystem::path> find_trace_description(const std::filesystem::path& trace);

}  // namespace tickproof
