// One machine with its tasks as a transition system: state + move -> state.
//
// The machines (tick, reschedule, tasks, one run queue a CPU) move together on
// the events of model/state.hpp. What the scheduler decides is in eevdf.hpp; here
// is when it gets to decide: which events charge the running task, when a
// reschedule takes effect, what a workload may do.
//
// Sources: kernel/sched/core.c (sched_tick, __schedule, try_to_wake_up),
// kernel/sched/fair.c (task_tick_fair, enqueue_task_fair, hrtick_start_fair),
// kernel/time/tick-sched.c (the grid that outlives NO_HZ idle).
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/config.hpp"
#include "model/eevdf.hpp"
#include "model/state.hpp"

namespace tickproof {

/// What does not change while a system runs.
struct SystemSpec {
  FairSettings fair;
  Preemption preemption = Preemption::full;
  Ns tick = 0;
  Interval loss;
  Interval switch_delay;
  Ns stretch = 0;
  int cpus = 1;  ///< that are modelled, each with its own tick and run queue
  struct TaskInfo {
    std::string name;
    TaskSpec spec;
    int kind = 0;  ///< tasks of one kind are interchangeable
  };
  std::vector<TaskInfo> tasks;
};

/// The tasks of `config`, one entry each, on one CPU. Of several identical ones
/// "hog" with count 2 the names are hog.1 and hog.2.
SystemSpec make_system(const Config& config);

/// An observer that looks away; see properties/ for those that look.
template <Domain D>
struct NoObserver {
  using Num = typename D::Num;
  void passed(const State<D>&, const Num& /*elapsed*/, const std::vector<QuietTicks<D>>&) {}
  void ticked(const State<D>&, CpuId) {}
  void woke(const State<D>&, TaskId) {}
  void switched(const State<D>&, CpuId, TaskId /*prev*/, TaskId /*next*/) {}
};

template <Domain D>
class System {
 public:
  using Num = typename D::Num;
  using Bool = typename D::Bool;

  System(D& d, const SystemSpec& spec) : d_(d), spec_(spec) {}

  /// All tasks unborn; the first tick of CPU c comes after first_tick[c] ns.
  State<D> initial(const std::vector<Num>& first_tick) const {
    State<D> s;
    for (const SystemSpec::TaskInfo& info : spec_.tasks) {
      Entity<D> e;
      e.weight = info.spec.policy == Policy::idle ? weight_of_idle_policy()
                                                  : weight_of_nice(info.spec.nice);
      e.policy = info.spec.policy;
      e.custom_slice = info.spec.slice.has_value();
      e.slice = d_.number(info.spec.slice.value_or(spec_.fair.base_slice));
      s.entities.push_back(std::move(e));
      Task<D> t;
      t.nice = info.spec.nice;
      t.until = d_.number(info.spec.start.value_or(0));
      s.tasks.push_back(std::move(t));
    }
    for (const Num& phase : first_tick) {
      Cpu<D> cpu;
      cpu.to_tick = phase;
      s.cpus.push_back(std::move(cpu));
    }
    return s;
  }

  /// Calls visit(kind, cpu, task, value) for each move that the discrete part of the
  /// state allows. Of interchangeable unborn tasks only the first starts.
  template <class Visit>
  void for_each_move(const State<D>& s, const Visit& visit) const {
    for (CpuId c = 0; c < spec_.cpus; ++c) {
      const Cpu<D>& cpu = s.cpus[index(c)];
      visit(MoveKind::tick, c, kNobody, 0);
      if (cpu.resched != Resched::none) visit(MoveKind::resched, c, kNobody, 0);
      if (cpu.hrtick_armed) visit(MoveKind::hrtick, c, kNobody, 0);
      if (cpu.running == kNobody) continue;
      if (may_block(cpu.running)) visit(MoveKind::block, c, cpu.running, 0);
      if (workload(cpu.running).kind == Workload::Kind::yielder) {
        visit(MoveKind::yield, c, cpu.running, 0);
      }
    }
    std::optional<int> unborn;
    for (TaskId id = 0; id < static_cast<TaskId>(s.tasks.size()); ++id) {
      const Task<D>& t = s.tasks[index(id)];
      for_each_change(s, id, visit);
      if (t.life == Life::awake) continue;
      if (t.life == Life::unborn && std::exchange(unborn, info(id).kind) == info(id).kind) continue;
      visit(MoveKind::wake, t.cpu, id, 0);
    }
  }

