#include "trace/text_events.hpp"

#include "trace/ftrace.hpp"
#include "trace/perf_script.hpp"

namespace tickproof {

bool TextEvents::read(TraceItem& item) {
  std::string_view line;
  while (lines_.next(line)) {
    if (is_ftrace_comment(line)) continue;
    const std::optional<TraceEvent> event = parse_ftrace_line(line);
    if (event && !is_perf_record(event->name)) {
      item = *event;
      return true;
    }
    auto lost = parse_ftrace_lost(line);
    if (!lost) lost = parse_perf_lost(line);
    if (lost) {
      item = *lost;
      return true;
    }
    if (is_ftrace_remark(line) || is_perf_remark(line)) continue;
    refuse("is no line of ftrace text; expected TASK-PID [CPU] FLAGS TIME: EVENT: FIELDS");
  }
  return false;
}

}  // namespace tickproof
