// What `perf script` prints besides events. Its events,
//
//     hog0    27 [000]    12.345678: sched:sched_switch: prev_comm=hog0 prev_pid=27 ...
//
// are read by parse_ftrace_line().
#pragma once

#include <optional>
#include <string_view>

#include "trace/event.hpp"

namespace tickproof {

/// "hog0 27 [000] 12.345678: PERF_RECORD_LOST lost 123" (`--show-lost-events`), with what
/// leads up or without. None if the line says nothing of the kind.
std::optional<LostEvents> parse_perf_lost(std::string_view line);

/// Is it a record of perf itself, rather than an event?
inline bool is_perf_record(std::string_view name) { return name.starts_with("PERF_RECORD_"); }

/// Another of perf's records (PERF_RECORD_COMM), or a function of a call chain.
bool is_perf_remark(std::string_view line);

}  // namespace tickproof
