// The fair class's run queue: EEVDF, one rule a function, over any Domain.
//
// Names are the kernel's (kernel/sched/fair.c); the version of a rule is chosen
// by model/rules.hpp. A caller charges the running task (update_curr) before
// every decision, as the kernel does.
#pragma once

#include <algorithm>
#include <cassert>
#include <optional>
#include <vector>

#include "model/config.hpp"
#include "model/domain.hpp"

namespace tickproof {

/// Index of a task in its system.
using TaskId = int;
inline constexpr TaskId kNobody = -1;

/// What the queue knows of a task: struct sched_entity.
template <Domain D>
struct Entity {
  using Num = typename D::Num;
  Num vruntime{};  ///< virtual time, ns at nice 0; meaningful while on_rq
  Num deadline{};  ///< virtual time; relative to vruntime while rel_deadline
  Num vlag{};      ///< V - vruntime as saved when it left the queue, virtual ns
  Num slice{};     ///< request size, real ns
  Weight weight;
  Policy policy = Policy::normal;
  bool custom_slice = false;
  bool on_rq = false;    ///< queued; true also while it runs and while it is delayed
  bool delayed = false;  ///< asleep, but still queued until its lag is spent
  bool rel_deadline = false;
};

/// struct cfs_rq. `tree` is in order of insertion: among equal deadlines that is
/// the kernel's order, so a pick needs no other tie-break.
template <Domain D>
struct RunQueue {
  TaskId curr = kNobody;     ///< never in the tree; leaves it between block and switch
  std::vector<TaskId> tree;  ///< the queued tasks but curr
  bool curr_protected = false;
  typename D::Num v0{};  ///< the virtual time at which an empty queue goes on
};

/// What the rules need to know besides the state.
struct FairSettings {
  Rules rules;
  Features features;
  Ns base_slice = 0;
  Ns tick = 0;
};

/// The operations of the fair class on one run queue.
template <Domain D>
class Eevdf {
 public:
  using Num = typename D::Num;
  using Bool = typename D::Bool;

  Eevdf(D& d, const FairSettings& settings, RunQueue<D>& rq, std::vector<Entity<D>>& entities)
      : d_(d), settings_(settings), rq_(rq), entities_(entities) {}

  /// Queued entities, curr and delayed ones included.
  std::size_t nr_queued() const { return rq_.tree.size() + (curr_queued() ? 1 : 0); }

  /// avg_vruntime(): the weighted mean of the queued vruntimes, rounded down;
  /// where an empty queue stands, v0.
  Num avg_vruntime() const {
    if (nr_queued() == 0) return rq_.v0;
    const Num& base = entity(curr_queued() ? rq_.curr : rq_.tree.front()).vruntime;
    const Weighted sum = weighted_sum(base);
    if constexpr (D::kSymbolic) {
      for_each_queued(
          [&](const Entity<D>& e) { d_.rounds_past(sum.value, sum.load, e.vruntime - base); });
    }
    return base + d_.divide_floor(sum.value, sum.load);
  }

  /// entity_eligible(): the queue's service is not behind `vruntime`, were that
  /// the vruntime of `id`; decided without division.
  Bool eligible_at(TaskId id, const Num& vruntime) const {
    Num sum = d_.number(0);
    for_each_queued([&](const Entity<D>& e) {
      if (&e != &entity(id)) sum = sum + d_.times(e.vruntime - vruntime, e.weight.value);
    });
    return sum >= d_.number(0);
  }
  Bool eligible(TaskId id) const { return eligible_at(id, entity(id).vruntime); }

  /// What update_curr(delta) would find: curr's vruntime, the request served, and
  /// (with others queued) a reason to reschedule.
  struct Findings {
    Num vruntime;
    Bool expired;
    Bool resched;
  };
  Findings findings_after(const Num& delta) const {
    return findings(delta, d_.to_virtual(delta, entity(rq_.curr).weight));
  }
  /// The same behind the last of `count` charges, `delta` in all; see Domain for `each`.
  Findings findings_after(const Num& delta, const Num& count, Ns each) const {
    return findings(delta, d_.to_virtual_in_parts(delta, entity(rq_.curr).weight, count, each));
  }

