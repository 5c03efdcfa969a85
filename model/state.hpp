// The state of a system: its tasks, its CPUs, and what each is doing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/eevdf.hpp"

namespace tickproof {

/// Index of a CPU in its system.
using CpuId = int;

/// Where a task is in its life. Whether an awake one runs or waits, and whether
/// a sleeping one is still queued, is the run queue's knowledge.
enum class Life { unborn, asleep, awake };

template <Domain D>
struct Task {
  using Num = typename D::Num;
  Life life = Life::unborn;
  CpuId cpu = 0;
  int nice = 0;
  Num left{};   ///< CPU time until it must sleep or yield, where the workload bounds it; ns
  Num until{};  ///< time to its next release, earliest wake-up or start; ns, may be past
};

/// TIF_NEED_RESCHED and TIF_NEED_RESCHED_LAZY of the running task.
enum class Resched { none, lazy, now };

template <Domain D>
struct Cpu {
  using Num = typename D::Num;
  RunQueue<D> rq;
  TaskId running = kNobody;  ///< rq->curr: rq.curr, or the first of `fifo`
  /// The SCHED_FIFO tasks that are awake, all of one priority: first come, first served.
  std::vector<TaskId> fifo;
  Num to_tick{};    ///< time to the next point of the tick's grid, in (0, T]; ns
  Num uncharged{};  ///< time since curr was last charged (exec_start); ns
  Resched resched = Resched::none;
  Num stretch{};  ///< while a reschedule is pending: how long it may still take; ns
  bool hrtick_armed = false;
  Num hrtick{};  ///< time until HRTICK fires; ns
  Num ran{};     ///< charged to curr since it was picked (HRTICK by slice only); ns
};

template <Domain D>
struct State {
  std::vector<Entity<D>> entities;  ///< one a task, same index
  std::vector<Task<D>> tasks;
  std::vector<Cpu<D>> cpus;

  /// Calls visit(number) for all numbers but the slices, live or not.
  template <class Visit>
  void for_each_number(const Visit& visit) {
    for (Entity<D>& e : entities) {
      visit(e.vruntime);
      visit(e.deadline);
      visit(e.vlag);
      visit(e.vprot);
    }
    for (Task<D>& t : tasks) {
      visit(t.left);
      visit(t.until);
    }
    for (Cpu<D>& cpu : cpus) {
      visit(cpu.rq.v0);
      visit(cpu.to_tick);
      visit(cpu.uncharged);
      visit(cpu.stretch);
      visit(cpu.hrtick);
      visit(cpu.ran);
    }
  }

  bool is_running(TaskId id) const {
    return cpus[static_cast<std::size_t>(tasks[static_cast<std::size_t>(id)].cpu)].running == id;
  }
};

enum class MoveKind {
  tick,       ///< the periodic tick of a CPU
  wake,       ///< a task wakes up, or starts
  block,      ///< the running task goes to sleep
  yield,      ///< the running task calls sched_yield()
  resched,    ///< a pending reschedule takes effect
  hrtick,     ///< the slice timer fires
  renice,     ///< a task is given another nice value
  set_slice,  ///< a task is given a slice of its own, or the base slice again
};
const char* name_of(MoveKind kind);
/// Is it a move of one task?
bool is_of_a_task(MoveKind kind);
/// What a task is given, in words: "5", "1ms", "the base slice".
std::string describe_value(MoveKind kind, std::int64_t value);

/// Ticks of one CPU at which nothing happens but that time is charged.
template <Domain D>
struct QuietTicks {
  using Num = typename D::Num;
  Num count{};  ///< how many
  Num time{};   ///< from the start of the step to the last of them; 0 if none; ns
  Num loss{};   ///< time that they do not charge, in all; ns
};

/// What the environment does next: everything that the scheduler does not
/// decide. Given a state and a move, the next state is determined.
template <Domain D>
struct Move {
  using Num = typename D::Num;
  MoveKind kind = MoveKind::tick;
  CpuId cpu = 0;          ///< where it happens
  TaskId task = kNobody;  ///< whose move it is, if it is a task's
  Num elapsed{};          ///< time since the last move; ns
  Num loss{};             ///< kind tick: time that it does not charge; ns
  Num delay{};            ///< kind tick: from its clock sample to the switch, if it causes one; ns
  std::vector<QuietTicks<D>> quiet;  ///< one a CPU
  std::int64_t value = 0;            ///< kind renice: the nice value; kind set_slice: the slice, ns
};

}  // namespace tickproof