  /// Makes the move; true if the CPU then went through schedule(), `delay` later
  /// where the move is a tick. Throws IllegalStep (concrete domains) or leaves the
  /// path (symbolic domain) if the environment can't do that here.
  template <class Observer>
  bool step(State<D>& s, const Move<D>& m, Observer& observer) const {
    pass(s, m.elapsed, m.quiet, false, observer);
    Cpu<D>& cpu = s.cpus[index(m.cpu)];
    switch (m.kind) {
      case MoveKind::tick: tick(s, m, observer); break;
      case MoveKind::wake: wake(s, m, observer); break;
      case MoveKind::block: block(s, m); break;
      case MoveKind::yield: yield(s, m); break;
      case MoveKind::resched: resched(cpu); break;
      case MoveKind::hrtick: hrtick(s, m.cpu); break;
      case MoveKind::renice: renice(s, m); break;
      case MoveKind::set_slice: set_slice(s, m); break;
    }
    const bool voluntary = m.kind == MoveKind::block || m.kind == MoveKind::yield;
    if (voluntary || m.kind == MoveKind::resched || takes_effect(cpu, m.kind)) {
      schedule(s, m.cpu, m.kind == MoveKind::tick ? m.delay : d_.number(0), observer);
      return true;
    }
    return false;
  }

  /// Calls visit(name, number) for each number that the state's future depends on.
  /// The others are leftovers: a sleeper's vruntime, say. Virtual times matter only
  /// as differences, so v0 of an empty queue is none.
  template <class Visit>
  void for_each_live_number(State<D>& s, const Visit& visit) const {
    for (TaskId id = 0; id < static_cast<TaskId>(s.tasks.size()); ++id) {
      Entity<D>& e = s.entities[index(id)];
      Task<D>& t = s.tasks[index(id)];
      const std::string& name = info(id).name;
      const Workload::Kind kind = workload(id).kind;
      if (e.on_rq) {
        visit(name + ".vruntime", e.vruntime);
        visit(name + ".deadline", e.deadline);
      }
      if (!is_fifo(id) && lag_counts(e, t)) visit(name + ".lag", e.vlag);
      if (t.life == Life::awake && has_burst(id)) visit(name + ".left", t.left);
      const bool timed = t.life == Life::unborn             ? info(id).spec.start.has_value()
                         : kind == Workload::Kind::sporadic ? t.life == Life::asleep
                                                            : kind == Workload::Kind::periodic;
      if (timed) visit(name + ".until", t.until);
    }
    for (CpuId c = 0; c < spec_.cpus; ++c) {
      Cpu<D>& cpu = s.cpus[index(c)];
      const std::string name = "cpu" + std::to_string(c);
      visit(name + ".to_tick", cpu.to_tick);
      if (cpu.resched != Resched::none) visit(name + ".stretch", cpu.stretch);
      if (cpu.hrtick_armed) visit(name + ".hrtick", cpu.hrtick);
      if (cpu.rq.curr == kNobody) continue;
      if (!d_.known(cpu.uncharged == d_.number(0))) visit(name + ".uncharged", cpu.uncharged);
      if (hrtick_by_slice()) visit(name + ".ran", cpu.ran);
      if (spec_.fair.rules.protection != Protection::own_deadline) {
        visit(info(cpu.rq.curr).name + ".vprot", s.entities[index(cpu.rq.curr)].vprot);
      }
    }
  }

