#include "model/rules.hpp"

#include <algorithm>
#include <array>

#include "model/setting.hpp"

namespace tickproof {
namespace {

constexpr Choice kDeltaFair[] = {{"inverse", "6.6"}, {"exact", "7.1 (4823725d9d1d)"}};
constexpr Choice kZero[] = {{"min-vruntime", "6.6 (af4cf40470c2)"},
                            {"average", "6.19, 6.12.117 (79f3f9bedd14)"},
                            {"heavy", "7.1 (556146ce5e94)"}};
constexpr Choice kTie[] = {{"any", "6.6 (147f3efaa241)"}, {"insertion", "6.8 (2227a957e1d5)"}};
constexpr Choice kProtection[] = {{"own-deadline", "6.6 (63304558ba5d)"},
                                  {"min-slice", "6.17 (74eec63661d4, 052c3d87c82e)"},
                                  {"until-ineligible", "7.3 (0d1e7a2bab35)"}};
constexpr Choice kProtectionStart[] = {{"set-next", "6.6 (63304558ba5d)"},
                                       {"pick", "7.0 (bcd74b2ffdd0)"}};
constexpr Choice kProtectionCut[] = {{"never", "6.6"},
                                     {"short-wakeup", "6.17 (3a0baa8e6c57)"},
                                     {"tested-wakeup", "6.19 (e837456fdca8)"},
                                     {"every-wakeup", "7.3 (7ad0ec7890b3, 7cd2ef17de5e)"}};
constexpr Choice kCutFrom[] = {{"vruntime", "6.17 (3a0baa8e6c57)"},
                               {"not-ahead", "7.3 (49f87b4d0be8)"}};
constexpr Choice kTrigger[] = {{"expiry", "6.6 (147f3efaa241)"},
                               {"expiry-or-ineligible", "6.12 (85e511df3cec)"},
                               {"expiry-or-unprotected", "6.17 (0b9ca2dcabc3)"}};
constexpr Choice kShortWakeup[] = {{"never", "6.6"},
                                   {"earlier", "6.12 (85e511df3cec)"},
                                   {"best", "6.17 (9de74a9850b9)"},
                                   {"eligible", "7.3 (ba0d3bf5f97b)"}};
constexpr Choice kShortBuddy[] = {{"no", "6.6"}, {"yes", "7.3 (8f97b627ff1c)"}};
constexpr Choice kWakeupPick[] = {{"finds-delayed", "6.12 (152e11f6df29)"},
                                  {"drains-delayed", "7.1 (ac8e69e69363)"}};
constexpr Choice kForkWakeup[] = {{"tested", "6.6"}, {"never", "6.19 (e837456fdca8)"}};
constexpr Choice kNextBuddy[] = {{"any-wakee", "6.6"}, {"earlier-deadline", "6.19 (e837456fdca8)"}};
constexpr Choice kBuddyPick[] = {{"if-next-buddy", "6.6"},
                                 {"if-pick-buddy", "6.14, 6.12.117 (2a77e4be12cb)"},
                                 {"every-pick", "6.19 (aceccac58ad7)"},
                                 {"protected-pick", "7.1 (78cde54ea5f0)"}};
constexpr Choice kIdleProtection[] = {{"kept", "6.6 (63304558ba5d)"},
                                      {"cancelled", "6.15, 6.12.117 (f553741ac8c0)"}};
constexpr Choice kIdleWakeup[] = {{"always", "6.6"}, {"if-enabled", "6.12 (faa42d29419d)"}};
constexpr Choice kYield[] = {{"push-deadline", "6.6 (147f3efaa241)"},
                             {"forfeit", "6.19, 6.12.117 (79104becf42b)"}};
constexpr Choice kForkPlacement[] = {{"full-slice", "6.6"}, {"half-slice", "6.12 (c40dd90ac045)"}};
constexpr Choice kLagLimit[] = {{"twice-own-slice", "6.6 (86bfbb7ce4f6)"},
                                {"max-slice", "7.0 (6e3c0a4e1ad1)"}};
constexpr Choice kDelayedLag[] = {{"as-found", "6.12 (152e11f6df29, 54a58a787791)"},
                                  {"only-shrinks", "7.1 (059258b0d424, c5cd6fd75b6a)"}};
constexpr Choice kRequeueCharge[] = {{"no", "6.12 (152e11f6df29)"}, {"yes", "7.2 (333238da9a19)"}};
constexpr Choice kRenice[] = {{"lag", "6.6 (86bfbb7ce4f6)"},
                              {"lag-and-deadline", "6.13 (6d71a9c61604)"}};
constexpr Choice kHrtick[] = {{"slice", "6.6"},
                              {"slice-lazy", "6.13 (7c70cb94d29c)"},
                              {"deadline", "7.1 (558c18d3fbb6, 97015376642f)"}};
constexpr Choice kCustomSlice[] = {{"no", "6.6"}, {"yes", "6.12 (857b158dc5e8)"}};
constexpr Choice kSliceUnit[] = {{"750us", "6.6 (e4ec3318a17f)"},
                                 {"700us", "6.15, 6.12.117 (2ae891b82695)"}};

template <auto field>
constexpr RuleInfo rule(std::string_view name, std::string_view subject, std::string_view function,
                        std::span<const Choice> choices) {
  return {name,
          subject,
          function,
          choices,
          [](const Rules& rules) { return static_cast<int>(rules.*field); },
          [](Rules& rules, int choice) {
            using Enum = std::remove_reference_t<decltype(rules.*field)>;
            rules.*field = static_cast<Enum>(choice);
          }};
}

constexpr std::array kRules{
    rule<&Rules::delta_fair>("delta-fair", "how nanoseconds become virtual time", "calc_delta_fair",
                             kDeltaFair),
    rule<&Rules::zero>("zero", "what sums over the queue are relative to", "avg_vruntime", kZero),
    rule<&Rules::tie>("tie", "who is picked among eligible tasks with equal deadlines",
                      "pick_eevdf", kTie),
    rule<&Rules::protection>("protection", "how long the running task is protected",
                             "set_next_entity", kProtection),
    rule<&Rules::protection_start>("protection-start", "when protection begins anew",
                                   "set_next_entity", kProtectionStart),
    rule<&Rules::protection_cut>("protection-cut",
                                 "wake-ups that cut protection to the smallest slice",
                                 "check_preempt_wakeup_fair", kProtectionCut),
    rule<&Rules::cut_from>("cut-from", "from where that slice is counted", "update_protect_slice",
                           kCutFrom),
    rule<&Rules::trigger>("trigger", "what makes the running task be rescheduled", "update_curr",
                          kTrigger),
    rule<&Rules::short_wakeup>("short-wakeup", "what a waking task with a shorter slice may do",
                               "check_preempt_wakeup_fair", kShortWakeup),
    rule<&Rules::short_buddy>("short-buddy", "does a short slice that preempts become the buddy",
                              "check_preempt_wakeup_fair", kShortBuddy),
    rule<&Rules::wakeup_pick>("wakeup-pick", "a delayed task that a wake-up's test would pick",
                              "check_preempt_wakeup_fair", kWakeupPick),
    rule<&Rules::fork_wakeup>("fork-wakeup", "may a forked child preempt",
                              "check_preempt_wakeup_fair", kForkWakeup),
    rule<&Rules::next_buddy>("next-buddy", "which waking task becomes the next buddy",
                             "check_preempt_wakeup_fair", kNextBuddy),
    rule<&Rules::buddy_pick>("buddy-pick", "where an eligible next buddy is preferred",
                             "pick_next_entity, pick_eevdf", kBuddyPick),
    rule<&Rules::idle_protection>("idle-protection",
                                  "protection of a SCHED_IDLE task from a normal one's wake-up",
                                  "check_preempt_wakeup_fair", kIdleProtection),
    rule<&Rules::idle_wakeup>("idle-wakeup",
                              "a normal task's wake-up beside a running SCHED_IDLE task",
                              "check_preempt_wakeup_fair", kIdleWakeup),
    rule<&Rules::yield>("yield", "what sched_yield() costs", "yield_task_fair", kYield),
    rule<&Rules::fork_placement>("fork-placement", "the first deadline of a forked task",
                                 "task_fork_fair, place_entity", kForkPlacement),
    rule<&Rules::lag_limit>("lag-limit", "the most lag kept over sleep", "update_entity_lag",
                            kLagLimit),
    rule<&Rules::delayed_lag>("delayed-lag", "the lag of a task whose dequeue is delayed",
                              "dequeue_entity, requeue_delayed_entity", kDelayedLag),
    rule<&Rules::requeue_charge>("requeue-charge",
                                 "does a delayed task's wake-up charge the running one first",
                                 "requeue_delayed_entity", kRequeueCharge),
    rule<&Rules::renice>("renice", "what a new nice value scales", "reweight_entity", kRenice),
    rule<&Rules::hrtick>("hrtick", "what the HRTICK timer is set for", "hrtick_start_fair",
                         kHrtick),
    rule<&Rules::custom_slice>("custom-slice", "slices set by sched_setattr()", "__setparam_fair",
                               kCustomSlice),
    rule<&Rules::slice_unit>("slice-unit", "the base slice before scaling by CPUs",
                             "sysctl_sched_base_slice", kSliceUnit),
};

constexpr std::array<FeatureInfo, 11> kFeatures{{
    {"PLACE_LAG", &Features::place_lag},
    {"PLACE_DEADLINE_INITIAL", &Features::place_deadline_initial},
    {"PLACE_REL_DEADLINE", &Features::place_rel_deadline},
    {"RUN_TO_PARITY", &Features::run_to_parity},
    {"PREEMPT_SHORT", &Features::preempt_short},
    {"NEXT_BUDDY", &Features::next_buddy},
    {"PICK_BUDDY", &Features::pick_buddy},
    {"DELAY_DEQUEUE", &Features::delay_dequeue},
    {"DELAY_ZERO", &Features::delay_zero},
    {"WAKEUP_PREEMPTION", &Features::wakeup_preemption},
    {"HRTICK", &Features::hrtick},
}};

template <class Items>
std::string names_of(const Items& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + std::string(item.name);
  return text;
}

}  // namespace

std::span<const RuleInfo> all_rules() { return kRules; }
std::span<const FeatureInfo> all_features() { return kFeatures; }

void set_rule(Rules& rules, std::string_view name, std::string_view choice) {
  const auto info =
      std::find_if(kRules.begin(), kRules.end(), [&](const RuleInfo& r) { return r.name == name; });
  if (info == kRules.end()) {
    throw BadValue("no rule '" + std::string(name) + "'; there are " + names_of(kRules));
  }
  const auto found = std::find_if(info->choices.begin(), info->choices.end(),
                                  [&](const Choice& c) { return c.name == choice; });
  if (found == info->choices.end()) {
    throw BadValue("rule " + std::string(name) + " has no choice '" + std::string(choice) +
                   "'; it is one of " + names_of(info->choices));
  }
  info->set(rules, static_cast<int>(found - info->choices.begin()));
}

std::string_view choice_of(const RuleInfo& rule, const Rules& rules) {
  return rule.choices[static_cast<std::size_t>(rule.get(rules))].name;
}

const FeatureInfo* find_feature(std::string_view name) {
  const auto info = std::find_if(kFeatures.begin(), kFeatures.end(),
                                 [&](const FeatureInfo& f) { return f.name == name; });
  return info == kFeatures.end() ? nullptr : &*info;
}

}  // namespace tickproof
