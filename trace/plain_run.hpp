// The fair class of one CPU, driven by occasions: does it do what was seen?
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/eevdf.hpp"
#include "model/kernel_domain.hpp"
#include "trace/occasion.hpp"

namespace tickproof {

/// Where a run does not do what was seen.
struct Mismatch {
  std::string what;
  std::string kernel;
  std::string model;
};

/// The part of a run that one occasion hands to the next.
struct PlainState {
  using Num = Checked;
  RunQueue<KernelDomain> rq;
  std::vector<Entity<KernelDomain>> entities;
  Num charged_at{};  ///< exec_start: the clock sample of the last charge
  Num clock{};       ///< rq->clock_task: the last sample
  /// rq_clock_skip_update(): a wake-up that found or set TIF_NEED_RESCHED; schedule() then
  /// goes by the clock as it is.
  bool keeps_clock = false;
  bool need = false;  ///< TIF_NEED_RESCHED
};

class PlainRun {
 public:
  using Num = Checked;

  PlainRun(KernelDomain& d, const FairSettings& settings, PlainState& state)
      : d_(d), settings_(settings), s_(state), queue_(d, settings, state.rq, state.entities) {}

  /// `given` are the occasion's unknowns.
  std::optional<Mismatch> apply(const Occasion& o, const std::vector<Num>& given) {
    switch (o.kind) {
      case Occasion::Kind::start: start(o, given); return std::nullopt;
      case Occasion::Kind::tick: return tick(o, given);
      case Occasion::Kind::wake: return wake(o, given);
      case Occasion::Kind::higher:
        s_.clock = given[0];
        s_.keeps_clock = s_.rq.curr != kNobody;
        return std::nullopt;
      case Occasion::Kind::leave: return leave(o, given[0]);
    }
    return std::nullopt;
  }

 private:
  Entity<KernelDomain>& entity(TaskId id) { return s_.entities[static_cast<std::size_t>(id)]; }

  void start(const Occasion& o, const std::vector<Num>& given) {
    s_.rq = RunQueue<KernelDomain>();
    s_.need = false;
    for (Entity<KernelDomain>& e : s_.entities) e.on_rq = e.delayed = e.rel_deadline = false;
    for (std::size_t i = 0; i < o.queued.size(); ++i) {
      Entity<KernelDomain>& e = entity(o.queued[i]);
      e.vruntime = given[1 + 2 * i];
      e.deadline = e.vruntime + given[2 + 2 * i];
      e.on_rq = true;
      s_.rq.tree.push_back(o.queued[i]);
    }
    s_.charged_at = given[0];
    if (o.next != kNobody) queue_.set_next(o.next);
  }

  std::optional<Mismatch> tick(const Occasion& o, const std::vector<Num>& given) {
    if (s_.rq.curr == kNobody) return std::nullopt;
    s_.clock = given[0];
    if (charge(given[0])) s_.need = true;
    return pick_again(o, given[1]);
  }

  std::optional<Mismatch> wake(const Occasion& o, const std::vector<Num>& given) {
    Entity<KernelDomain>& e = entity(o.task);
    if (e.on_rq && !e.delayed) return Mismatch{"wake-up of a task", "asleep", "awake"};
    if (o.is_new) e.vlag = given[2];
    const bool runs = s_.rq.curr != kNobody;
    s_.clock = given[0];
    const auto charge_curr = [&] {
      if (runs && charge(given[0])) s_.need = true;
    };
    if (e.delayed) {
      if (settings_.rules.requeue_charge == RequeueCharge::yes) charge_curr();
      queue_.requeue_delayed(o.task);
    } else {
      charge_curr();
      queue_.enqueue(o.task, o.forked);
    }
    if (!runs) return std::nullopt;
    const Wakeup how{.forked = o.forked, .pending = s_.need};
    if (queue_.wakeup_preempts(o.task, how, charge_curr)) s_.need = true;
    s_.keeps_clock = s_.need;
    return pick_again(o, given[1]);
  }

  /// A reschedule that no switch follows was one: it picked the same task.
  std::optional<Mismatch> pick_again(const Occasion& o, const Num& at) {
    if (!s_.need || o.switch_follows) return std::nullopt;
    charge(clock_of_schedule(at));
    s_.need = false;
    const TaskId picked = queue_.pick_next();
    if (picked == s_.rq.curr) return std::nullopt;
    return Mismatch{"reschedule", "the running task goes on", describe(picked) + " is picked"};
  }

  /// The clock that schedule() goes by, were it read then.
  Num clock_of_schedule(const Num& read) {
    return std::exchange(s_.keeps_clock, false) ? s_.clock : read;
  }

  std::optional<Mismatch> leave(const Occasion& o, const Num& read) {
    const Num at = clock_of_schedule(read);
    if (o.task != s_.rq.curr) {
      return Mismatch{"the running task", describe(o.task), describe(s_.rq.curr)};
    }
    if (o.task != kNobody) {
      if (!o.blocks && !s_.need && !o.to_higher && !settings_.features.hrtick) {
        return Mismatch{"preemption of " + describe(o.task), "it is switched out",
                        "nothing asks for a reschedule"};
      }
      charge(at);
      if (o.blocks) queue_.dequeue_sleeper(o.task, o.special);
    }
    s_.need = false;
    const TaskId picked = o.to_higher ? kNobody : queue_.pick_next();
    s_.charged_at = at;
    if (picked != o.next) return Mismatch{"pick", describe(o.next), describe(picked)};
    queue_.switch_to(picked);
    return std::nullopt;
  }

  bool charge(const Num& at) {
    const Num delta = at - s_.charged_at;
    d_.require(delta >= d_.number(0), "the clock goes forward");
    s_.charged_at = at;
    return queue_.update_curr(delta);
  }

  /// "task 3": whoever prints it replaces the number by the name.
  static std::string describe(TaskId id) {
    return id == kNobody ? "no fair task" : "task " + std::to_string(id);
  }

  KernelDomain& d_;
  const FairSettings& settings_;
  PlainState& s_;
  Eevdf<KernelDomain> queue_;
};

}  // namespace tickproof
