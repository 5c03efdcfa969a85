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

/// HRTICK is never programmed for less (kernel/sched/core.c, hrtick_start).
inline constexpr Ns kLeastHrtick = 10 * kUsec;

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
  Num vprot{};     ///< virtual time until which it is protected while it runs; rules of 6.17
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
  TaskId curr = kNobody;        ///< never in the tree; leaves it between block and switch
  std::vector<TaskId> tree;     ///< the queued tasks but curr
  TaskId next = kNobody;        ///< the next buddy, to be preferred while it is eligible
  bool keeps_deadline = false;  ///< curr has the deadline that it was picked with; the rule
                                ///< protection=own-deadline means that
  typename D::Num v0{};         ///< zero_vruntime: V as last taken; where an empty queue goes on
};

/// How a task comes to the queue whose wake-up is tested.
struct Wakeup {
  bool forked = false;
  bool sync = false;       ///< the waker is about to sleep (WF_SYNC)
  bool pending = false;    ///< TIF_NEED_RESCHED is set already
  bool outranked = false;  ///< a task of a higher class is why (rq->next_class)
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
    const Num& base = zero();
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
    if constexpr (D::kSymbolic) {
      Num sum;
      for_each_queued([&](const Entity<D>& e) {
        if (&e != &entity(id)) sum = sum + d_.times(e.vruntime - vruntime, e.weight.value);
      });
      return sum >= Num();
    } else {
      // As vruntime_eligible() does it, so that what leaves 64 bits there does so here.
      Weighted sum{d_.number(0)};
      for_each_queued([&](const Entity<D>& e) {
        sum.add(d_, (&e == &entity(id) ? vruntime : e.vruntime) - rq_.v0, e.weight);
      });
      return d_.covers(sum.value, vruntime - rq_.v0, sum.load);
    }
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
    const bool expired = d_.decide(found.expired);
    if (expired) renew_request(curr);
    follow_min_vruntime();
    const bool resched = expired ? nr_queued() > 1 : d_.decide(found.resched);
    if (resched) clear_buddy(rq_.curr);
    return resched;
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
    clear_buddy(id);
    if (settings_.features.delay_dequeue && !special && !d_.decide(eligible(id))) {
      if (settings_.rules.delayed_lag == DelayedLag::only_shrinks) update_entity_lag(entity(id));
      entity(id).delayed = true;
      return;
    }
    really_dequeue(id);
  }

  /// dequeue_entity() of a task that stays awake, to be queued again once something
  /// about it has changed. PLACE_REL_DEADLINE keeps what is left of its request.
  void dequeue_for_change(TaskId id) {
    clear_buddy(id);
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
    const auto rescale = [&](Num& x) { x = d_.scale(x, e.weight.value, weight.value); };
    rescale(e.vlag);
    if (settings_.rules.renice == Renice::lag_and_deadline && e.rel_deadline) rescale(e.deadline);
    e.weight = weight;
  }

  /// requeue_delayed_entity(): the wake-up of a delayed task.
  void requeue_delayed(TaskId id) {
    Entity<D>& e = entity(id);
    bool moves = false;
    switch (settings_.rules.delayed_lag) {
      case DelayedLag::as_found:
        if (!settings_.features.delay_zero) break;
        update_entity_lag(e);
        moves = d_.decide(e.vlag > d_.number(0));
        if (moves) e.vlag = d_.number(0);
        break;
      case DelayedLag::only_shrinks: moves = d_.decide(update_entity_lag(e)); break;
    }
    if (moves) {
      remove(id);
      place(e, false);
      insert(id);
    }
    e.delayed = false;
  }

  /// protect_slice(): is curr protected?
  Bool is_protected() const { return protected_at(entity(rq_.curr).vruntime); }

  /// cancel_protect_slice() of curr.
  void cancel_protection() {
    if (!d_.decide(is_protected())) return;
    Entity<D>& curr = entity(rq_.curr);
    if (settings_.rules.protection == Protection::own_deadline) {
      rq_.keeps_deadline = false;
      curr.vlag = curr.deadline + d_.number(1);
    } else {
      curr.vprot = curr.vruntime;
    }
  }

  struct ChargedAlready {
    void operator()() const {}
  };

  /// check_preempt_wakeup_fair(): does the newly queued task take the CPU?
  /// Breaks or cuts the protection of curr where the rules say so. Calls `charge` where
  /// the kernel calls update_curr(): not if the wake-up can't preempt anyway. Without
  /// it, curr is charged already.
  template <class Charge = ChargedAlready>
  bool wakeup_preempts(TaskId woken, const Wakeup& how, const Charge& charge = {}) {
    const Rules& rules = settings_.rules;
    const Features& features = settings_.features;
    const Entity<D>& curr = entity(rq_.curr);
    const Entity<D>& p = entity(woken);
    const bool cuts_always = rules.protection_cut == ProtectionCut::every_wakeup;
    const bool any_buddy = features.next_buddy && rules.next_buddy == NextBuddy::any_wakee;
    if (any_buddy && !how.forked) rq_.next = woken;
    if (how.pending && (how.outranked || !(cuts_always && features.preempt_short))) return false;

    const bool enabled = features.wakeup_preemption;
    const bool curr_idle = curr.policy == Policy::idle;
    const bool p_idle = p.policy == Policy::idle;
    if (curr_idle && !p_idle && (enabled || rules.idle_wakeup == IdleWakeup::always)) {
      if (rules.idle_protection == IdleProtection::cancelled) cancel_protection();
      return true;
    }
    if (!enabled || (p.policy != Policy::normal && !cuts_always)) return false;
    charge();
    const auto stays = [&](bool cuts) {
      if (cuts && features.run_to_parity) cut_protection();
      return false;
    };
    if (p.policy != Policy::normal) return stays(cuts_always);

    const bool is_short = features.preempt_short && rules.short_wakeup != ShortWakeup::never &&
                          d_.decide(p.slice < curr.slice);
    if (!is_short) {
      if (how.forked && rules.fork_wakeup == ForkWakeup::never) return stays(cuts_always);
      // A sync wake-up that makes a buddy ends the test: the waker is about to sleep.
      const bool makes_buddy = features.next_buddy && !any_buddy && becomes_buddy(woken);
      if (makes_buddy) rq_.next = woken;
      if (makes_buddy && how.sync) return false;
    }
    const bool wins_if_best =
        rules.short_wakeup == ShortWakeup::best || rules.short_wakeup == ShortWakeup::eligible;
    if (is_short && !wins_if_best && d_.decide(breaks_protection(woken))) cancel_protection();
    const bool protect = !(is_short && wins_if_best);
    bool preempts = wakeup_picks(woken, protect);
    if (!preempts && is_short && rules.short_wakeup == ShortWakeup::eligible) {
      preempts = d_.decide(eligible(woken));
    }
    if (!preempts) {
      return stays(rules.protection_cut == ProtectionCut::short_wakeup
                       ? is_short
                       : rules.protection_cut != ProtectionCut::never);
    }
    if (!protect || rules.short_wakeup == ShortWakeup::eligible) cancel_protection();
    if (is_short && rules.short_buddy == ShortBuddy::yes &&
        (rq_.next == kNobody || d_.decide(entity(rq_.next).slice >= p.slice))) {
      rq_.next = woken;
    }
    return true;
  }

  /// pick_eevdf(): of a queue that is not empty, the eligible one with the earliest
  /// deadline, unless curr is protected and that counts (`protect`). It may be a
  /// delayed one.
  TaskId pick_eevdf(bool protect = true) const {
    if (nr_queued() == 1) return curr_queued() ? rq_.curr : rq_.tree.front();
    if (prefers_buddy(protect)) return rq_.next;
    if (keeps_curr(protect)) return rq_.curr;
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

  /// pick_next_entity(): the next buddy where that counts, or else pick_eevdf().
  TaskId pick_next_entity() const {
    const bool is_preferred =
        settings_.rules.buddy_pick == BuddyPick::if_next_buddy   ? settings_.features.next_buddy
        : settings_.rules.buddy_pick == BuddyPick::if_pick_buddy ? settings_.features.pick_buddy
                                                                 : false;
    if (is_preferred && rq_.next != kNobody && d_.decide(eligible(rq_.next))) return rq_.next;
    return pick_eevdf();
  }

  /// pick_next_entity() until a task comes up that is awake; a delayed one that
  /// would be picked is dequeued. kNobody: the queue is empty.
  TaskId pick_next() {
    while (nr_queued() > 0) {
      const TaskId id = pick_next_entity();
      if (!entity(id).delayed) return id;
      really_dequeue(id);
    }
    return kNobody;
  }

  /// hrtick_start_fair(): the CPU time that the task needs to its deadline.
  Num time_to_deadline(TaskId id) const {
    const Entity<D>& e = entity(id);
    return d_.scale(e.deadline - e.vruntime, e.weight.value, kNice0Weight);
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
    rq_.keeps_deadline = false;
  }

  /// set_next_entity(): `next` leaves the tree, and is protected from now on. Not `picked`:
  /// it ran already, and something about it was changed.
  void set_next(TaskId next, bool picked = true) {
    clear_buddy(next);
    std::erase(rq_.tree, next);
    if (picked || settings_.rules.protection_start == ProtectionStart::set_next) protect(next);
    rq_.curr = next;
  }

  /// yield_task_fair() of curr.
  void yield() {
    if (nr_queued() == 1) return;
    Entity<D>& curr = entity(rq_.curr);
    clear_buddy(rq_.curr);
    switch (settings_.rules.yield) {
      case Yield::push_deadline:
        curr.deadline = curr.deadline + d_.to_virtual(curr.slice, curr.weight);
        rq_.keeps_deadline = false;
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

    void add(D& d, const Num& key, const Weight& weight) {
      value = d.add_weighted(value, key, weight);
      load += weight.value;
    }
  };
  Weighted weighted_sum(const Num& base) const {
    Weighted sum{d_.number(0)};
    for_each_queued([&](const Entity<D>& e) { sum.add(d_, e.vruntime - base, e.weight); });
    return sum;
  }

  /// What sums are relative to. To an expression it makes no difference, if there is one
  /// variable less.
  const Num& zero() const {
    if constexpr (D::kSymbolic) {
      return entity(curr_queued() ? rq_.curr : rq_.tree.front()).vruntime;
    } else {
      return rq_.v0;
    }
  }

  Findings findings(const Num& delta, const Num& virtual_delta) const {
    const Entity<D>& curr = entity(rq_.curr);
    const Num vruntime = curr.vruntime + virtual_delta;
    // No time passed: update_curr() returns before any test.
    const Bool charged = delta > d_.number(0);
    Findings found{vruntime, d_.both(charged, vruntime >= curr.deadline), Bool(false)};
    if (nr_queued() == 1) return found;
    found.resched = found.expired;
    const auto also = [&](const Bool& reason) {
      found.resched = d_.either(found.resched, d_.both(charged, reason));
    };
    const Bool exposed = d_.negate(protected_at(vruntime));
    switch (settings_.rules.trigger) {
      case Trigger::expiry: break;
      case Trigger::expiry_or_ineligible:  // did_preempt_short()
        if (settings_.features.preempt_short) {
          also(d_.both(exposed, d_.negate(eligible_at(rq_.curr, vruntime))));
        }
        break;
      case Trigger::expiry_or_unprotected: also(exposed); break;
    }
    return found;
  }

  /// V; zero_vruntime may follow it.
  Num take_avg_vruntime() {
    const Num v = avg_vruntime();
    if (settings_.rules.zero != Zero::min_vruntime) rq_.v0 = v;
    return v;
  }

  /// update_min_vruntime()
  void follow_min_vruntime() {
    if (D::kSymbolic || settings_.rules.zero != Zero::min_vruntime || nr_queued() == 0) return;
    Num least = entity(curr_queued() ? rq_.curr : rq_.tree.front()).vruntime;
    for_each_queued([&](const Entity<D>& e) { least = d_.min(least, e.vruntime); });
    rq_.v0 = d_.max(rq_.v0, least);
  }

  /// The expiry branch of update_deadline(). The new deadline starts where the
  /// task is, so what it overran stays as negative lag.
  void renew_request(Entity<D>& curr) {
    if constexpr (!D::kSymbolic) take_avg_vruntime();
    if (!curr.custom_slice) curr.slice = d_.number(settings_.base_slice);
    curr.deadline = curr.vruntime + d_.to_virtual(curr.slice, curr.weight);
    rq_.keeps_deadline = false;
  }

  /// protect_slice(): is curr protected once its vruntime is this?
  Bool protected_at(const Num& vruntime) const {
    if (settings_.rules.protection == Protection::own_deadline) return Bool(rq_.keeps_deadline);
    return vruntime < entity(rq_.curr).vprot;
  }

  /// set_protect_slice() of a task that is about to run and left the tree.
  void protect(TaskId id) {
    Entity<D>& e = entity(id);
    if (settings_.rules.protection == Protection::own_deadline) {
      // The kernel: protected while vlag == deadline, in a field that curr has no use for.
      e.vlag = e.deadline;
      rq_.keeps_deadline = true;
      return;
    }
    Num least = e.slice;
    const auto consider = [&](const Num& slice) { least = d_.min(least, slice); };
    if (settings_.features.run_to_parity) {
      for (const TaskId other : rq_.tree) consider(entity(other).slice);
    } else {
      // The quantum is normalized_sysctl_sched_base_slice, whatever the base slice is.
      consider(d_.number(scaled_base_slice(settings_.rules.slice_unit, Scaling::none, 1)));
    }
    e.vprot = e.deadline;
    if (!d_.decide(least < e.slice)) return;
    const bool until_ineligible = settings_.rules.protection == Protection::until_ineligible &&
                                  settings_.features.preempt_short && !rq_.tree.empty();
    e.vprot = d_.min(e.deadline, until_ineligible ? mean_of_tree() + d_.number(1)
                                                  : e.vruntime + d_.to_virtual(least, e.weight));
  }

  /// update_protect_slice(): curr is protected no longer than the smallest slice in the
  /// queue from here.
  void cut_protection() {
    Entity<D>& curr = entity(rq_.curr);
    Num least = curr.slice;
    for_each_queued([&](const Entity<D>& e) { least = d_.min(least, e.slice); });
    const Num from = settings_.rules.cut_from == CutFrom::not_ahead
                         ? d_.min(curr.vruntime, take_avg_vruntime())
                         : curr.vruntime;
    curr.vprot = d_.min(curr.vprot, from + d_.to_virtual(least, curr.weight));
  }

  /// Does a wake-up with a shorter slice break curr's protection (6.12 .. 6.16)?
  Bool breaks_protection(TaskId woken) const {
    if (!d_.decide(is_protected())) return Bool(false);
    const Bool earlier = entity(woken).deadline < entity(rq_.curr).deadline;
    return d_.both(eligible(woken), d_.either(earlier, d_.negate(eligible(rq_.curr))));
  }

  bool becomes_buddy(TaskId woken) const {
    return rq_.next == kNobody || d_.decide(entity(woken).deadline <= entity(rq_.next).deadline);
  }

  void clear_buddy(TaskId id) {
    if (rq_.next == id) rq_.next = kNobody;
  }

  /// Does pick_eevdf() take the next buddy?
  bool prefers_buddy(bool protect) const {
    const bool in_pick = settings_.rules.buddy_pick == BuddyPick::every_pick ||
                         (settings_.rules.buddy_pick == BuddyPick::protected_pick && protect);
    return in_pick && settings_.features.pick_buddy && rq_.next != kNobody &&
           d_.decide(eligible(rq_.next));
  }

  /// V of the tree, which is not empty, alone.
  Num mean_of_tree() const {
    const Num& base = zero();
    Weighted sum{d_.number(0)};
    for (const TaskId id : rq_.tree) {
      sum.add(d_, entity(id).vruntime - base, entity(id).weight);
    }
    return base + d_.divide_floor(sum.value, sum.load);
  }

  /// place_entity(): vruntime and deadline of a task about to be queued.
  void place(Entity<D>& e, bool initial) {
    if (!e.custom_slice) e.slice = d_.number(settings_.base_slice);
    Num request = d_.to_virtual(e.slice, e.weight);
    Num lag = d_.number(0);
    bool moves_zero = false;
    if (settings_.features.place_lag && nr_queued() > 0) {
      // Once e is queued, V moves towards it; inflated, its lag comes out as saved.
      std::int64_t load = 0;
      for_each_queued([&](const Entity<D>& other) { load += other.weight.value; });
      lag = d_.scale(e.vlag, load + e.weight.value, load);
      moves_zero = settings_.rules.zero == Zero::heavy && e.weight.value > load;
    }
    e.vruntime = take_avg_vruntime() - lag;
    if (moves_zero) rq_.v0 = e.vruntime;
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

  /// update_entity_lag(): the lag that outlives the stay on the queue. True: it is not
  /// what V says, so that the task would be placed elsewhere.
  Bool update_entity_lag(Entity<D>& e) {
    Num lag{};
    if constexpr (D::kSymbolic) {
      const Weighted sum = weighted_sum(e.vruntime);
      lag = d_.divide_floor(sum.value, sum.load);
      d_.rounds_past(sum.value, sum.load, d_.number(0));
      rq_.v0 = e.vruntime + lag;
    } else {
      lag = take_avg_vruntime() - e.vruntime;
    }
    const Num most = lag_limit(e);
    Num kept = d_.max(d_.min(lag, most), d_.number(0) - most);
    if (e.delayed && settings_.rules.delayed_lag == DelayedLag::only_shrinks) {
      kept = d_.max(kept, e.vlag);
      if (settings_.features.delay_zero) kept = d_.min(kept, d_.number(0));
    }
    e.vlag = kept;
    return d_.negate(kept == lag);
  }

  Num lag_limit(const Entity<D>& e) const {
    if (settings_.rules.lag_limit == LagLimit::twice_own_slice) {
      return d_.to_virtual(d_.max(d_.times(e.slice, 2), d_.number(settings_.tick)), e.weight);
    }
    Num most = e.slice;
    for_each_queued([&](const Entity<D>& other) { most = d_.max(most, other.slice); });
    return d_.to_virtual(most + d_.number(settings_.tick), e.weight);
  }

  void really_dequeue(TaskId id) {
    Entity<D>& e = entity(id);
    update_entity_lag(e);
    remove(id);
    follow_min_vruntime();
    if (!e.delayed) return;
    e.delayed = false;
    const bool cuts = settings_.rules.delayed_lag == DelayedLag::as_found;
    if (cuts && settings_.features.delay_zero) e.vlag = d_.min(e.vlag, d_.number(0));
  }

  /// Is candidates[i] the eligible one with the earliest deadline? Among equals
  /// the first in the list, or any.
  Bool wins(std::size_t i, const std::vector<TaskId>& candidates) const {
    Bool result = eligible(candidates[i]);
    const Num& deadline = entity(candidates[i]).deadline;
    for (std::size_t j = 0; j < candidates.size(); ++j) {
      if (j == i) continue;
      const Num& other = entity(candidates[j]).deadline;
      const bool yields = j < i && settings_.rules.tie == Tie::insertion;
      const Bool first = yields ? Bool(deadline < other) : Bool(deadline <= other);
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

  /// Is curr kept whatever the deadlines? Only while eligible.
  bool keeps_curr(bool protect) const {
    if (!curr_queued()) return false;
    const bool counts = settings_.rules.protection == Protection::own_deadline
                            ? settings_.features.run_to_parity
                            : protect;
    return counts && d_.decide(d_.both(is_protected(), eligible(rq_.curr)));
  }

  /// Does the pick within a wake-up's test come up with the woken task?
  bool wakeup_picks(TaskId woken, bool protect) {
    const bool any_delayed = std::any_of(rq_.tree.begin(), rq_.tree.end(),
                                         [&](TaskId id) { return entity(id).delayed; });
    if (!any_delayed || settings_.rules.wakeup_pick == WakeupPick::finds_delayed) {
      return would_pick(woken, protect);
    }
    while (true) {  // the woken one is awake: the queue can't run empty
      const TaskId id = pick_eevdf(protect);
      if (!entity(id).delayed) return id == woken;
      really_dequeue(id);
    }
  }

  /// pick_eevdf() == id, of a queue of several; the symbolic domain need not ask who else
  /// it might be.
  bool would_pick(TaskId id, bool protect) const {
    if constexpr (D::kSymbolic) {
      if (prefers_buddy(protect)) return rq_.next == id;
      if (keeps_curr(protect)) return false;
      const std::vector<TaskId> all = candidates();
      const auto place = std::find(all.begin(), all.end(), id);
      if (!d_.decide(wins(static_cast<std::size_t>(place - all.begin()), all))) return false;
      // Another one might win a tie as well.
      return settings_.rules.tie == Tie::insertion || is_sole_best(id) || d_.choose(2) == 0;
    } else {
      return pick_eevdf(protect) == id;
    }
  }

  /// Of one that wins: has no other eligible one the same deadline?
  bool is_sole_best(TaskId id) const {
    Bool tied(false);
    for (const TaskId other : candidates()) {
      if (other == id) continue;
      const Bool equal = entity(other).deadline == entity(id).deadline;
      tied = d_.either(tied, d_.both(equal, eligible(other)));
    }
    return !d_.decide(tied);
  }

  D& d_;
  const FairSettings& settings_;
  RunQueue<D>& rq_;
  std::vector<Entity<D>>& entities_;
};

}  // namespace tickproof
