#include "trace/ftrace.hpp"

#include "trace/cursor.hpp"

namespace tickproof {
namespace {

/// "0.928556:" in ns.
bool take_time(Cursor& line, Ns& time) {
  Cursor at = line;
  std::int64_t seconds = 0;
  std::int64_t fraction = 0;
  std::size_t digits = 0;
  // Ten digits: clocks that count from 1970.
  if (!at.take_digits(10, seconds, digits) || seconds > 9'000'000'000 || !at.take('.') ||
      !at.take_digits(9, fraction, digits) || !at.take(':') || !at.at_gap()) {
    return false;
  }
  for (; digits < 9; ++digits) fraction *= 10;
  time = seconds * kSec + fraction;
  line = at;
  return true;
}

bool is_number(std::string_view word) {
  Cursor at(word);
  std::int64_t number = 0;
  return at.take_number(number) && at.at_end();
}

/// What follows the '[' of "[000] d.h..     0.928556: sched_switch: ...".
bool take_event(Cursor at, TraceEvent& event) {
  std::int64_t cpu = 0;
  std::size_t digits = 0;
  if (!at.take_digits(6, cpu, digits) || !at.take(']')) return false;
  at.skip_blanks();
  if (!take_time(at, event.time)) {
    at.word();  // the flags: "d.h..", which some leave out
    at.skip_blanks();
    if (!take_time(at, event.time)) return false;
  }
  at.skip_blanks();
  std::string_view name = at.word();
  if (is_number(name)) {  // perf's period
    at.skip_blanks();
    name = at.word();
  }
  if (name.size() < 2 || !name.ends_with(':')) return false;
  name.remove_suffix(1);
  // perf puts the system before it: "sched:sched_switch".
  if (const auto colon = name.find(':'); colon != std::string_view::npos) {
    name.remove_prefix(colon + 1);
  }
  at.skip_blanks();
  event.cpu = static_cast<int>(cpu);
  event.name = name;
  event.fields = at.rest();
  return true;
}

/// The count of "CPU:0 [LOST 123 EVENTS]" behind the bracket; 0 where there is none.
bool take_lost(Cursor at, std::int64_t& count) {
  std::size_t digits = 0;
  count = 0;
  if (at.take("LOST ")) {  // the kernel
    return at.take("EVENTS]") || (at.take_digits(18, count, digits) && at.take(" EVENTS]"));
  }
  if (at.take("EVENTS DROPPED]")) return true;  // trace-cmd
  return at.take_digits(18, count, digits) && at.take(" EVENTS DROPPED]");
}

}  // namespace

std::optional<TraceEvent> parse_ftrace_line(std::string_view line) {
  // "[000]" and a time behind it; what looks like it in a task's name has none.
  TraceEvent event;
  for (std::size_t open = line.find('['); open != std::string_view::npos;
       open = line.find('[', open + 1)) {
    if (take_event(Cursor(line.substr(open + 1)), event)) return event;
  }
  return std::nullopt;
}

std::optional<LostEvents> parse_ftrace_lost(std::string_view line) {
  Cursor at(line);
  LostEvents lost;
  std::int64_t cpu = 0;
  std::size_t digits = 0;
  if (!at.take("CPU") || !(at.take(':') || at.take(' ')) || !at.take_digits(6, cpu, digits) ||
      !at.take(" [") || !take_lost(at, lost.count)) {
    return std::nullopt;
  }
  lost.cpu = static_cast<int>(cpu);
  return lost;
}

bool is_ftrace_comment(std::string_view line) {
  Cursor at(line);
  do {
    at.skip_blanks();
  } while (at.take('\t'));
  return at.at_end() || at.take('#');
}

bool is_ftrace_remark(std::string_view line) {
  Cursor at(line);
  std::int64_t number = 0;
  if (at.take("cpus=") || at.take("version = ")) return is_number(at.rest());
  if (at.take("CPU ") || at.take("CPU:")) {
    return at.take_number(number) && (at.take(" is empty") || at.take(" [SUBBUFFER START]")) &&
           at.at_end();
  }
  // "hog0-27 [000] d..2. 0.928556: <stack trace>", and one line for each function.
  return line.starts_with(" => ") || line.ends_with(": <stack trace>");
}

bool FieldReader::next(std::string_view& key, std::string_view& value) {
  Cursor at(rest_);
  while (true) {
    at.skip_blanks();
    if (at.at_end()) return false;
    const std::string_view word = at.word();
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) continue;
    key = word.substr(0, equals);
    value = word.substr(equals + 1);
    rest_ = at.rest();
    return true;
  }
}

}  // namespace tickproof
