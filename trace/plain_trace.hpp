// A plain trace (sched_switch, sched_waking, sched_wakeup of one CPU, as anyone's machine
// gives them) made into occasions, and explained.
//
// The ticks are not in such a trace, unless the timer's events are. They come on a grid
// whose place is learned from switches that nothing else accounts for. When the scheduler
// read its clock is known within bounds: a wake-up's between sched_waking and
// sched_wakeup, a switch's a little before its event.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trace/description.hpp"
#include "trace/event.hpp"
#include "trace/explain.hpp"
#include "trace/sched_events.hpp"

namespace tickproof {

class PlainTrace {
 public:
  explicit PlainTrace(const TraceDescription& description);

  /// Feeds the next event; `where` names its place in the file. Throws BadValue where its
  /// fields can't be read. Feed no more once something is not explained.
  std::optional<Unexplained> feed(const TraceEvent& event, const std::string& where);
  /// At the end of the trace.
  std::optional<Unexplained> finish();
  /// Events were lost: the state is unknown from here on.
  std::optional<Unexplained> forget_state();

  const Explainer& explainer() const { return explainer_; }
  /// "pid 27 (hog0)" in place of each "task 3".
  std::string with_names(const std::string& text) const;

  bool sees_ticks() const { return sees_ticks_; }

  std::size_t switches = 0;
  std::size_t wakeups = 0;
  std::size_t ticks = 0;

  /// A clock sample is at most this long before the event that follows it, ns.
  static constexpr Ns kSampleWithin = 25 * kUsec;
  /// A reschedule that is asked for comes at most so much later, ns.
  static constexpr Ns kReschedWithin = 60 * kUsec;

 private:
  struct Task {
    std::string name = {};
    std::int64_t prio = 0;
    bool awake = false;
    bool was_seen = false;  ///< its lag is no longer free
  };
  /// An event as it comes, with what is needed of it.
  struct Raw {
    enum class Kind { wake, leave, tick } kind = Kind::wake;
    Ns lo = 0;  ///< of the clock sample
    Ns hi = 0;
    TaskId task = kNobody;
    TaskId next = kNobody;
    bool forked = false;
    bool blocks = false;
    bool special = false;
    bool to_higher = false;
    std::string where = {};
  };

  TaskId task_of(const SchedTask& seen);
  void add_wakeup(const TraceEvent& event, const std::string& where);
  void add_switch(const TraceEvent& event, const std::string& where);
  void learn_grid();
  void follow_grid(const Raw& leave);
  bool is_of_tick(std::size_t position) const;
  bool switch_follows(Ns from) const;
  std::optional<Unexplained> release(bool all);
  std::optional<Unexplained> emit_ticks(const Raw& before);
  std::optional<Unexplained> emit_tick(Ns lo, Ns hi, const std::string& where);
  std::optional<Unexplained> emit(const Raw& raw);
  std::optional<Unexplained> start(const Raw& leave);
  Ns lag_limit(TaskId id) const;

  FairSettings settings_;
  std::map<std::int64_t, Policy> policies_;
  std::map<std::int64_t, Ns> slices_;
  Explainer explainer_;
  std::map<std::int64_t, TaskId> id_of_;
  std::vector<Task> tasks_;
  std::optional<std::int64_t> on_cpu_;  ///< pid that the last switch was to
  std::map<std::int64_t, Ns> waking_;   ///< sched_waking, not yet sched_wakeup; by pid

  std::deque<Raw> pending_;
  std::optional<Ns> grid_;  ///< an earliest switch of a tick; its multiples of T on
  Ns next_tick_ = 0;
  std::deque<Ns> off_grid_;  ///< of the last such switches
  bool sees_ticks_ = false;  ///< the trace has them
  bool learned_ = false;
  bool begun_ = false;
  bool wakeup_may_preempt_ = false;  ///< the switch that comes may be a wake-up's
  TaskId running_ = kNobody;
};

}  // namespace tickproof
