#include "report/event_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

#include "report/gantt.hpp"
#include "report/milliseconds.hpp"
#include "report/wrap.hpp"

namespace tickproof {
namespace {

/// Below this width, what changed gets lines of its own.
constexpr std::size_t kLeastWidth = 30;
constexpr std::size_t kIndent = 8;

/// The cells of a line, or of several that were merged.
struct Row {
  Ns time = 0;
  std::string tick;
  std::string what;
  std::string runs;
  std::vector<std::string> changes;
};

/// Adds "word", with a blank before it if there is something already.
void add_word(std::string& text, const std::string& word) {
  if (!text.empty()) text += ' ';
  text += word;
}

void add_flag(std::string& text, bool before, bool after, char letter) {
  if (before != after) add_word(text, fmt::format("{}{}", after ? '+' : '-', letter));
}

/// What changed for a task: "v=3.002 d=5.8 lag=-1.501 -p"; of lag alone only if
/// `watched`, as everyone's lag changes whenever time is charged.
std::string changes_of(const TaskView& before, const TaskView& after, bool watched) {
  if (!after.queued) return before.queued ? "off the queue" : "";
  const QueuedView& now = *after.queued;
  const QueuedView was = before.queued.value_or(QueuedView{});
  const bool is_new = !before.queued;
  std::string text;
  if (is_new || now.vruntime != was.vruntime) add_word(text, "v=" + in_ms(now.vruntime));
  if (is_new || now.deadline != was.deadline) add_word(text, "d=" + in_ms(now.deadline));
  std::string flags;
  add_flag(flags, was.eligible, now.eligible, 'e');
  add_flag(flags, was.is_protected, now.is_protected, 'p');
  if (now.delayed && !was.delayed) add_word(flags, "delayed");
  const bool lag_changed = is_new || now.lag != was.lag;
  if (lag_changed && (watched || !text.empty() || !flags.empty())) {
    add_word(text, "lag=" + in_ms(now.lag));
  }
  if (!flags.empty()) add_word(text, flags);
  return text;
}

/// Did the tick do nothing but charge the running task?
bool is_quiet(const Event& before, const Event& event) {
  if (event.kind != MoveKind::tick || event.scheduled || event.resched != before.resched) {
    return false;
  }
  return std::equal(event.tasks.begin(), event.tasks.end(), before.tasks.begin(),
                    [](const TaskView& now, const TaskView& was) {
                      if (!now.queued || !was.queued) return now == was;
                      QueuedView charged = *was.queued;
                      charged.vruntime = now.queued->vruntime;
                      charged.lag = now.queued->lag;
                      return charged == *now.queued;
                    });
}

class EventList {
 public:
  EventList(const SystemSpec& spec, const Recording& recording)
      : spec_(spec), recording_(recording) {
    start_.tasks.resize(spec.tasks.size());
  }

  std::vector<Row> rows() const {
    std::vector<Row> rows;
    const std::vector<Event>& events = recording_.events;
    for (std::size_t i = 0; i < events.size();) {
      const Event& before = i == 0 ? start_ : events[i - 1];
      std::size_t last = i;
      if (is_quiet(before, events[i])) {
        while (last + 1 < events.size() && events[last + 1].cpu == events[i].cpu &&
               is_quiet(events[last], events[last + 1])) {
          ++last;
        }
      }
      rows.push_back(row(before, events[i], events[last]));
      i = last + 1;
    }
    return rows;
  }

 private:
  std::string name(TaskId id) const { return id == kNobody ? "-" : label_of(spec_, id); }

  Row row(const Event& before, const Event& first, const Event& last) const {
    Row row;
    row.time = last.time;
    if (last.kind == MoveKind::tick) row.tick = std::to_string(last.tick);
    if (first.tick != last.tick) row.tick = std::to_string(first.tick) + "-" + row.tick;
    row.what = what(before, first, first.tick != last.tick);
    row.runs = runs(last);
    row.changes = changes(before, last);
    return row;
  }