 private:
  template <class Id>
  static std::size_t index(Id id) {
    return static_cast<std::size_t>(id);
  }
  const SystemSpec::TaskInfo& info(TaskId id) const { return spec_.tasks[index(id)]; }
  const Workload& workload(TaskId id) const { return info(id).spec.workload; }
  /// Is it of a higher class? Then the run queue of the fair class never sees it.
  bool is_fifo(TaskId id) const { return info(id).spec.policy == Policy::fifo; }
  /// Of tasks that are delayed the model says nothing: see docs/model.md.
  bool may_change(const State<D>& s, TaskId id) const {
    return s.tasks[index(id)].life != Life::unborn && !s.entities[index(id)].delayed &&
           !is_fifo(id);
  }
  /// set_user_nice() returns at once if nothing is new. So does __sched_setscheduler(), but
  /// it compares the slice that is asked for, and for the base slice that is 0.
  template <class Visit>
  void for_each_change(const State<D>& s, TaskId id, const Visit& visit) const {
    if (!may_change(s, id)) return;
    const Task<D>& t = s.tasks[index(id)];
    for (const int nice : info(id).spec.renice) {
      if (nice != t.nice) visit(MoveKind::renice, t.cpu, id, nice);
    }
    for (const Ns slice : info(id).spec.slices) {
      if (!d_.known(s.entities[index(id)].slice == d_.number(slice))) {
        visit(MoveKind::set_slice, t.cpu, id, slice);
      }
    }
  }
  bool may_block(TaskId id) const {
    const Workload::Kind kind = workload(id).kind;
    return kind != Workload::Kind::hog && kind != Workload::Kind::yielder;
  }
  /// Does the workload bound how long the task computes at a stretch?
  bool has_burst(TaskId id) const {
    const Workload::Kind kind = workload(id).kind;
    return kind != Workload::Kind::hog && kind != Workload::Kind::unconstrained;
  }
  Eevdf<D> fair(State<D>& s, CpuId c) const {
    return Eevdf<D>(d_, spec_.fair, s.cpus[index(c)].rq, s.entities);
  }
  /// Is the lag of the task as saved of use in the future?
  bool lag_counts(const Entity<D>& e, const Task<D>& t) const {
    if (e.delayed) return spec_.fair.rules.delayed_lag == DelayedLag::only_shrinks;
    return !e.on_rq && t.life == Life::asleep && spec_.fair.features.place_lag;
  }
  /// Is HRTICK set for what is left of the slice, so that the time since the pick counts?
  bool hrtick_by_slice() const {
    return spec_.fair.features.hrtick && spec_.fair.rules.hrtick != Hrtick::deadline;
  }
  void require_equal(const Num& x, Ns ns, const char* what) const {
    d_.require(x == d_.number(ns), what);
  }
  void require_within(const Num& x, const Interval& bounds, const char* what) const {
    d_.require(d_.both(x >= d_.number(bounds.lo), x <= d_.number(bounds.hi)), what);
  }

  // --- time ---------------------------------------------------------------

  template <class Observer>
  void pass(State<D>& s, const Num& elapsed, const std::vector<QuietTicks<D>>& quiet,
            bool in_switch, Observer& observer) const {
    d_.require(elapsed >= d_.number(0), "time goes forward");
    observer.passed(s, elapsed, quiet);
    for (CpuId c = 0; c < spec_.cpus; ++c) pass_on_cpu(s, c, elapsed, quiet[index(c)]);
    for (TaskId id = 0; id < static_cast<TaskId>(s.tasks.size()); ++id) {
      pass_for_task(s, id, elapsed, in_switch);
    }
  }

  void pass_on_cpu(State<D>& s, CpuId c, const Num& elapsed, const QuietTicks<D>& quiet) const {
    Cpu<D>& cpu = s.cpus[index(c)];
    const Bool none = quiet.count == d_.number(0);
    if (!d_.known(none)) pass_quiet_ticks(s, c, elapsed, quiet, none);
    cpu.uncharged = cpu.rq.curr == kNobody ? d_.number(0) : cpu.uncharged + (elapsed - quiet.time);
    cpu.to_tick = cpu.to_tick + d_.times(quiet.count, spec_.tick) - elapsed;
    d_.require(cpu.to_tick >= d_.number(0), "no tick is missed");
    if (cpu.resched != Resched::none) {
      cpu.stretch = cpu.stretch - elapsed;
      d_.require(cpu.stretch >= d_.number(0), "a reschedule takes effect in time");
    }
    if (cpu.hrtick_armed) {
      cpu.hrtick = cpu.hrtick - elapsed;
      d_.require(cpu.hrtick >= d_.number(0), "HRTICK fires in time");
    }
  }

