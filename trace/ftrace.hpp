// Lines of ftrace text, as /sys/kernel/tracing/trace and `trace-cmd report` print them:
//
//     hog0-27      (     27) [000] d.h..     0.928556: sched_switch: prev_comm=hog0 ...
//
// What leads up to the CPU is not needed, and may hold anything: a task's name does. The
// flags may be missing. Lines of `perf script` are read by the same code: they differ in
// what leads up, and in the system before the event's name (see trace/perf_script.hpp).
#pragma once

#include <optional>
#include <string_view>

#include "trace/event.hpp"

namespace tickproof {

/// The event of a line; none if the line holds none.
std::optional<TraceEvent> parse_ftrace_line(std::string_view line);

/// "CPU:0 [LOST 123 EVENTS]" of the kernel, "CPU:0 [123 EVENTS DROPPED]" of trace-cmd; the
/// number may be missing. None if the line says nothing of the kind.
std::optional<LostEvents> parse_ftrace_lost(std::string_view line);

/// A comment of the trace file ("# tracer: nop"), or nothing at all.
bool is_ftrace_comment(std::string_view line);

/// What stands between the events and tells of none: "cpus=4", "CPU 0 is empty", and the
/// functions of a stack trace.
bool is_ftrace_remark(std::string_view line);

/// Takes "key=value" apart, one after the other; values without blanks.
class FieldReader {
 public:
  explicit FieldReader(std::string_view fields) : rest_(fields) {}
  /// False: no more. What has no '=' is passed over.
  bool next(std::string_view& key, std::string_view& value);

 private:
  std::string_view rest_;
};

}  // namespace tickproof
