#include "trace/plain_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/setting.hpp"
#include "model/weights.hpp"

namespace tickproof {
namespace {

/// A clock sample within these bounds.
Unknown sample(Ns lo, Ns hi, Sample kind) { return {lo, std::max(lo, hi), 0, kind}; }

constexpr Ns kPrinted = kUsec;  ///< times are printed to the microsecond
constexpr std::int64_t kFirstFairPrio = 100;
constexpr std::int64_t kNiceZeroPrio = 120;
/// Switches from which the grid is learned, and events that are kept back for it.
constexpr std::size_t kSwitchesForGrid = 24;
constexpr std::size_t kMostKeptBack = 4'096;
constexpr std::size_t kGridMemory = 64;

}  // namespace

PlainTrace::PlainTrace(const TraceDescription& description)
    : settings_{description.rules, description.features, description.base_slice,
                tick_period(description.hz)},
      policies_(description.policies),
      slices_(description.slices),
      explainer_(settings_) {}

TaskId PlainTrace::task_of(const SchedTask& seen) {
  if (seen.pid == 0 || seen.prio < kFirstFairPrio) return kNobody;
  const auto nice = static_cast<int>(seen.prio - kNiceZeroPrio);
  const auto policy = policies_.find(seen.pid);
  const bool is_idle = policy != policies_.end() && policy->second == Policy::idle;
  const auto known = id_of_.find(seen.pid);
  if (known != id_of_.end()) {
    Task& task = tasks_[static_cast<std::size_t>(known->second)];
    task.name = seen.comm;
    if (task.prio != seen.prio) {
      throw BadValue(
          fmt::format("pid {} has prio {}, and had {} before: a nice value that "
                      "changes on the way can't be judged in a plain trace",
                      seen.pid, seen.prio, task.prio));
    }
    return known->second;
  }
  Entity<KernelDomain> e;
  e.weight = is_idle ? weight_of_idle_policy() : weight_of_nice(nice);
  if (policy != policies_.end()) e.policy = policy->second;
  const auto slice = slices_.find(seen.pid);
  e.custom_slice = slice != slices_.end();
  e.slice = Checked(e.custom_slice ? slice->second : settings_.base_slice);
  tasks_.push_back({std::string(seen.comm), seen.prio});
  return id_of_[seen.pid] = explainer_.add_task(e);
}

std::optional<Unexplained> PlainTrace::feed(const TraceEvent& event, const std::string& where) {
  if (event.name == "sched_waking") {
    waking_[parse_sched_wakeup(event.fields).task.pid] = event.time;
  } else if (event.name == "sched_wakeup" || event.name == "sched_wakeup_new") {
    add_wakeup(event, where);
  } else if (event.name == "sched_switch") {
    add_switch(event, where);
  } else if (event.name == "hrtimer_expire_entry" &&
             event.fields.find("function=tick_") != std::string_view::npos) {
    sees_ticks_ = true;
    pending_.push_back({.kind = Raw::Kind::tick,
                        .lo = event.time - kPrinted,
                        .hi = event.time + kSampleWithin,
                        .where = where});
  }
  return release(false);
}

void PlainTrace::add_wakeup(const TraceEvent& event, const std::string& where) {
  const SchedWakeup wakeup = parse_sched_wakeup(event.fields);
  Raw raw{.kind = Raw::Kind::wake,
          .lo = event.time - kSampleWithin,
          .hi = event.time + kPrinted,
          .task = task_of(wakeup.task),
          .forked = event.name == "sched_wakeup_new",
          .where = where};
  if (const auto waking = waking_.find(wakeup.task.pid); waking != waking_.end()) {
    raw.lo = waking->second - kPrinted;
    waking_.erase(waking);
  }
  if (wakeup.task.pid != 0) pending_.push_back(std::move(raw));
}

void PlainTrace::add_switch(const TraceEvent& event, const std::string& where) {
  const SchedSwitch change = parse_sched_switch(event.fields);
  if (on_cpu_ && *on_cpu_ != change.prev.pid) {
    throw BadValue(
        fmt::format("switches from pid {}, and the last switch was to pid {}: events "
                    "are missing, or of another CPU",
                    change.prev.pid, *on_cpu_));
  }
  on_cpu_ = change.next.pid;
  Raw raw{.kind = Raw::Kind::leave,
          .lo = event.time - kSampleWithin,
          .hi = event.time + kPrinted,
          .task = task_of(change.prev),
          .next = task_of(change.next),
          .where = where};
  const std::string_view state = change.prev_state;
  raw.blocks = raw.task != kNobody && !state.starts_with('R');
  raw.special = raw.blocks && state.find_first_of("XZTtP") != std::string_view::npos;
  raw.to_higher = raw.next == kNobody && change.next.pid != 0;
  pending_.push_back(std::move(raw));
}

/// Is the switch at that place of pending_ one that only a tick accounts for?
bool PlainTrace::is_of_tick(std::size_t position) const {
  const Raw& raw = pending_[position];
  if (raw.kind != Raw::Kind::leave || raw.task == kNobody || raw.blocks || raw.to_higher) {
    return false;
  }
  // A wake-up shortly before might have preempted.
  return position == 0 || pending_[position - 1].kind == Raw::Kind::leave ||
         pending_[position - 1].hi + 100 * kUsec < raw.hi;
}

/// The residues of the switches that ticks account for lie close together.
void PlainTrace::learn_grid() {
  std::vector<Ns> residues;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    if (is_of_tick(i)) residues.push_back(pending_[i].hi % settings_.tick);
  }
  if (residues.empty() || sees_ticks_) return;
  std::sort(residues.begin(), residues.end());
  // The densest stretch of the circle that is as long as samples vary.
  std::size_t best = 0;
  std::size_t best_count = 0;
  for (std::size_t i = 0; i < residues.size(); ++i) {
    std::size_t count = 0;
    for (const Ns residue : residues) {
      const Ns ahead = (residue - residues[i] + settings_.tick) % settings_.tick;
      count += ahead <= kSampleWithin ? 1 : 0;
    }
    if (count > best_count) {
      best = i;
      best_count = count;
    }
  }
  grid_ = residues[best];
  // The first tick behind the first event.
  const Ns first = pending_.front().lo;
  next_tick_ = *grid_ + (first - *grid_) / settings_.tick * settings_.tick;
  while (next_tick_ < first) next_tick_ += settings_.tick;
}