  /// Either there are none, or they are at grid points, charge what ticks may
  /// charge, and no rule would have acted at the last of them. What update_curr()
  /// tests only becomes true as curr runs on, so nothing would have happened at
  /// the earlier ones either.
  void pass_quiet_ticks(State<D>& s, CpuId c, const Num& elapsed, const QuietTicks<D>& quiet,
                        const Bool& none) const {
    Cpu<D>& cpu = s.cpus[index(c)];
    const Num zero = d_.number(0);
    const Num before = quiet.count - d_.number(1);
    Bool some = d_.both(d_.both(quiet.count >= d_.number(1), quiet.time <= elapsed),
                        quiet.time == cpu.to_tick + d_.times(before, spec_.tick));
    Bool nothing = d_.both(none, d_.both(quiet.time == zero, quiet.loss == zero));
    if (cpu.rq.curr == kNobody) {
      d_.require(d_.either(nothing, d_.both(some, quiet.loss == zero)), "ticks are on the grid");
      return;
    }
    // The first interval may be shorter than a tick's least loss.
    const Num first = cpu.to_tick + cpu.uncharged;
    some = d_.both(some, d_.both(quiet.loss <= d_.times(quiet.count, spec_.loss.hi),
                                 quiet.loss <= d_.times(before, spec_.loss.hi) + first));
    some = d_.both(some, d_.either(quiet.loss >= d_.times(quiet.count, spec_.loss.lo),
                                   quiet.loss >= d_.times(before, spec_.loss.lo) + first));
    Num charged = quiet.time - quiet.loss;
    if (!d_.decide(cpu.uncharged == zero) && !d_.decide(none)) {
      charged = charged + cpu.uncharged;
      cpu.uncharged = zero;
    }
    const Ns each = spec_.loss.hi == 0 ? spec_.tick : 0;
    const auto found = fair(s, c).findings_after(charged, quiet.count, each);
    // A pending full reschedule can't be asked for again. Where preemption is lazy any pending
    // one takes effect at the tick.
    const Bool acts = cpu.resched == Resched::none ? d_.either(found.expired, found.resched)
                      : spec_.preemption == Preemption::lazy ? Bool(true)
                                                             : found.expired;
    d_.require(d_.either(nothing, d_.both(some, d_.negate(acts))), "quiet ticks are quiet");
    s.entities[index(cpu.rq.curr)].vruntime = found.vruntime;
    if (hrtick_by_slice()) cpu.ran = cpu.ran + charged;
  }

  /// `in_switch`: interrupts are off and the kernel is at work. What falls due then
  /// is late, and comes at once behind the switch.
  void pass_for_task(State<D>& s, TaskId id, const Num& elapsed, bool in_switch) const {
    Task<D>& t = s.tasks[index(id)];
    const Workload& w = workload(id);
    if (t.life == Life::unborn) {
      if (!info(id).spec.start) return;
      t.until = t.until - elapsed;
      if (!in_switch) require_in_time(t.until, 0, elapsed, "a task starts at its time");
      return;
    }
    if (w.kind == Workload::Kind::periodic || t.life == Life::asleep) t.until = t.until - elapsed;
    if (t.life == Life::asleep) {
      if (w.kind == Workload::Kind::periodic && !in_switch) {
        require_in_time(t.until, w.jitter, elapsed, "a periodic task is woken in time");
      }
    } else if (has_burst(id) && s.is_running(id) && !in_switch) {
      t.left = t.left - elapsed;
      d_.require(t.left >= d_.number(0), "no burst is longer than the workload says");
    }
  }

  void require_in_time(const Num& until, Ns most_late, const Num& elapsed, const char* what) const {
    d_.require(d_.either(until >= d_.number(-most_late), elapsed == d_.number(0)), what);
  }

  // --- accounting and reschedule -------------------------------------------

  /// update_curr() with the time since curr was last charged, less `loss`.
  bool charge(State<D>& s, CpuId c, const Num& loss) const {
    Cpu<D>& cpu = s.cpus[index(c)];
    const Num delta = cpu.uncharged - loss;
    cpu.uncharged = d_.number(0);
    if (hrtick_by_slice()) cpu.ran = cpu.ran + delta;
    return fair(s, c).update_curr(delta);
  }
  bool charge(State<D>& s, CpuId c) const { return charge(s, c, d_.number(0)); }

