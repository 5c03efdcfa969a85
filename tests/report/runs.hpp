// Systems and schedules made by hand: the scenarios of EEVDF mails, nice 0 tasks on
// one CPU with a base slice of 2.8 ms, switched 2 us after the tick.
#pragma once

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "model/kernel_domain.hpp"
#include "model/schedule.hpp"
#include "report/recording.hpp"
#include "tests/support/systems.hpp"

namespace tickproof {

inline constexpr Ns kSwitchDelay = 2 * kUsec;

inline SystemSpec make_spec(const char* kernel, int hz, std::vector<TaskSpec> tasks) {
  Config config = config_of(kernel, hz, 2'800 * kUsec, std::move(tasks));
  config.switch_delay = {kSwitchDelay, kSwitchDelay};
  return make_system(config);
}

/// For GoogleTest.
inline void PrintTo(const WaitPiece& piece, std::ostream* out) {
  *out << piece.from << ".." << piece.to << " " << name_of(piece.reason);
}

/// Writes a schedule by running it: a move is made as it is added, and ticks come
/// when they are due.
class Author {
 public:
  explicit Author(const SystemSpec& spec) : Author(spec, spec.tick) {}
  Author(const SystemSpec& spec, Ns first_tick)
      : delay_(spec.switch_delay.lo),
        d_(spec.fair.rules.delta_fair),
        simulation_(d_, spec, {first_tick}) {
    schedule_.first_tick = {first_tick};
  }

  Author& wake(Ns time, TaskId task) { return add(time, MoveKind::wake, task); }
  Author& block(Ns time, TaskId task) { return add(time, MoveKind::block, task); }
  Author& yield(Ns time, TaskId task) { return add(time, MoveKind::yield, task); }
  Author& give(Ns time, MoveKind kind, TaskId task, std::int64_t value) {
    return add(time, kind, task, value);
  }
  Author& resched(Ns time) { return add(time, MoveKind::resched, kNobody); }
  Author& hrtick(Ns time) { return add(time, MoveKind::hrtick, kNobody); }
  /// All ticks up to `time`, one at `time` included.
  Author& ticks(Ns time) {
    while (simulation_.next_tick(0) <= time)
      make(simulation_.next_tick(0), MoveKind::tick, kNobody);
    return *this;
  }

  const Schedule& schedule() const { return schedule_; }

 private:
  Author& add(Ns time, MoveKind kind, TaskId task, std::int64_t value = 0) {
    ticks(time - 1);
    make(time, kind, task, value);
    return *this;
  }
  void make(Ns time, MoveKind kind, TaskId task, std::int64_t value = 0) {
    const Ns delay = kind == MoveKind::tick ? delay_ : 0;
    schedule_.moves.push_back({time, kind, 0, task, 0, delay, value});
    simulation_.apply(schedule_.moves.back(), nobody_);
  }

  Ns delay_;
  KernelDomain d_;
  Simulation<KernelDomain> simulation_;
  NoObserver<KernelDomain> nobody_;
  Schedule schedule_;
};

/// Tasks that all arrive at 0 and never sleep, in that order, until `end`.
inline Schedule run_hogs(const SystemSpec& spec, Ns end) {
  Author author(spec);
  for (TaskId id = 0; id < static_cast<TaskId>(spec.tasks.size()); ++id) author.wake(0, id);
  return author.ticks(end).schedule();
}

}  // namespace tickproof
