// Lines of ftrace text, as /sys/kernel/tracing/trace and `trace-cmd report` print them:
//
//     hog0-27      [000] d.h..     0.928556: sched_switch: prev_comm=hog0 prev_pid=27 ...
//
// What leads up to the CPU is not needed, and may hold anything: a task's name does.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/units.hpp"

namespace tickproof {

/// One event of a trace; the views are into the line.
struct TraceEvent {
  int cpu = 0;
  Ns time = 0;              ///< of the trace's clock, as precise as it was printed
  std::string_view name;    ///< "sched_switch"
  std::string_view fields;  ///< "prev_comm=hog0 prev_pid=27 ..."
};

/// The event of a line; none if the line holds none.
std::optional<TraceEvent> parse_ftrace_line(std::string_view line);

/// "CPU:0 [LOST 123 EVENTS]": how many. None if the line says nothing of the kind.
std::optional<std::int64_t> parse_lost_events(std::string_view line);

/// A comment of the trace file ("# tracer: nop"), or nothing at all.
bool is_ftrace_comment(std::string_view line);

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