  /// resched_curr_lazy() of the fair class.
  void ask_resched(Cpu<D>& cpu) const {
    const bool lazy = spec_.preemption == Preemption::lazy && cpu.running != kNobody;
    ask_resched(cpu, lazy ? Resched::lazy : Resched::now);
  }
  void ask_resched(Cpu<D>& cpu, Resched how) const {
    if (cpu.resched == Resched::none) cpu.stretch = d_.number(spec_.stretch);
    if (cpu.resched != Resched::now) cpu.resched = how;
  }

  /// Does a reschedule that this event asked for, or found, switch right behind it?
  /// A task that computes in user mode is switched on the way back to it, in every
  /// preemption model. Kernel stretches and sections without preemption are
  /// `stretch`; a lazy request is promoted by the next tick, and the interrupt of that
  /// or of HRTICK then ends a kernel stretch.
  bool takes_effect(const Cpu<D>& cpu, MoveKind event) const {
    if (cpu.resched == Resched::none) return false;
    if (cpu.running == kNobody || spec_.stretch == 0) return true;
    return spec_.preemption == Preemption::lazy && cpu.resched == Resched::now &&
           (event == MoveKind::tick || event == MoveKind::hrtick);
  }

  /// __schedule(), `delay` after the event that led to it.
  template <class Observer>
  void schedule(State<D>& s, CpuId c, const Num& delay, Observer& observer) const {
    Cpu<D>& cpu = s.cpus[index(c)];
    cpu.resched = Resched::none;
    cpu.stretch = d_.number(0);
    // From 7.1 on a timer that is not set anew goes on, except on an idle CPU.
    if (spec_.fair.rules.hrtick != Hrtick::deadline) cpu.hrtick_armed = false;
    if (!d_.known(delay == d_.number(0))) {
      // Interrupts are off towards the end: no tick in between.
      pass(s, delay, std::vector<QuietTicks<D>>(s.cpus.size()), true, observer);
    }
    charge(s, c);
    const TaskId prev = cpu.running;
    Eevdf<D> queue = fair(s, c);
    // With a task of a higher class the fair one goes back to the tree, and no pick is made.
    queue.switch_to(cpu.fifo.empty() ? queue.pick_next() : kNobody);
    cpu.running = cpu.fifo.empty() ? cpu.rq.curr : cpu.fifo.front();
    if (cpu.running == prev) return;
    observer.switched(s, c, prev, cpu.running);
    cpu.ran = d_.number(0);
    if (cpu.running == kNobody) {
      cpu.hrtick_armed = false;
    } else if (cpu.rq.curr != kNobody) {
      arm_hrtick(s, c);
    }
  }

  /// hrtick_start_fair(): for what is left of the slice since the pick, or from 7.1 on
  /// for the time to the deadline.
  void arm_hrtick(State<D>& s, CpuId c) const {
    Cpu<D>& cpu = s.cpus[index(c)];
    if (!spec_.fair.features.hrtick || fair(s, c).nr_queued() < 2) return;
    Num left{};
    if (hrtick_by_slice()) {
      left = s.entities[index(cpu.running)].slice - cpu.ran;
      if (d_.decide(left < d_.number(0))) {
        ask_hrtick_resched(cpu);
        return;
      }
    } else {
      left = fair(s, c).time_to_deadline(cpu.running);
    }
    cpu.hrtick_armed = true;
    cpu.hrtick = d_.max(left, d_.number(kLeastHrtick));
  }

  /// hrtick_update(), as the queue changes: from 7.1 on an armed timer goes on.
  void update_hrtick(State<D>& s, CpuId c) const {
    const bool goes_on = s.cpus[index(c)].hrtick_armed && !hrtick_by_slice();
    if (!goes_on) arm_hrtick(s, c);
  }

  void ask_hrtick_resched(Cpu<D>& cpu) const {
    if (spec_.fair.rules.hrtick == Hrtick::slice_lazy) {
      ask_resched(cpu);
    } else {
      ask_resched(cpu, Resched::now);
    }
  }

  // --- events -----------------------------------------------------------------