  /// update_curr(): charges `delta` ns of accounted time to curr and renews its
  /// request if that is served. True: reschedule.
  bool update_curr(const Num& delta) {
    if (!curr_queued()) return false;
    const Findings found = findings_after(delta);
    Entity<D>& curr = entity(rq_.curr);
    curr.vruntime = found.vruntime;
    if (d_.decide(found.expired)) {
      renew_request(curr);
      return nr_queued() > 1;
    }
    return d_.decide(found.resched);
  }

  /// enqueue_entity() of a task that is not queued; `forked`: its first time.
  void enqueue(TaskId id, bool forked) {
    place(entity(id), forked);
    insert(id);
  }

  /// dequeue_entity() of a task that goes to sleep. With DELAY_DEQUEUE one that
  /// is not eligible stays queued, delayed, until it would be picked or wakes; not so
  /// one that is `special`: stopped, traced, dead.
  void dequeue_sleeper(TaskId id, bool special = false) {
    if (settings_.features.delay_dequeue && !special && !d_.decide(eligible(id))) {
      entity(id).delayed = true;
      return;
    }
    really_dequeue(id);
  }

  /// dequeue_entity() of a task that stays awake, to be queued again once something
  /// about it has changed. PLACE_REL_DEADLINE keeps what is left of its request.
  void dequeue_for_change(TaskId id) {
    really_dequeue(id);
    if (!settings_.features.place_rel_deadline) return;
    Entity<D>& e = entity(id);
    e.deadline = e.deadline - e.vruntime;
    e.rel_deadline = true;
  }

  /// dequeue_entity(DEQUEUE_DELAYED): a delayed task that was picked goes to sleep at last.
  void dequeue_delayed(TaskId id) { really_dequeue(id); }

  /// reweight_entity() of a task that is not queued: its lag keeps its worth.
  void reweight(TaskId id, const Weight& weight) {
    Entity<D>& e = entity(id);
    e.vlag = d_.scale(e.vlag, e.weight.value, weight.value);
    e.weight = weight;
  }

  /// requeue_delayed_entity(): the wake-up of a delayed task.
  void requeue_delayed(TaskId id) {
    Entity<D>& e = entity(id);
    if (settings_.features.delay_zero) {
      update_entity_lag(e);
      if (d_.decide(e.vlag > d_.number(0))) {
        remove(id);
        e.vlag = d_.number(0);
        place(e, false);
        insert(id);
      }
    }
    e.delayed = false;
  }

  struct ChargedAlready {
    void operator()() const {}
  };

  /// check_preempt_wakeup_fair(): does the newly queued task take the CPU?
  /// Breaks the protection of curr where the rules say so. Calls `charge` where the
  /// kernel calls update_curr(): not if the wake-up can't preempt anyway. Without
  /// it, curr is charged already.
  template <class Charge = ChargedAlready>
  bool wakeup_preempts(TaskId woken, const Charge& charge = {}) {
    const Entity<D>& curr = entity(rq_.curr);
    const Entity<D>& p = entity(woken);
    const bool enabled = settings_.features.wakeup_preemption;
    const bool curr_idle = curr.policy == Policy::idle;
    const bool p_idle = p.policy == Policy::idle;
    if (curr_idle && !p_idle && (enabled || settings_.rules.idle_wakeup == IdleWakeup::always)) {
      if (settings_.rules.idle_protection == IdleProtection::cancelled) cancel_protection();
      return true;
    }
    if (!enabled || p.policy != Policy::normal) return false;
    charge();
    if (settings_.rules.short_wakeup == ShortWakeup::earlier && settings_.features.preempt_short &&
        rq_.curr_protected && d_.decide(p.slice < curr.slice)) {
      const Bool breaks = d_.both(
          eligible(woken), d_.either(p.deadline < curr.deadline, d_.negate(eligible(rq_.curr))));
      if (d_.decide(breaks)) cancel_protection();
    }
    return would_pick(woken);
  }

  /// pick_eevdf(): of a queue that is not empty, the eligible one with the earliest
  /// deadline, unless curr is protected. It may be a delayed one.
  TaskId pick_eevdf() const {
    if (nr_queued() == 1) return curr_queued() ? rq_.curr : rq_.tree.front();
    if (runs_to_parity()) return rq_.curr;
    if constexpr (D::kSymbolic) {
      const std::vector<TaskId> all = candidates();
      return all[d_.choose_winner(all.size(), [&](std::size_t i) { return wins(i, all); })];
    } else {
      TaskId best = kNobody;
      const auto consider = [&](TaskId id) {
        if ((best == kNobody || entity(id).deadline < entity(best).deadline) && eligible(id)) {
          best = id;
        }
      };
      for (const TaskId id : rq_.tree) consider(id);
      if (curr_queued()) consider(rq_.curr);
      assert(best != kNobody);  // the mean is never above all that it is the mean of
      return best;
    }
  }

