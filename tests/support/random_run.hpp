// Random systems, and random runs of them that keep to what the environment may do.
//
// The time of a move is drawn from the window in which the system allows it, often
// from its edges: ties between events and numbers that meet exactly are where rules
// differ.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/schedule.hpp"
#include "tests/support/runner.hpp"
#include "tests/support/systems.hpp"

namespace tickproof {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  /// One of lo .. hi.
  Ns between(Ns lo, Ns hi) { return std::uniform_int_distribution<Ns>(lo, hi)(engine_); }
  bool one_in(int n) { return between(1, n) == 1; }
  template <class T>
  T one_of(std::initializer_list<T> items) {
    return items.begin()[between(0, static_cast<Ns>(items.size()) - 1)];
  }

 private:
  std::mt19937_64 engine_;
};

/// What random_system() draws from.
struct Variety {
  int most_tasks = 5;
  bool weights = true;   ///< nice levels other than 0, and SCHED_IDLE
  bool extremes = true;  ///< of weight and slice, too
};

inline TaskSpec random_task(Dice& dice, const Config& config, const std::string& name,
                            const Variety& variety) {
  TaskSpec task;
  switch (dice.between(0, 5)) {
    case 0:
    case 1: task = hog(name); break;
    case 2: task = sporadic(name, dice.one_of({Ns{0}, kMsec, 7 * kMsec}), kMsec); break;
    case 3:
      task = periodic(name, dice.one_of({5 * kMsec, 10 * kMsec}), dice.one_of({Ns{0}, 300 * kUsec}),
                      dice.one_of({200 * kUsec, 12 * kMsec}));
      break;
    case 4: task = yielder(name, dice.one_of({500 * kUsec, 4 * kMsec})); break;
    default: task = unconstrained(name);
  }
  if (dice.one_in(2) && variety.weights) {
    task.nice = variety.extremes ? dice.one_of({-20, -10, -1, 1, 5, 10, 19}) : dice.one_of({-5, 5});
  }
  if (dice.one_in(5)) {
    task.policy = variety.weights && dice.one_in(2) ? Policy::idle : Policy::batch;
  }
  const Workload::Kind kind = task.workload.kind;
  const bool sleeps = kind == Workload::Kind::periodic || kind == Workload::Kind::sporadic;
  if (sleeps && dice.one_in(4)) task.policy = Policy::fifo;
  if (config.rules.custom_slice == CustomSlice::yes && dice.one_in(3)) {
    task.slice = variety.extremes ? dice.one_of({kLeastCustomSlice, kMsec, kMostCustomSlice})
                                  : dice.one_of({kMsec, 6 * kMsec});
  }
  if (task.policy != Policy::fifo) {
    if (variety.weights && dice.one_in(5)) task.renice = {dice.one_of({-5, -1, 5}), 0};
    if (config.rules.custom_slice == CustomSlice::yes && dice.one_in(5)) {
      task.slices = {dice.one_of({500 * kUsec, 2 * kMsec, 6 * kMsec}), kDefaultSlice};
    }
  }
  if (dice.one_in(3)) task.arrival = Arrival::fork;
  if (dice.one_in(3)) task.start = dice.one_of({Ns{0}, kMsec});
  return task;
}

