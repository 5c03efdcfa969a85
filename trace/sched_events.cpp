#include "trace/sched_events.hpp"

#include <optional>
#include <string>

#include "model/setting.hpp"
#include "model/words.hpp"
#include "trace/cursor.hpp"

namespace tickproof {
namespace {

constexpr std::size_t kMostCommBytes = 15;  // TASK_COMM_LEN, without the NUL
constexpr std::string_view kArrow = " ==> ";

/// Tries each place where `mark` stands behind a name, until `parse` likes what comes
/// behind the mark.
template <class Parse>
bool split_at(std::string_view text, std::string_view mark, std::string_view& name,
              const Parse& parse) {
  for (std::size_t at = text.find(mark); at <= kMostCommBytes; at = text.find(mark, at + 1)) {
    name = text.substr(0, at);
    if (parse(Cursor(text.substr(at + mark.size())))) return true;
  }
  return false;
}

/// "R+", "D|K".
bool take_state(Cursor& at, SchedSwitch& result) {
  result.prev_state = at.word();
  result.preempted = result.prev_state.ends_with('+');
  if (result.preempted) result.prev_state.remove_suffix(1);
  return !result.prev_state.empty();
}

bool parse_raw_switch(std::string_view fields, SchedSwitch& result) {
  constexpr std::string_view kPrev = "prev_comm=";
  SchedTask& prev = result.prev;
  SchedTask& next = result.next;
  if (!fields.starts_with(kPrev)) return false;
  return split_at(fields.substr(kPrev.size()), " prev_pid=", prev.comm, [&](Cursor at) {
    if (!at.take_number(prev.pid) || !at.take(" prev_prio=") || !at.take_number(prev.prio) ||
        !at.take(" prev_state=") || !take_state(at, result) || !at.take(kArrow) ||
        !at.take("next_comm=")) {
      return false;
    }
    return split_at(at.rest(), " next_pid=", next.comm, [&](Cursor rest) {
      return rest.take_number(next.pid) && rest.take(" next_prio=") &&
             rest.take_number(next.prio) && rest.at_gap();
    });
  });
}

/// "27 [120]" behind the name.
bool take_plugin_task(Cursor& at, SchedTask& task) {
  return at.take_number(task.pid) && at.take(" [") && at.take_number(task.prio) && at.take(']');
}

bool parse_plugin_switch(std::string_view fields, SchedSwitch& result) {
  return split_at(fields, ":", result.prev.comm, [&](Cursor at) {
    if (!take_plugin_task(at, result.prev) || !at.take(' ') || !take_state(at, result) ||
        !at.take(kArrow)) {
      return false;
    }
    return split_at(at.rest(), ":", result.next.comm, [&](Cursor rest) {
      return take_plugin_task(rest, result.next) && rest.at_end();
    });
  });
}

bool take_cpu(Cursor& at, std::string_view key, int& cpu) {
  std::int64_t success = 0;
  std::int64_t number = 0;
  std::size_t digits = 0;
  if (at.take(" success=") && !at.take_number(success)) return false;  // before Linux 4.3
  if (!at.take(' ') || !at.take(key) || !at.take_digits(6, number, digits)) return false;
  cpu = static_cast<int>(number);
  return at.at_gap();
}

bool parse_raw_wakeup(std::string_view fields, SchedWakeup& result) {
  constexpr std::string_view kComm = "comm=";
  if (!fields.starts_with(kComm)) return false;
  return split_at(fields.substr(kComm.size()), " pid=", result.task.comm, [&](Cursor at) {
    return at.take_number(result.task.pid) && at.take(" prio=") &&
           at.take_number(result.task.prio) && take_cpu(at, "target_cpu=", result.target_cpu);
  });
}

bool parse_plugin_wakeup(std::string_view fields, SchedWakeup& result) {
  return split_at(fields, ":", result.task.comm, [&](Cursor at) {
    return take_plugin_task(at, result.task) && take_cpu(at, "CPU:", result.target_cpu);
  });
}

}  // namespace

SchedSwitch parse_sched_switch(std::string_view fields) {
  SchedSwitch result;
  if (parse_raw_switch(fields, result) || parse_plugin_switch(fields, result)) return result;
  throw BadValue(
      "the line is cut, or no sched_switch; expected prev_comm= prev_pid= prev_prio= prev_state= "
      "==> next_comm= next_pid= next_prio=, or COMM:PID [PRIO] STATE ==> COMM:PID [PRIO]");
}

SchedWakeup parse_sched_wakeup(std::string_view fields) {
  SchedWakeup result;
  if (parse_raw_wakeup(fields, result) || parse_plugin_wakeup(fields, result)) return result;
  throw BadValue(
      "the line is cut, or no wake-up; expected comm= pid= prio= target_cpu=, or "
      "COMM:PID [PRIO] CPU:NUMBER");
}

}  // namespace tickproof