  /// pick_next_entity() until a task comes up that is awake; a delayed one that
  /// would be picked is dequeued. kNobody: the queue is empty.
  TaskId pick_next() {
    while (nr_queued() > 0) {
      const TaskId id = pick_eevdf();
      if (!entity(id).delayed) return id;
      really_dequeue(id);
    }
    return kNobody;
  }

  /// put_prev_entity() of curr and set_next_entity() of `next`. Nothing happens
  /// if that is the same task: its protection is not renewed.
  void switch_to(TaskId next) {
    if (next == rq_.curr) return;
    put_prev();
    if (next != kNobody) set_next(next);
  }

  /// put_prev_entity() of curr.
  void put_prev() {
    if (curr_queued()) rq_.tree.push_back(rq_.curr);
    rq_.curr = kNobody;
    rq_.curr_protected = false;
  }

  /// set_next_entity(): `next` leaves the tree, and is protected from now on.
  void set_next(TaskId next) {
    rq_.curr = next;
    std::erase(rq_.tree, next);
    Entity<D>& e = entity(next);
    switch (settings_.rules.protection) {
      case Protection::own_deadline:
        // Protected while vlag == deadline, in a field that curr has no use for.
        e.vlag = e.deadline;
        rq_.curr_protected = true;
        break;
    }
  }

  /// yield_task_fair() of curr.
  void yield() {
    if (nr_queued() == 1) return;
    Entity<D>& curr = entity(rq_.curr);
    switch (settings_.rules.yield) {
      case Yield::push_deadline:
        curr.deadline = curr.deadline + d_.to_virtual(curr.slice, curr.weight);
        rq_.curr_protected = false;
        break;
      case Yield::forfeit:
        if (d_.decide(eligible(rq_.curr))) {
          curr.vruntime = curr.deadline;
          renew_request(curr);
        }
        break;
    }
  }

 private:
  Entity<D>& entity(TaskId id) const { return entities_[static_cast<std::size_t>(id)]; }
  bool curr_queued() const { return rq_.curr != kNobody && entity(rq_.curr).on_rq; }

  template <class Visit>
  void for_each_queued(const Visit& visit) const {
    if (curr_queued()) visit(entity(rq_.curr));
    for (const TaskId id : rq_.tree) visit(entity(id));
  }

  /// The sum of weight * (vruntime - base) over the queue, and the weight of all.
  struct Weighted {
    Num value{};
    std::int64_t load = 0;
  };
  Weighted weighted_sum(const Num& base) const {
    Weighted sum{d_.number(0)};
    for_each_queued([&](const Entity<D>& e) {
      sum.value = sum.value + d_.times(e.vruntime - base, e.weight.value);
      sum.load += e.weight.value;
    });
    return sum;
  }

  Findings findings(const Num& delta, const Num& virtual_delta) const {
    const Entity<D>& curr = entity(rq_.curr);
    const Num vruntime = curr.vruntime + virtual_delta;
    // No time passed: update_curr() returns before any test.
    const Bool charged = delta > d_.number(0);
    Findings found{vruntime, d_.both(charged, vruntime >= curr.deadline), Bool(false)};
    if (nr_queued() == 1) return found;
    found.resched = found.expired;
    if (settings_.rules.trigger == Trigger::expiry_or_ineligible &&
        settings_.features.preempt_short && !rq_.curr_protected) {
      // did_preempt_short()
      found.resched =
          d_.either(found.resched, d_.both(charged, d_.negate(eligible_at(rq_.curr, vruntime))));
    }
    return found;
  }

  /// The expiry branch of update_deadline(). The new deadline starts where the
  /// task is, so what it overran stays as negative lag.
  void renew_request(Entity<D>& curr) {
    if (!curr.custom_slice) curr.slice = d_.number(settings_.base_slice);
    curr.deadline = curr.vruntime + d_.to_virtual(curr.slice, curr.weight);
    rq_.curr_protected = false;
  }