  template <class Observer>
  void tick(State<D>& s, const Move<D>& m, Observer& observer) const {
    Cpu<D>& cpu = s.cpus[index(m.cpu)];
    require_equal(cpu.to_tick, 0, "a tick is on the grid");
    cpu.to_tick = d_.number(spec_.tick);
    observer.ticked(s, m.cpu);
    if (cpu.rq.curr == kNobody) {
      d_.require(Bool(!D::kSymbolic), "a tick with no fair task running changes nothing");
      return;
    }
    require_loss(cpu, m.loss);
    if (cpu.resched == Resched::lazy) cpu.resched = Resched::now;
    if constexpr (D::kSymbolic) {
      // Ticks that change nothing are passed over within a step.
      const auto found = fair(s, m.cpu).findings_after(cpu.uncharged - m.loss);
      const bool switches = takes_effect(cpu, MoveKind::tick);
      if (!switches) d_.require(d_.either(found.expired, found.resched), "the tick acts");
    }
    if (charge(s, m.cpu, m.loss)) ask_resched(cpu);
    if (cpu.resched != Resched::none && takes_effect(cpu, MoveKind::tick)) {
      require_within(m.delay, spec_.switch_delay, "the switch comes in time");
    }
  }

  void require_loss(const Cpu<D>& cpu, const Num& loss) const {
    require_within(loss, {0, spec_.loss.hi}, "a tick's loss is as configured");
    d_.require(loss <= cpu.uncharged, "a tick loses no more than has passed");
    d_.require(d_.either(loss >= d_.number(spec_.loss.lo), loss == cpu.uncharged),
               "a tick's loss is as configured");
  }

  template <class Observer>
  void wake(State<D>& s, const Move<D>& m, Observer& observer) const {
    Cpu<D>& cpu = s.cpus[index(m.cpu)];
    Task<D>& t = s.tasks[index(m.task)];
    Entity<D>& e = s.entities[index(m.task)];
    const Workload& w = workload(m.task);
    d_.require(Bool(t.life != Life::awake), "only a task that is not awake wakes up");
    const bool born = t.life == Life::unborn;
    if (born) {
      if (info(m.task).spec.start) {
        d_.require(t.until <= d_.number(0), "a task starts at its time");
      }
      t.until = d_.number(w.period);
    } else if (w.kind != Workload::Kind::unconstrained) {
      d_.require(t.until <= d_.number(0), "a task sleeps as long as the workload says");
      if (w.kind == Workload::Kind::periodic) t.until = t.until + d_.number(w.period);
    }
    t.life = Life::awake;
    if (has_burst(m.task)) t.left = d_.number(w.burst);
    if (is_fifo(m.task)) {
      cpu.fifo.push_back(m.task);
      observer.woke(s, m.task);
      if (cpu.running == kNobody || !is_fifo(cpu.running)) ask_resched(cpu, Resched::now);
      return;
    }

    const auto charge_curr = [&] {
      if (charge(s, m.cpu)) ask_resched(cpu);
    };
    const bool forked = born && info(m.task).spec.arrival == Arrival::fork;
    if (e.delayed) {
      // Where requeue_delayed_entity() does not charge curr first, the woken task's lag
      // is taken from the numbers of the last event. HRTICK is not set again.
      if (spec_.fair.rules.requeue_charge == RequeueCharge::yes) charge_curr();
      fair(s, m.cpu).requeue_delayed(m.task);
    } else {
      charge_curr();
      fair(s, m.cpu).enqueue(m.task, forked);
      if (cpu.rq.curr != kNobody) update_hrtick(s, m.cpu);
    }
    observer.woke(s, m.task);
    if (cpu.running == kNobody) {
      ask_resched(cpu);
      return;
    }
    if (is_fifo(cpu.running)) return;
    const Wakeup how{
        .forked = forked, .pending = cpu.resched == Resched::now, .outranked = !cpu.fifo.empty()};
    if (fair(s, m.cpu).wakeup_preempts(m.task, how, charge_curr)) ask_resched(cpu);
  }

  void block(State<D>& s, const Move<D>& m) const {
    Cpu<D>& cpu = s.cpus[index(m.cpu)];
    const TaskId id = cpu.running;
    d_.require(Bool(id != kNobody && id == m.task && may_block(id)),
               "only a running task that sleeps at times can block");
    if (is_fifo(id)) {
      cpu.fifo.erase(cpu.fifo.begin());
    } else {
      charge(s, m.cpu);
      fair(s, m.cpu).dequeue_sleeper(id);
    }
    Task<D>& t = s.tasks[index(id)];
    t.life = Life::asleep;
    const Workload& w = workload(id);
    if (w.kind == Workload::Kind::sporadic) t.until = d_.number(w.sleep);
    // Releases that went by while it was still computing are skipped.
    if (w.kind == Workload::Kind::periodic) t.until = d_.next_on_grid(t.until, w.period);
  }