/// The trace's clock and the timer's may drift apart: the grid follows the earliest of the
/// last switches.
void PlainTrace::follow_grid(const Raw& leave) {
  const Ns off = leave.hi - (next_tick_ - settings_.tick);
  if (off < -kSampleWithin || off > kReschedWithin) return;
  off_grid_.push_back(off);
  if (off_grid_.size() < kGridMemory) return;
  const Ns least = *std::min_element(off_grid_.begin(), off_grid_.end());
  next_tick_ += least;
  for (Ns& known : off_grid_) known -= least;
  off_grid_.pop_front();
}

/// Is the next switch, of those that are pending, away from the running task, and soon?
bool PlainTrace::switch_follows(Ns from) const {
  for (const Raw& raw : pending_) {
    if (raw.kind != Raw::Kind::leave) continue;
    return raw.task != kNobody && !raw.blocks && raw.hi <= from + kReschedWithin;
  }
  return false;
}

std::optional<Unexplained> PlainTrace::release(bool all) {
  if (!learned_) {
    std::size_t useful = 0;
    for (std::size_t i = 0; i < pending_.size(); ++i) useful += is_of_tick(i) ? 1 : 0;
    if (!all && useful < kSwitchesForGrid && pending_.size() < kMostKeptBack) return std::nullopt;
    if (pending_.empty()) return std::nullopt;
    learn_grid();
    learned_ = true;
  }
  // What follows soon must be known.
  while (!pending_.empty() &&
         (all || pending_.front().hi + 2 * kReschedWithin < pending_.back().hi)) {
    const Raw raw = std::move(pending_.front());
    pending_.pop_front();
    if (auto unexplained = emit_ticks(raw)) return unexplained;
    if (auto unexplained = emit(raw)) return unexplained;
  }
  return std::nullopt;
}

std::optional<Unexplained> PlainTrace::finish() { return release(true); }

std::optional<Unexplained> PlainTrace::forget_state() {
  auto unexplained = release(true);
  begun_ = false;
  learned_ = false;
  on_cpu_.reset();
  waking_.clear();
  off_grid_.clear();
  for (Task& task : tasks_) task.awake = false;
  return unexplained;
}

std::optional<Unexplained> PlainTrace::emit_ticks(const Raw& before) {
  if (!grid_) return std::nullopt;
  // A tick that causes a switch is before it, be it a little early on the grid.
  const bool preempts = before.kind == Raw::Kind::leave && before.task != kNobody &&
                        !before.blocks && !before.to_higher && !wakeup_may_preempt_;
  while (next_tick_ <= before.hi + (preempts ? kSampleWithin : 0)) {
    const Ns at = next_tick_;
    next_tick_ += settings_.tick;
    // The switch that it causes may be the event at hand.
    pending_.push_front(before);
    auto unexplained =
        emit_tick(at - kSampleWithin, at + kSampleWithin, "the tick before " + before.where);
    pending_.pop_front();
    if (unexplained) return unexplained;
  }
  return std::nullopt;
}

std::optional<Unexplained> PlainTrace::emit_tick(Ns lo, Ns hi, const std::string& where) {
  if (!begun_ || running_ == kNobody) return std::nullopt;
  ++ticks;
  Occasion o{.kind = Occasion::Kind::tick, .where = where};
  o.switch_follows = switch_follows(hi);
  o.unknowns.push_back(sample(lo, hi, Sample::tick));
  o.unknowns.push_back(sample(lo, hi + kSampleWithin, Sample::same_pick));
  return explainer_.feed(std::move(o));
}