  std::string what(const Event& before, const Event& event, bool several) const {
    std::string text = spec_.cpus == 1 ? "" : fmt::format("cpu{} ", event.cpu);
    switch (event.kind) {
      case MoveKind::tick: return text + (several ? "ticks" : "tick");
      case MoveKind::wake: {
        const Life life = before.tasks[static_cast<std::size_t>(event.task)].life;
        return text + name(event.task) + (life == Life::unborn ? " starts" : " wakes");
      }
      case MoveKind::block: return text + name(event.task) + " sleeps";
      case MoveKind::yield: return text + name(event.task) + " yields";
      case MoveKind::resched: return text + "reschedule";
      case MoveKind::hrtick: return text + "HRTICK";
      case MoveKind::renice:
        return fmt::format("{}{} gets nice {}", text, name(event.task), event.value);
      case MoveKind::set_slice:
        return fmt::format("{}{} gets {}{}", text, name(event.task),
                           event.value == kDefaultSlice ? "" : "slice ",
                           describe_value(event.kind, event.value));
    }
    return text;
  }

  std::string runs(const Event& event) const {
    if (event.after != event.before) return name(event.after) + "@" + in_ms(event.settled);
    return name(event.after) + (event.scheduled ? " kept" : "");
  }

  std::vector<std::string> changes(const Event& before, const Event& after) const {
    std::vector<std::string> all;
    for (TaskId id = 0; id < static_cast<TaskId>(spec_.tasks.size()); ++id) {
      const auto i = static_cast<std::size_t>(id);
      const std::string change =
          changes_of(before.tasks[i], after.tasks[i], id == recording_.watched);
      if (!change.empty()) all.push_back(name(id) + " " + change);
    }
    if (after.resched != before.resched && after.resched != Resched::none) {
      all.emplace_back(after.resched == Resched::lazy ? "lazy reschedule pending"
                                                      : "reschedule pending");
    }
    return all;
  }

  const SystemSpec& spec_;
  const Recording& recording_;
  Event start_;  ///< nobody is born yet
};

/// `parts` in lines of at most `width`, with `separator` where a line goes on.
std::vector<std::string> fill(const std::vector<std::string>& parts, const std::string& separator,
                              std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string& part : parts) {
    if (!lines.empty() && lines.back().size() + separator.size() + part.size() <= width) {
      lines.back() += separator + part;
    } else {
      lines.push_back(part);
    }
  }
  return lines;
}

/// Lines of at most `width`, broken at blanks.
std::vector<std::string> wrap(const std::string& text, std::size_t width) {
  std::istringstream stream(text);
  return fill({std::istream_iterator<std::string>(stream), {}}, " ", width);
}

/// The changes of an event in lines; one task's stay together where they fit.
std::vector<std::string> wrap_changes(const std::vector<std::string>& changes, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string& line : fill(changes, "; ", width)) {
    for (std::string& part : wrap(line, width)) lines.push_back(std::move(part));
  }
  return lines;
}

}  // namespace

std::string event_list(const SystemSpec& spec, const Recording& recording) {
  Row head{0, "tick", "event", "runs", {}};
  std::vector<Row> rows = EventList(spec, recording).rows();
  std::vector<Ns> times;
  times.reserve(rows.size());
  for (const Row& row : rows) times.push_back(row.time);
  const int decimals = decimals_of(times);
  std::size_t time = std::string("ms").size();
  std::size_t tick = head.tick.size();
  std::size_t what = head.what.size();
  std::size_t runs = head.runs.size();
  for (const Row& row : rows) {
    time = std::max(time, in_ms(row.time, decimals).size());
    tick = std::max(tick, row.tick.size());
    what = std::max(what, row.what.size());
    runs = std::max(runs, row.runs.size());
  }
  const auto line = [&](const std::string& at, const Row& row) {
    return fmt::format("{:>{}} {:>{}}  {:{}}  {:{}}", at, time, row.tick, tick, row.what, what,
                       row.runs, runs);
  };

  const std::size_t behind = line("", head).size() + 2;
  const bool beside = behind + kLeastWidth <= kTextWidth;
  const std::size_t indent = beside ? behind : kIndent;
  head.changes = {"changes"};
  std::string text;
  const auto add_line = [&](std::string full) {
    full.erase(full.find_last_not_of(' ') + 1);
    // Names and times that are longer than any real ones.
    if (full.size() > kTextWidth) full = fmt::format("{}", fmt::join(wrap(full, kTextWidth), "\n"));
    text += full + "\n";
  };
  const auto add = [&](const std::string& at, const Row& row) {
    std::string current = line(at, row);
    for (const std::string& changes : wrap_changes(row.changes, kTextWidth - indent)) {
      if (current.size() + 2 > indent) add_line(std::exchange(current, ""));
      current.resize(indent, ' ');
      current += changes;
    }
    add_line(current);
  };
  add("ms", head);
  for (const Row& row : rows) add(in_ms(row.time, decimals), row);
  return text;
}

}  // namespace tickproof