  void yield(State<D>& s, const Move<D>& m) const {
    const TaskId id = s.cpus[index(m.cpu)].running;
    d_.require(Bool(id != kNobody && id == m.task && workload(id).kind == Workload::Kind::yielder),
               "only a running yielder yields");
    if (is_fifo(id)) {
      std::vector<TaskId>& fifo = s.cpus[index(m.cpu)].fifo;
      std::rotate(fifo.begin(), fifo.begin() + 1, fifo.end());  // yield_task_rt()
    } else {
      charge(s, m.cpu);
      fair(s, m.cpu).yield();
    }
    s.tasks[index(id)].left = d_.number(workload(id).burst);
  }

  void resched(Cpu<D>& cpu) const {
    d_.require(Bool(cpu.resched != Resched::none), "a reschedule is pending");
    cpu.stretch = d_.number(0);
  }

  /// hrtick(): charges, then reschedules whatever update_curr() found.
  void hrtick(State<D>& s, CpuId c) const {
    Cpu<D>& cpu = s.cpus[index(c)];
    d_.require(Bool(cpu.hrtick_armed), "HRTICK is armed");
    require_equal(cpu.hrtick, 0, "HRTICK fires in time");
    cpu.hrtick_armed = false;
    if (cpu.rq.curr == kNobody) return;  // task_tick_rt() has no use for it
    charge(s, c);
    ask_hrtick_resched(cpu);
  }

  /// set_user_nice(), and prio_changed_fair() behind it.
  void renice(State<D>& s, const Move<D>& m) const {
    Cpu<D>& cpu = s.cpus[index(m.cpu)];
    Entity<D>& e = s.entities[index(m.task)];
    Task<D>& t = s.tasks[index(m.task)];
    const auto nice = static_cast<int>(m.value);
    const bool rises = nice > t.nice;
    change(s, m, [&] {
      t.nice = nice;
      const bool by_nice = e.policy != Policy::idle;
      fair(s, m.cpu).reweight(m.task, by_nice ? weight_of_nice(nice) : weight_of_idle_policy());
    });
    if (!e.on_rq || fair(s, m.cpu).nr_queued() == 1) return;
    if (cpu.running == m.task) {
      if (rises) ask_resched(cpu, Resched::now);
    } else if (cpu.rq.curr != kNobody) {
      const Wakeup how{.pending = cpu.resched == Resched::now, .outranked = !cpu.fifo.empty()};
      if (fair(s, m.cpu).wakeup_preempts(m.task, how)) ask_resched(cpu);
    }
  }

  /// sched_setattr() with a sched_runtime (__setparam_fair).
  void set_slice(State<D>& s, const Move<D>& m) const {
    Entity<D>& e = s.entities[index(m.task)];
    change(s, m, [&] {
      e.custom_slice = m.value != kDefaultSlice;
      e.slice = d_.number(e.custom_slice ? m.value : spec_.fair.base_slice);
    });
  }

  /// A queued task is taken off the queue while `apply` changes it; if it runs, it is put
  /// and set again.
  template <class Apply>
  void change(State<D>& s, const Move<D>& m, const Apply& apply) const {
    Cpu<D>& cpu = s.cpus[index(m.cpu)];
    d_.require(Bool(may_change(s, m.task)), "only a task that is not delayed is changed");
    if (!s.entities[index(m.task)].on_rq) {
      apply();
      return;
    }
    const bool runs = cpu.running == m.task;
    const bool of_fair = cpu.rq.curr != kNobody;
    if (charge(s, m.cpu)) ask_resched(cpu);
    fair(s, m.cpu).dequeue_for_change(m.task);
    if (of_fair && hrtick_by_slice()) arm_hrtick(s, m.cpu);
    if (runs) fair(s, m.cpu).put_prev();
    apply();
    fair(s, m.cpu).enqueue(m.task, false);
    if (of_fair) update_hrtick(s, m.cpu);
    if (!runs) return;
    fair(s, m.cpu).set_next(m.task, false);
    cpu.ran = d_.number(0);
  }

  D& d_;
  const SystemSpec& spec_;
};

}  // namespace tickproof