Ns PlainTrace::lag_limit(TaskId id) const {
  const Entity<KernelDomain>& e = explainer_.task(id);
  KernelDomain d(settings_.rules.delta_fair);
  const Ns most = std::max(2 * e.slice.value(), e.slice.value() + settings_.tick);
  return d.to_virtual(Checked(most), e.weight).value();
}

/// From a switch on, with whoever is known to be awake queued.
std::optional<Unexplained> PlainTrace::start(const Raw& leave) {
  KernelDomain d(settings_.rules.delta_fair);
  Occasion o{.kind = Occasion::Kind::start, .next = leave.next, .where = leave.where};
  o.unknowns.push_back(sample(leave.lo, leave.hi, Sample::preemption));
  for (TaskId id = 0; id < static_cast<TaskId>(tasks_.size()); ++id) {
    Task& task = tasks_[static_cast<std::size_t>(id)];
    if (!task.awake) continue;
    o.queued.push_back(id);
    const Entity<KernelDomain>& e = explainer_.task(id);
    const Ns request = d.to_virtual(e.slice, e.weight).value();
    o.unknowns.push_back({-lag_limit(id), lag_limit(id), 0});
    o.unknowns.push_back({1, request, request});
  }
  for (Task& task : tasks_) task.was_seen = task.awake;
  begun_ = true;
  return explainer_.feed(std::move(o));
}

std::optional<Unexplained> PlainTrace::emit(const Raw& raw) {
  switch (raw.kind) {
    case Raw::Kind::tick: return emit_tick(raw.lo, raw.hi, raw.where);

    case Raw::Kind::wake: {
      if (raw.task == kNobody) {
        if (!begun_) return std::nullopt;
        Occasion o{.kind = Occasion::Kind::higher, .where = raw.where};
        o.unknowns.push_back(sample(raw.lo, raw.hi, Sample::wakeup));
        return explainer_.feed(std::move(o));
      }
      Task& task = tasks_[static_cast<std::size_t>(raw.task)];
      if (!begun_) {
        // Who runs at the beginning shows at the first switch; a fair task among others
        // that were there before is no place to begin.
        const auto first = std::find_if(pending_.begin(), pending_.end(), [](const Raw& later) {
          return later.kind == Raw::Kind::leave;
        });
        begun_ = first == pending_.end() || first->task == kNobody;
        if (begun_) explainer_.begin();
      }
      ++wakeups;
      const bool was_awake = std::exchange(task.awake, true);
      if (!begun_ || was_awake) return std::nullopt;
      Occasion o{
          .kind = Occasion::Kind::wake, .task = raw.task, .forked = raw.forked, .where = raw.where};
      o.is_new = !std::exchange(task.was_seen, true) && !raw.forked;
      o.switch_follows = running_ != kNobody && switch_follows(raw.hi);
      wakeup_may_preempt_ = o.switch_follows;
      o.unknowns.push_back(sample(raw.lo, raw.hi, Sample::wakeup));
      o.unknowns.push_back(sample(raw.lo, raw.hi + kSampleWithin, Sample::same_pick));
      if (o.is_new) o.unknowns.push_back({-lag_limit(raw.task), lag_limit(raw.task), 0});
      return explainer_.feed(std::move(o));
    }

    case Raw::Kind::leave: {
      ++switches;
      wakeup_may_preempt_ = false;
      const auto awake = [&](TaskId id) -> bool& {
        return tasks_[static_cast<std::size_t>(id)].awake;
      };
      // Whoever runs without having been woken was there before.
      const bool known = begun_ && (raw.next == kNobody || awake(raw.next));
      if (raw.task != kNobody) awake(raw.task) = !raw.blocks;
      if (raw.next != kNobody) awake(raw.next) = true;
      running_ = raw.next;
      if (!known) return start(raw);
      if (raw.task != kNobody && !raw.blocks) follow_grid(raw);
      Occasion o{.kind = Occasion::Kind::leave,
                 .task = raw.task,
                 .next = raw.next,
                 .blocks = raw.blocks,
                 .special = raw.special,
                 .to_higher = raw.to_higher,
                 .where = raw.where};
      o.unknowns.push_back(sample(raw.lo, raw.hi, raw.blocks ? Sample::block : Sample::preemption));
      return explainer_.feed(std::move(o));
    }
  }
  return std::nullopt;
}

std::string PlainTrace::with_names(const std::string& text) const {
  const std::size_t at = text.find("task ");
  if (at == std::string::npos) return text;
  const std::size_t number = at + 5;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", number), text.size());
  if (end == number) return text;
  const auto id = static_cast<TaskId>(std::stoi(text.substr(number, end - number)));
  for (const auto& [pid, known] : id_of_) {
    if (known != id) continue;
    return text.substr(0, at) +
           fmt::format("pid {} ({})", pid, tasks_[static_cast<std::size_t>(id)].name) +
           text.substr(end);
  }
  return text;
}

}  // namespace tickproof