  void cancel_protection() {
    if (!rq_.curr_protected) return;
    rq_.curr_protected = false;
    Entity<D>& curr = entity(rq_.curr);
    curr.vlag = curr.deadline + d_.number(1);
  }

  /// place_entity(): vruntime and deadline of a task about to be queued.
  void place(Entity<D>& e, bool initial) {
    if (!e.custom_slice) e.slice = d_.number(settings_.base_slice);
    Num request = d_.to_virtual(e.slice, e.weight);
    Num lag = d_.number(0);
    if (settings_.features.place_lag && nr_queued() > 0) {
      // Once e is queued, V moves towards it; inflated, its lag comes out as saved.
      std::int64_t load = 0;
      for_each_queued([&](const Entity<D>& other) { load += other.weight.value; });
      lag = d_.scale(e.vlag, load + e.weight.value, load);
    }
    e.vruntime = avg_vruntime() - lag;
    if (settings_.features.place_rel_deadline && e.rel_deadline) {
      e.deadline = e.deadline + e.vruntime;
      e.rel_deadline = false;
      return;
    }
    if (initial && settings_.features.place_deadline_initial &&
        settings_.rules.fork_placement == ForkPlacement::half_slice) {
      request = d_.divide_floor(request, 2);
    }
    e.deadline = e.vruntime + request;
  }

  void insert(TaskId id) {
    rq_.tree.push_back(id);
    entity(id).on_rq = true;
  }
  void remove(TaskId id) {
    if (id != rq_.curr) std::erase(rq_.tree, id);
    entity(id).on_rq = false;
  }

  /// update_entity_lag(): the lag that outlives the stay on the queue.
  void update_entity_lag(Entity<D>& e) {
    const Weighted sum = weighted_sum(e.vruntime);
    const Num lag = d_.divide_floor(sum.value, sum.load);
    if constexpr (D::kSymbolic) d_.rounds_past(sum.value, sum.load, d_.number(0));
    rq_.v0 = e.vruntime + lag;
    Num most{};
    switch (settings_.rules.lag_limit) {
      case LagLimit::twice_own_slice:
        most = d_.to_virtual(d_.max(d_.times(e.slice, 2), d_.number(settings_.tick)), e.weight);
        break;
    }
    e.vlag = d_.max(d_.min(lag, most), d_.number(0) - most);
  }

  void really_dequeue(TaskId id) {
    Entity<D>& e = entity(id);
    update_entity_lag(e);
    remove(id);
    if (e.delayed) {
      e.delayed = false;
      if (settings_.features.delay_zero) e.vlag = d_.min(e.vlag, d_.number(0));
    }
  }

  /// Is candidates[i] the eligible one with the earliest deadline? Among equals
  /// the first in the list.
  Bool wins(std::size_t i, const std::vector<TaskId>& candidates) const {
    Bool result = eligible(candidates[i]);
    const Num& deadline = entity(candidates[i]).deadline;
    for (std::size_t j = 0; j < candidates.size(); ++j) {
      if (j == i) continue;
      const Num& other = entity(candidates[j]).deadline;
      const Bool first = j < i ? Bool(deadline < other) : Bool(deadline <= other);
      result = d_.both(result, d_.either(first, d_.negate(eligible(candidates[j]))));
    }
    return result;
  }

  /// Who may be picked: the tree, and behind it (a tie goes to the tree) curr.
  std::vector<TaskId> candidates() const {
    std::vector<TaskId> all = rq_.tree;
    if (curr_queued()) all.push_back(rq_.curr);
    return all;
  }

  /// Is curr kept whatever the deadlines (RUN_TO_PARITY)? Only while eligible.
  bool runs_to_parity() const {
    return settings_.features.run_to_parity && rq_.curr_protected && curr_queued() &&
           d_.decide(eligible(rq_.curr));
  }

  /// pick_eevdf() == id; the symbolic domain need not ask who else it might be.
  bool would_pick(TaskId id) const {
    if constexpr (D::kSymbolic) {
      if (runs_to_parity()) return false;
      const std::vector<TaskId> all = candidates();
      const auto place = std::find(all.begin(), all.end(), id);
      return d_.decide(wins(static_cast<std::size_t>(place - all.begin()), all));
    } else {
      return pick_eevdf() == id;
    }
  }

  D& d_;
  const FairSettings& settings_;
  RunQueue<D>& rq_;
  std::vector<Entity<D>>& entities_;
};

}  // namespace tickproof
