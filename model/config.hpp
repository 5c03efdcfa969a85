// What a system is made of: a resolved configuration, every value known.
// model/parameters.hpp fills it from assignments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/rules.hpp"
#include "model/units.hpp"

namespace tickproof {

/// Custom slices are clamped to this range (kernel/sched/syscalls.c,
/// __setparam_fair).
inline constexpr Ns kLeastCustomSlice = 100 * kUsec;
inline constexpr Ns kMostCustomSlice = 100 * kMsec;

/// sched_setattr() with a sched_runtime of 0: back to the base slice.
inline constexpr Ns kDefaultSlice = 0;

/// When a reschedule that was asked for takes effect (kernel/Kconfig.preempt).
enum class Preemption { none, voluntary, full, lazy };

/// What the tick does on an idle CPU. The grid is the same in both: a tick that
/// was stopped comes back at the next point of the old grid.
enum class TickMode { periodic, nohz_idle };

/// tunable_scaling: how the base slice grows with the number of CPUs.
enum class Scaling { none, log, linear };

/// Scheduling policies: those of the fair class, and SCHED_FIFO, which goes before them.
enum class Policy { normal, batch, idle, fifo };

/// What a task does when it is left to run, and when it sleeps.
struct Workload {
  enum class Kind {
    hog,            ///< computes for ever
    periodic,       ///< is woken every `period`, up to `jitter` late, computes up to `burst`
    sporadic,       ///< sleeps at least `sleep`, computes up to `burst`
    yielder,        ///< computes up to `burst`, then calls sched_yield(), for ever
    unconstrained,  ///< sleeps and wakes whenever it likes
  };
  Kind kind = Kind::hog;
  Ns period = 0;
  Ns jitter = 0;
  Ns sleep = 0;
  Ns burst = 0;
  friend bool operator==(const Workload&, const Workload&) = default;
};

/// How a task first comes to the run queue.
enum class Arrival {
  wake,  ///< as a sleeper with no lag
  fork,  ///< as a new child
};

/// `count` identical tasks.
struct TaskSpec {
  std::string name;
  int count = 1;
  int nice = 0;
  Policy policy = Policy::normal;
  std::optional<Ns> slice;  ///< custom slice; none: the base slice
  std::vector<int> renice;  ///< nice values that it may be given at any time
  std::vector<Ns>
      slices;  ///< slices that it may be given at any time; kDefaultSlice: the base slice
  Workload workload;
  Arrival arrival = Arrival::wake;
  std::optional<Ns> start;  ///< none: at any time
  friend bool operator==(const TaskSpec&, const TaskSpec&) = default;
};

/// One kernel on one machine with its tasks.
struct Config {
  std::string kernel;  ///< profile name
  Rules rules;
  Features features;
  int hz = 250;
  int cpus = 1;  ///< of the machine, for the base slice; the tasks share one of them
  Scaling scaling = Scaling::log;
  Ns base_slice = 0;
  Preemption preemption = Preemption::full;
  TickMode tick_mode = TickMode::nohz_idle;
  bool irq_time = false;
  Interval loss;          ///< time of each tick period that is not charged
  Interval switch_delay;  ///< from a tick's clock sample to the switch it causes
  Ns stretch = 0;         ///< longest stretch in which the running task can't be switched out
  std::vector<TaskSpec> tasks;
};

/// TICK_NSEC: (10^9 + HZ/2) / HZ ns.
Ns tick_period(int hz);

/// The base slice at `cpus` CPUs: the unit of the kernel version times 1,
/// 1 + floor(log2(min(cpus, 8))) or min(cpus, 8)
/// (kernel/sched/fair.c, get_update_sysctl_factor).
Ns scaled_base_slice(SliceUnit unit, Scaling scaling, int cpus);

}  // namespace tickproof
