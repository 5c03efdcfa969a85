// A kernel is a bundle of rules. What some commit changed is one rule with named
// choices; a profile (model/profiles.hpp) names one choice for each rule, and
// `--rule NAME=CHOICE` overrides one. So "before and after the commit" is one
// flag. The table in rules.cpp says which commit brought each choice.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tickproof {

/// How nanoseconds become virtual time (calc_delta_fair).
enum class DeltaFair {
  inverse,  ///< 10-bit reduced weights and a 32-bit inverse; 6.6 .. 7.0
  exact,    ///< floor(delta * 2^20 / weight); 7.1 ..
};

/// What the kernel's sums are relative to (zero_vruntime): it decides nothing, unless they
/// leave 64 bits.
enum class Zero {
  min_vruntime,  ///< the least vruntime ever queued, never less than before; 6.6 .. 6.18
  average,       ///< V whenever it is taken; 6.19 .., 6.12.117
  heavy,         ///< ... but where a task heavier than the queue is placed, that place; 7.1 ..
};

/// Who is picked among eligible tasks with equal deadlines.
enum class Tie {
  any,        ///< the shape of a tree that is in order of vruntime decides; 6.6 .. 6.7
  insertion,  ///< who was queued first, and the running task last; 6.8 ..
};

/// What the running task is protected by until it is done (run to parity).
enum class Protection {
  own_deadline,      ///< until its deadline changes; 6.6 .. 6.16
  min_slice,         ///< for as long as the smallest slice in the queue; 6.17 .. 7.2
  until_ineligible,  ///< to its deadline; with a smaller slice in the queue, while it is
                     ///< eligible; 7.3 ..
};

/// When protection begins anew.
enum class ProtectionStart {
  set_next,  ///< also when something about the running task was changed; 6.6 .. 6.19
  pick,      ///< when it was picked; 7.0 ..
};

/// Which wake-ups that don't preempt cut the running task's protection to the smallest
/// slice in the queue.
enum class ProtectionCut {
  never,          ///< 6.6 .. 6.16
  short_wakeup,   ///< those of a task with a smaller slice; 6.17 .. 6.18
  tested_wakeup,  ///< those whose outcome a pick decided; 6.19 .. 7.2
  every_wakeup,   ///< also those that can't preempt, or find a reschedule pending; 7.3 ..
};

/// From where that slice is counted.
enum class CutFrom {
  vruntime,   ///< from the running task's vruntime; 6.17 .. 7.2
  not_ahead,  ///< ... or from V, if that is earlier; 7.3 ..
};

/// What makes update_curr() ask for a reschedule while others are queued.
enum class Trigger {
  expiry,                 ///< the request is served; 6.6 .. 6.11
  expiry_or_ineligible,   ///< ... or the task is neither protected nor eligible; 6.12 .. 6.16
  expiry_or_unprotected,  ///< ... or the task is not protected any more; 6.17 ..
};

/// What a waking task with a shorter slice may do to the running one's protection
/// (needs the feature PREEMPT_SHORT).
enum class ShortWakeup {
  never,     ///< nothing; custom slices do not exist; 6.6 .. 6.11
  earlier,   ///< if it is eligible and has the earlier deadline, or the running task is
             ///< ineligible: protection is gone even if another is picked; 6.12 .. 6.16
  best,      ///< if it would be picked were there no protection, it is; 6.17 .. 7.2
  eligible,  ///< being eligible is enough to preempt; 7.3 ..
};

/// Whether a task that preempts by its shorter slice becomes the next buddy.
enum class ShortBuddy { no, yes };

/// What the test of a wake-up does with a delayed task that would be picked.
enum class WakeupPick {
  finds_delayed,   ///< then the woken one does not preempt; 6.12 .. 7.0
  drains_delayed,  ///< dequeues it, and looks again; 7.1 ..
};

/// Whether a forked child may preempt, its slice being no shorter.
enum class ForkWakeup { tested, never };

/// Which waking task becomes the next buddy (needs the feature NEXT_BUDDY).
enum class NextBuddy {
  any_wakee,         ///< 6.6 .. 6.18
  earlier_deadline,  ///< if its deadline is not after the last buddy's; 6.19 ..
};

/// Where the next buddy is preferred, if it is eligible.
enum class BuddyPick {
  if_next_buddy,   ///< when a task is picked to run, with the feature NEXT_BUDDY; 6.6 .. 6.13
  if_pick_buddy,   ///< ... with the feature PICK_BUDDY; 6.14 .. 6.18
  every_pick,      ///< also when a wake-up is tested; 6.19 .. 7.0
  protected_pick,  ///< ... unless that is to ignore protection; 7.1 ..
};

/// What a normal task's wake-up does to the protection of a running SCHED_IDLE task.
enum class IdleProtection {
  kept,       ///< it goes on while eligible; 6.6 .. 6.14
  cancelled,  ///< 6.15 .., 6.12.117
};

/// Whether a normal task's wake-up preempts a SCHED_IDLE task even when the
/// feature WAKEUP_PREEMPTION is off.
enum class IdleWakeup {
  always,      ///< 6.6 .. 6.11
  if_enabled,  ///< 6.12 ..
};