/// A system of any kind; small enough to extract if `variety` says so.
inline SystemSpec random_system(Dice& dice, const Variety& variety) {
  const auto newest = static_cast<int>(all_profiles().size()) - 1;
  const Profile& profile = all_profiles()[static_cast<std::size_t>(dice.between(0, newest))];
  Config config = config_of(std::string(profile.name).c_str(), dice.one_of({100, 250, 300, 1000}),
                            dice.one_of({700 * kUsec, 2'800 * kUsec, 3 * kMsec}), {});
  Features& f = config.features;
  f.hrtick = dice.one_in(4);
  for (bool Features::*feature :
       {&Features::place_lag, &Features::place_deadline_initial, &Features::run_to_parity,
        &Features::preempt_short, &Features::next_buddy, &Features::pick_buddy,
        &Features::delay_dequeue, &Features::delay_zero, &Features::wakeup_preemption}) {
    if (dice.one_in(10)) f.*feature = !(f.*feature);
  }
  if (dice.one_in(4)) config.rules.delta_fair = DeltaFair::exact;
  config.preemption =
      dice.one_of({Preemption::none, Preemption::voluntary, Preemption::full, Preemption::lazy});
  if (dice.one_in(2)) config.stretch = dice.one_of({50 * kUsec, 5 * kMsec});
  if (dice.one_in(2)) config.loss = dice.one_of({Interval{0, 30'000}, Interval{5'000, 20'000}});
  if (dice.one_in(2)) {
    config.switch_delay = dice.one_of({Interval{2'000, 2'000}, Interval{1'000, 5'000}});
  }
  // Copies of one task are the interchangeable ones.
  const int kinds = static_cast<int>(dice.between(1, variety.most_tasks));
  for (int i = 0, tasks = 0; i < kinds && tasks < variety.most_tasks; ++i) {
    config.tasks.push_back(random_task(dice, config, std::string(1, char('a' + i)), variety));
    TaskSpec& task = config.tasks.back();
    if (dice.one_in(4) && tasks + 2 <= variety.most_tasks) task.count = 2;
    tasks += task.count;
  }
  return make_system(config);
}

inline PropertyKind random_kind(Dice& dice) {
  return dice.one_of({PropertyKind::wakeup_latency, PropertyKind::scheduling_delay,
                      PropertyKind::run_length, PropertyKind::run_ticks});
}

/// A time span in which a move is possible, from now; ns.
struct Window {
  ScheduledMove move;
  Ns lo = 0;
  Ns hi = 0;
};

/// How long each timer lets things go on, in one state of a system.
template <Domain D>
class Timers {
 public:
  Timers(const SystemSpec& spec, const State<D>& s) : spec_(spec), s_(s) {}

  /// How long time may pass without any move; ns.
  Ns until_something_must_happen() const {
    Ns most = kLongestTime;
    for (std::size_t i = 0; i < s_.tasks.size(); ++i) {
      const Task<D>& t = s_.tasks[i];
      const TaskSpec& task = spec_.tasks[i].spec;
      const Workload& w = task.workload;
      if (t.life == Life::unborn && task.start) most = std::min(most, whole_ns(t.until));
      if (t.life == Life::asleep && w.kind == Workload::Kind::periodic) {
        most = std::min(most, whole_ns(t.until) + w.jitter);
      }
      if (is_bounded(w) && t.life == Life::awake && s_.is_running(static_cast<TaskId>(i))) {
        most = std::min(most, whole_ns(t.left));
      }
    }
    for (const Cpu<D>& cpu : s_.cpus) {
      most = std::min(most, whole_ns(cpu.to_tick));
      if (cpu.resched != Resched::none) most = std::min(most, whole_ns(cpu.stretch));
      if (cpu.hrtick_armed) most = std::min(most, whole_ns(cpu.hrtick));
    }
    // What fell due in a switch is late.
    return std::max(most, Ns{0});
  }

  /// The earliest and latest time of a move of that kind; ns.
  Window window(MoveKind kind, CpuId c, TaskId task, std::int64_t value) const {
    const Cpu<D>& cpu = s_.cpus[static_cast<std::size_t>(c)];
    Window w{{0, kind, c, task, 0, 0, value}, 0, until_something_must_happen()};
    const auto exactly = [&](Ns time) {
      w.lo = std::max(w.lo, time);
      w.hi = std::min(w.hi, time);
    };
    if (kind == MoveKind::tick) exactly(whole_ns(cpu.to_tick));
    if (kind == MoveKind::hrtick) exactly(whole_ns(cpu.hrtick));
    if (kind == MoveKind::wake) {
      const Task<D>& t = s_.tasks[static_cast<std::size_t>(task)];
      const TaskSpec& spec = spec_.tasks[static_cast<std::size_t>(task)].spec;
      if (t.life == Life::unborn) {
        if (spec.start) exactly(std::max(whole_ns(t.until), Ns{0}));
      } else if (spec.workload.kind != Workload::Kind::unconstrained) {
        w.lo = std::max(w.lo, whole_ns(t.until));
      }
    }
    return w;
  }

 private:
  static bool is_bounded(const Workload& w) {
    return w.kind != Workload::Kind::hog && w.kind != Workload::Kind::unconstrained;
  }

  const SystemSpec& spec_;
  const State<D>& s_;
};

/// A move that is possible in this state, at its time from `now` on.
template <Domain D>
ScheduledMove random_move(Dice& dice, const SystemSpec& spec, const System<D>& system,
                          const State<D>& s, Ns now) {
  const Timers<D> timers(spec, s);
  std::vector<Window> windows;
  system.for_each_move(s, [&](MoveKind kind, CpuId c, TaskId task, std::int64_t value) {
    const Window window = timers.window(kind, c, task, value);
    if (window.lo > window.hi) return;
    // Time is mostly made of ticks.
    const int weight = kind == MoveKind::tick ? 6 : kind == MoveKind::wake ? 2 : 1;
    windows.insert(windows.end(), static_cast<std::size_t>(weight), window);
  });
  // There is always something that can happen next.
  if (windows.empty()) throw std::logic_error("a system that can't go on");
  const Window& window =
      windows[static_cast<std::size_t>(dice.between(0, static_cast<Ns>(windows.size()) - 1))];
  Ns elapsed = dice.between(window.lo, window.hi);
  switch (dice.between(0, 5)) {
    case 0: elapsed = window.lo; break;
    case 1: elapsed = window.hi; break;
    case 2: {
      // A round time.
      const Ns time = now + elapsed;
      elapsed = std::max(window.lo, time - time % (100 * kUsec) - now);
      break;
    }
    default: break;
  }
  ScheduledMove move = window.move;
  move.time = now + elapsed;
  if (move.kind == MoveKind::tick) {
    const Cpu<D>& cpu = s.cpus[static_cast<std::size_t>(move.cpu)];
    if (cpu.rq.curr != kNobody) {
      move.loss =
          std::min(dice.between(spec.loss.lo, spec.loss.hi), whole_ns(cpu.uncharged) + elapsed);
    }
    move.delay = dice.between(spec.switch_delay.lo, spec.switch_delay.hi);
  }
  return move;
}

}  // namespace tickproof
