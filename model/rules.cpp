#include "model/rules.hpp"

#include <algorithm>
#include <array>

#include "model/setting.hpp"

namespace tickproof {
namespace {

constexpr Choice kDeltaFair[] = {{"inverse", "6.6"}, {"exact", "7.1 (4823725d9d1d)"}};
constexpr Choice kProtection[] = {{"own-deadline", "6.6 (63304558ba5d)"}};
constexpr Choice kTrigger[] = {{"expiry", "6.6 (147f3efaa241)"},
                               {"expiry-or-ineligible", "6.12 (85e511df3cec)"}};
constexpr Choice kShortWakeup[] = {{"never", "6.6"}, {"earlier", "6.12 (85e511df3cec)"}};
constexpr Choice kIdleProtection[] = {{"kept", "6.6 (63304558ba5d)"},
                                      {"cancelled", "6.15, 6.12.117 (f553741ac8c0)"}};
constexpr Choice kIdleWakeup[] = {{"always", "6.6"}, {"if-enabled", "6.12"}};
constexpr Choice kYield[] = {{"push-deadline", "6.6 (147f3efaa241)"},
                             {"forfeit", "6.19, 6.12.117 (79104becf42b)"}};
constexpr Choice kForkPlacement[] = {{"full-slice", "6.6"}, {"half-slice", "6.12 (c40dd90ac045)"}};
constexpr Choice kLagLimit[] = {{"twice-own-slice", "6.6 (86bfbb7ce4f6)"}};
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
    rule<&Rules::protection>("protection", "how long the running task is protected",
                             "set_next_entity", kProtection),
    rule<&Rules::trigger>("trigger", "what makes the running task be rescheduled", "update_curr",
                          kTrigger),
    rule<&Rules::short_wakeup>("short-wakeup", "what a waking task with a shorter slice may do",
                               "check_preempt_wakeup_fair", kShortWakeup),
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
    rule<&Rules::custom_slice>("custom-slice", "slices set by sched_setattr()", "__setparam_fair",
                               kCustomSlice),
    rule<&Rules::slice_unit>("slice-unit", "the base slice before scaling by CPUs",
                             "sysctl_sched_base_slice", kSliceUnit),
};

constexpr std::array<FeatureInfo, 9> kFeatures{{
    {"PLACE_LAG", &Features::place_lag},
    {"PLACE_DEADLINE_INITIAL", &Features::place_deadline_initial},
    {"PLACE_REL_DEADLINE", &Features::place_rel_deadline},
    {"RUN_TO_PARITY", &Features::run_to_parity},
    {"PREEMPT_SHORT", &Features::preempt_short},
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