/// What sched_yield() costs.
enum class Yield {
  push_deadline,  ///< the deadline moves by a slice, service is not charged; 6.6 .. 6.18
  forfeit,        ///< an eligible task's vruntime jumps to its deadline; 6.19 .., 6.12.117
};

/// The deadline of a forked task at its first enqueue.
enum class ForkPlacement {
  full_slice,  ///< placed twice, the half slice has no lasting effect; 6.6 .. 6.11
  half_slice,  ///< placed once, with half a slice; 6.12 ..
};

/// The most lag that is kept over sleep.
enum class LagLimit {
  twice_own_slice,  ///< max(2 * slice, tick); 6.6 .. 6.19
  max_slice,        ///< the largest slice in the queue and a tick; 7.0 ..
};

/// The lag of a task whose dequeue is delayed.
enum class DelayedLag {
  as_found,     ///< taken when it leaves the queue, positive lag cut off; placed again at a
                ///< wake-up only if its lag is positive; 6.12 .. 7.0
  only_shrinks  ///< taken when it falls asleep; what it owes may not grow from then on;
                ///< placed again if that changes its lag; 7.1 ..
};

/// Whether the wake-up of a delayed task charges the running one first.
enum class RequeueCharge { no, yes };

/// What a new nice value does to a task while it is off the queue for it.
enum class Renice {
  lag,               ///< its lag is scaled by the weights; 6.7 .. 6.12
  lag_and_deadline,  ///< ... and what is left of its request; 6.13 ..
};

/// What the HRTICK timer is set for, and how hard it reschedules.
enum class Hrtick {
  slice,       ///< what is left of the slice since the pick; at once; 6.6 .. 6.12
  slice_lazy,  ///< the same; lazily where preemption is lazy; 6.13 .. 7.0
  deadline,    ///< the time to the deadline; at once; 7.1 ..
};

/// Whether sched_setattr() can give a task a slice of its own.
enum class CustomSlice { no, yes };

/// The base slice of a one-CPU machine, scaled by the number of CPUs.
enum class SliceUnit { us750, us700 };

struct Rules {
  DeltaFair delta_fair = DeltaFair::inverse;
  Zero zero = Zero::min_vruntime;
  Tie tie = Tie::any;
  Protection protection = Protection::own_deadline;
  ProtectionStart protection_start = ProtectionStart::set_next;
  ProtectionCut protection_cut = ProtectionCut::never;
  CutFrom cut_from = CutFrom::vruntime;
  Trigger trigger = Trigger::expiry;
  ShortWakeup short_wakeup = ShortWakeup::never;
  ShortBuddy short_buddy = ShortBuddy::no;
  WakeupPick wakeup_pick = WakeupPick::finds_delayed;
  ForkWakeup fork_wakeup = ForkWakeup::tested;
  NextBuddy next_buddy = NextBuddy::any_wakee;
  BuddyPick buddy_pick = BuddyPick::if_next_buddy;
  IdleProtection idle_protection = IdleProtection::kept;
  IdleWakeup idle_wakeup = IdleWakeup::always;
  Yield yield = Yield::push_deadline;
  ForkPlacement fork_placement = ForkPlacement::full_slice;
  LagLimit lag_limit = LagLimit::twice_own_slice;
  DelayedLag delayed_lag = DelayedLag::as_found;
  RequeueCharge requeue_charge = RequeueCharge::no;
  Renice renice = Renice::lag;
  Hrtick hrtick = Hrtick::slice;
  CustomSlice custom_slice = CustomSlice::no;
  SliceUnit slice_unit = SliceUnit::us750;
  friend bool operator==(const Rules&, const Rules&) = default;
};

/// The switches of /sys/kernel/debug/sched/features that matter to one CPU's
/// fair class. A feature that a kernel lacks is off.
struct Features {
  bool place_lag = true;
  bool place_deadline_initial = true;
  bool place_rel_deadline = false;
  bool run_to_parity = true;
  bool preempt_short = false;
  bool next_buddy = false;
  bool pick_buddy = false;
  bool delay_dequeue = false;
  bool delay_zero = false;
  bool wakeup_preemption = true;
  bool hrtick = false;
  friend bool operator==(const Features&, const Features&) = default;
};

/// One choice of a rule, and what brought it.
struct Choice {
  std::string_view name;
  std::string_view since;  ///< "6.12 (85e511df3cec)"
};

/// A rule as the user sees it: its name, its choices, how to read and set it.
struct RuleInfo {
  std::string_view name;
  std::string_view subject;
  std::string_view function;  ///< the kernel function that holds the rule
  std::span<const Choice> choices;
  int (*get)(const Rules&);  ///< index into choices
  void (*set)(Rules&, int choice);
};

/// A feature as the user sees it.
struct FeatureInfo {
  std::string_view name;  ///< as in the features file
  bool Features::*field;
};

std::span<const RuleInfo> all_rules();
std::span<const FeatureInfo> all_features();

/// Sets the rule of that name. Throws BadValue that lists what exists.
void set_rule(Rules& rules, std::string_view name, std::string_view choice);
std::string_view choice_of(const RuleInfo& rule, const Rules& rules);

/// nullptr if the feature plays no part in the model.
const FeatureInfo* find_feature(std::string_view name);

}  // namespace tickproof
