// A run of a system in absolute time, and the machine that replays it.
#pragma once

#include <vector>

#include "model/system.hpp"

namespace tickproof {

/// One move at its time. Every tick of a busy CPU is a move of its own.
struct ScheduledMove {
  Ns time = 0;  ///< since the start, ns
  MoveKind kind = MoveKind::tick;
  CpuId cpu = 0;
  TaskId task = kNobody;
  Ns loss = 0;             ///< kind tick: time not charged, ns
  Ns delay = 0;            ///< kind tick: until the switch, if it causes one; ns
  std::int64_t value = 0;  ///< kind renice: the nice value; kind set_slice: the slice, ns
  friend bool operator==(const ScheduledMove&, const ScheduledMove&) = default;
};

/// Everything that the environment does in a run, in order.
struct Schedule {
  std::vector<Ns> first_tick;  ///< one a CPU, in (0, T]: its first tick, ns
  std::vector<ScheduledMove> moves;
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// Runs moves at absolute times in a concrete domain.
template <Domain D>
class Simulation {
 public:
  Simulation(D& d, const SystemSpec& spec, const std::vector<Ns>& first_tick)
      : d_(d), system_(d, spec) {
    std::vector<typename D::Num> phases;
    phases.reserve(first_tick.size());
    for (const Ns phase : first_tick) phases.push_back(d.number(phase));
    state_ = system_.initial(phases);
    move_.quiet.resize(first_tick.size());
    next_tick_ = first_tick;
    tick_ = spec.tick;
  }

  const System<D>& system() const { return system_; }
  const State<D>& state() const { return state_; }
  /// The time up to which the state is known: behind a tick's switch delay.
  Ns now() const { return now_; }
  Ns next_tick(CpuId cpu) const { return next_tick_[static_cast<std::size_t>(cpu)]; }

  /// True if the CPU then went through schedule(). Throws IllegalStep if the move can't
  /// be made at that time.
  template <class Observer>
  bool apply(const ScheduledMove& scheduled, Observer& observer) {
    move_.kind = scheduled.kind;
    move_.cpu = scheduled.cpu;
    move_.task = scheduled.task;
    move_.elapsed = d_.number(scheduled.time - now_);
    move_.loss = d_.number(scheduled.loss);
    move_.delay = d_.number(scheduled.delay);
    move_.value = scheduled.value;
    now_ = scheduled.time;
    const bool switches = system_.step(state_, move_, observer);
    if (scheduled.kind == MoveKind::tick) {
      if (switches) now_ += scheduled.delay;
      next_tick_[static_cast<std::size_t>(scheduled.cpu)] += tick_;
    }
    return switches;
  }

 private:
  D& d_;
  System<D> system_;
  State<D> state_;
  Move<D> move_;
  Ns now_ = 0;
  Ns tick_ = 0;
  std::vector<Ns> next_tick_;
};

}  // namespace tickproof
