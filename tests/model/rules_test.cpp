#include "model/rules.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/profiles.hpp"
#include "model/setting.hpp"

namespace tickproof {
namespace {

template <class Act>
std::string refusal(Act&& act) {
  try {
    act();
  } catch (const BadValue& error) {
    return error.what();
  }
  ADD_FAILURE() << "no BadValue";
  return "";
}

TEST(Rules, EveryChoiceOfEveryRuleCanBeSetByName) {
  for (const RuleInfo& rule : all_rules()) {
    ASSERT_FALSE(rule.choices.empty()) << rule.name;
    for (std::size_t i = 0; i < rule.choices.size(); ++i) {
      Rules rules;
      set_rule(rules, rule.name, rule.choices[i].name);
      EXPECT_EQ(rule.get(rules), static_cast<int>(i)) << rule.name;
      EXPECT_EQ(choice_of(rule, rules), rule.choices[i].name);
      // ... and nothing else is touched.
      rule.set(rules, rule.get(Rules()));
      EXPECT_EQ(rules, Rules()) << rule.name;
    }
  }
}

TEST(Rules, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const RuleInfo& rule : all_rules()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    std::set<std::string_view> choices;
    for (const Choice& choice : rule.choices) {
      EXPECT_TRUE(choices.insert(choice.name).second) << rule.name << " " << choice.name;
      EXPECT_FALSE(choice.since.empty());
    }
  }
}

TEST(Rules, RefuseWhatThereIsNot) {
  Rules rules;
  EXPECT_EQ(refusal([&] { set_rule(rules, "yield", "jump"); }),
            "rule yield has no choice 'jump'; it is one of push-deadline, forfeit");
  const std::string message = refusal([&] { set_rule(rules, "yeild", "forfeit"); });
  EXPECT_EQ(message.substr(0, message.find("; ")), "no rule 'yeild'");
  for (const RuleInfo& rule : all_rules()) {
    EXPECT_NE(message.find(std::string(rule.name)), std::string::npos) << rule.name;
  }
}

TEST(Features, AreFoundByTheirKernelName) {
  for (const FeatureInfo& feature : all_features()) {
    EXPECT_EQ(find_feature(feature.name), &feature);
  }
  ASSERT_NE(find_feature("HRTICK"), nullptr);
  EXPECT_EQ(find_feature("HRTICK")->field, &Features::hrtick);
  EXPECT_EQ(find_feature("TTWU_QUEUE"), nullptr);
  EXPECT_EQ(find_feature("hrtick"), nullptr);
}

// kernel/sched/features.h of each version.
TEST(Profiles, HaveTheFeatureDefaultsOfTheirKernels) {
  Features f;
  f.place_lag = f.place_deadline_initial = f.run_to_parity = f.wakeup_preemption = true;
  f.place_rel_deadline = f.preempt_short = f.delay_dequeue = f.delay_zero = f.hrtick = false;
  f.next_buddy = f.pick_buddy = false;
  EXPECT_EQ(find_profile("6.6").features, f);
  EXPECT_EQ(find_profile("6.8").features, f);
  f.place_rel_deadline = f.preempt_short = f.delay_dequeue = f.delay_zero = true;
  EXPECT_EQ(find_profile("6.12").features, f);
  EXPECT_EQ(find_profile("6.13").features, f);
  f.pick_buddy = true;
  for (const char* kernel : {"6.12.117", "6.15", "6.17", "6.19", "7.0"}) {
    EXPECT_EQ(find_profile(kernel).features, f) << kernel;
  }
  f.hrtick = true;
  for (const char* kernel : {"7.1", "7.2", "7.3"}) {
    EXPECT_EQ(find_profile(kernel).features, f) << kernel;
  }
}

// What changed, commit by commit, from 6.8 to 6.12.0: 85e511df3cec (PREEMPT_SHORT),
// 857b158dc5e8 (custom slices), c40dd90ac045 (fork placement); from there to 6.12.117,
// as backports: f553741ac8c0, 79104becf42b, 2ae891b82695.
TEST(Profiles, DifferByTheCommitsBetweenThem) {
  Rules rules = find_profile("6.6").rules;
  EXPECT_EQ(rules, Rules());
  set_rule(rules, "tie", "insertion");
  EXPECT_EQ(find_profile("6.8").rules, rules);
  set_rule(rules, "trigger", "expiry-or-ineligible");
  set_rule(rules, "short-wakeup", "earlier");
  set_rule(rules, "idle-wakeup", "if-enabled");
  set_rule(rules, "custom-slice", "yes");
  set_rule(rules, "fork-placement", "half-slice");
  EXPECT_EQ(find_profile("6.12").rules, rules);
  const Rules mainline = rules;
  set_rule(rules, "zero", "average");
  set_rule(rules, "buddy-pick", "if-pick-buddy");
  set_rule(rules, "idle-protection", "cancelled");
  set_rule(rules, "yield", "forfeit");
  set_rule(rules, "slice-unit", "700us");
  EXPECT_EQ(find_profile("6.12.117").rules, rules);
  // What 6.12.117 has backported is not in 6.13.
  rules = mainline;
  set_rule(rules, "renice", "lag-and-deadline");
  set_rule(rules, "hrtick", "slice-lazy");
  EXPECT_EQ(find_profile("6.13").rules, rules);
}

// A version belongs to the newest profile that is not newer; what was backported to one
// long-term series is in that series only.
TEST(Profiles, CoverEveryVersion) {
  const auto name = [](const char* version) { return find_profile(version).name; };
  EXPECT_EQ(name("6.6"), "6.6");
  EXPECT_EQ(name("6.7.12"), "6.6");
  EXPECT_EQ(name("v6.11"), "6.8");
  EXPECT_EQ(name("6.8.0-31-generic"), "6.8");
  EXPECT_EQ(name("6.12"), "6.12");
  EXPECT_EQ(name("6.12.116"), "6.12");
  EXPECT_EQ(name("6.12.117+deb13-amd64"), "6.12.117");
  EXPECT_EQ(name("6.12.130"), "6.12.117");
  EXPECT_EQ(name("6.13-rc2"), "6.13");
  EXPECT_EQ(name("6.14.0"), "6.13");
  EXPECT_EQ(name("6.18.200"), "6.17");
  EXPECT_EQ(name("7.2.13"), "7.2");
  EXPECT_EQ(name("7.3.99"), "7.3");
}

TEST(Profiles, RefuseWhatIsNoVersion) {
  for (const char* text : {"", "v", "6", "6.", "six", "6.12x", "6.12.", "-6.12", "6.-1", "6..1",
                           "6.12 .1", "99999999999.1"}) {
    const std::string message = refusal([&] { find_profile(text); });
    EXPECT_NE(message.find("is no kernel version"), std::string::npos) << text << ": " << message;
  }
  EXPECT_NE(refusal([] { find_profile("7.4"); }).find("too new"), std::string::npos);
}

// PREEMPT_LAZY came with 6.13 (7c70cb94d29c).
TEST(Profiles, HaveNoLazyPreemptionBefore613) {
  for (const Profile& profile : all_profiles()) {
    EXPECT_EQ(profile.has_lazy, profile.first >= (KernelVersion{6, 13})) << profile.name;
  }
}

TEST(Profiles, RefuseAKernelThatThereIsNot) {
  const std::string message = refusal([] { find_profile("5.15"); });
  EXPECT_EQ(message.substr(0, message.find("; ")),
            "no profile for kernel '5.15', which has no EEVDF");
  for (const Profile& profile : all_profiles()) {
    EXPECT_EQ(find_profile(profile.name).name, profile.name);
    EXPECT_NE(message.find(std::string(profile.name)), std::string::npos);
  }
}

}  // namespace
}  // namespace tickproof
