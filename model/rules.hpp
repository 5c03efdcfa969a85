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

/// What the running task is protected by until it is done (run to parity).
enum class Protection {
  own_deadline,  ///< until its deadline changes; 6.6 .. 6.16
};

/// What makes update_curr() ask for a reschedule while others are queued.
enum class Trigger {
  expiry,                ///< the request is served; 6.6 .. 6.11
  expiry_or_ineligible,  ///< ... or the task is neither protected nor eligible; 6.12 .. 6.16
};

/// When a waking task with a shorter slice may break the protection of the
/// running one (needs the feature PREEMPT_SHORT).
enum class ShortWakeup {
  never,    ///< custom slices do not exist; 6.6 .. 6.11
  earlier,  ///< if it is eligible and has the earlier deadline, or the running task is
            ///< ineligible: protection is gone even if another is picked; 6.12 .. 6.16
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
  push_deadline,  ///< the deadline moves by a slice, service is not charged; 6.6 .. 6.16
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
};

/// Whether sched_setattr() can give a task a slice of its own.
enum class CustomSlice { no, yes };

/// The base slice of a one-CPU machine, scaled by the number of CPUs.
enum class SliceUnit { us750, us700 };

struct Rules {
  DeltaFair delta_fair = DeltaFair::inverse;
  Protection protection = Protection::own_deadline;
  Trigger trigger = Trigger::expiry;
  ShortWakeup short_wakeup = ShortWakeup::never;
  IdleProtection idle_protection = IdleProtection::kept;
  IdleWakeup idle_wakeup = IdleWakeup::always;
  Yield yield = Yield::push_deadline;
  ForkPlacement fork_placement = ForkPlacement::full_slice;
  LagLimit lag_limit = LagLimit::twice_own_slice;
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
