// Observes one property along a run, in any domain: the definition of the
// property, and the variable that the solver maximises.
#pragma once

#include <vector>

#include "properties/property.hpp"

namespace tickproof {

/// What a property remembers between steps.
template <Domain D>
struct WatchState {
  bool active = false;      ///< a wait, or a run, is going on
  typename D::Num value{};  ///< its length so far; ns or ticks
};

/// The observer of one property on one task. After each step `reading` is the
/// length of the wait or run that the step ended (`closed`), or of the one that
/// goes on (`state.active`).
template <Domain D>
class Watch {
 public:
  using Num = typename D::Num;

  Watch(D& d, PropertyKind kind, TaskId task) : d_(d), kind_(kind), task_(task) {}

  WatchState<D> state;
  Num reading{};
  bool closed = false;

  /// To be called before each step.
  void begin_step() { closed = false; }
  /// To be called after each step.
  void end_step() {
    if (!closed) reading = state.value;
  }
  bool has_reading() const { return closed || state.active; }

  void passed(const State<D>& s, const Num& elapsed, const std::vector<QuietTicks<D>>& quiet) {
    if (!state.active) return;
    state.value = state.value + (kind_ == PropertyKind::run_ticks
                                     ? quiet[static_cast<std::size_t>(cpu(s))].count
                                     : elapsed);
  }

  void ticked(const State<D>& s, CpuId c) {
    if (kind_ == PropertyKind::run_ticks && state.active && c == cpu(s)) {
      state.value = state.value + d_.number(1);
    }
  }

  void woke(const State<D>& s, TaskId woken) {
    switch (kind_) {
      case PropertyKind::wakeup_latency:
      case PropertyKind::scheduling_delay:
        if (woken == task_) start();
        break;
      case PropertyKind::run_length:
      case PropertyKind::run_ticks:
        if (woken != task_ && s.is_running(task_) && !state.active &&
            s.tasks[index(woken)].cpu == cpu(s))
          start();
        break;
    }
  }

  void switched(const State<D>& s, CpuId /*cpu*/, TaskId prev, TaskId next) {
    const bool preempted = prev == task_ && s.tasks[index(task_)].life == Life::awake;
    switch (kind_) {
      case PropertyKind::wakeup_latency:
        if (next == task_ && state.active) stop(true);
        break;
      case PropertyKind::scheduling_delay:
        if (next == task_ && state.active) stop(true);
        if (preempted) start();
        break;
      case PropertyKind::run_length:
      case PropertyKind::run_ticks:
        if (prev == task_ && state.active) stop(preempted);
        if (next == task_ && others_wait(s)) start();
        break;
    }
  }

 private:
  static std::size_t index(TaskId id) { return static_cast<std::size_t>(id); }
  CpuId cpu(const State<D>& s) const { return s.tasks[index(task_)].cpu; }

  void start() {
    state.active = true;
    state.value = d_.number(0);
  }
  void stop(bool counts) {
    if (counts) {
      reading = state.value;
      closed = true;
    }
    state.active = false;
    state.value = d_.number(0);
  }

  /// While the task runs.
  bool others_wait(const State<D>& s) const {
    for (std::size_t i = 0; i < s.tasks.size(); ++i) {
      const Task<D>& other = s.tasks[i];
      if (i != index(task_) && other.life == Life::awake && other.cpu == cpu(s)) return true;
    }
    return false;
  }

  D& d_;
  PropertyKind kind_;
  TaskId task_;
};

}  // namespace tickproof
