// Each choice of a rule, and each feature, makes a difference: for every one there is a
// small run that comes out one way with it and another way with what was before it. Both
// outcomes are worked out by hand; times in ms.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "tests/model/settings.hpp"
#include "tests/support/kernel_queue.hpp"
#include "tests/support/runner.hpp"

namespace tickproof {
namespace {

constexpr Ns kSlice = KernelQueue::kSlice;

std::string yes_or_no(bool yes) { return yes ? "yes" : "no"; }

SystemSpec system_of(const Kernel& k, int hz, Ns base_slice, std::vector<TaskSpec> tasks) {
  Config config = config_of("7.3", hz, base_slice, std::move(tasks));
  config.rules = k.rules;
  config.features = k.features;
  return make_system(config);
}

struct Difference {
  const char* name;    ///< of the rule or feature
  const char* choice;  ///< the later one; of a feature, "on"
  const char* kernel;  ///< the first that has it; else its rules are as there
  const char* before;  ///< the outcome with the choice before
  const char* after;   ///< the outcome with this choice
  std::string (*outcome)(const Kernel&);
};

void PrintTo(const Difference& d, std::ostream* out) { *out << d.name << "=" << d.choice; }

// --- accounting, placement, lag ---------------------------------------------------

const Difference kNumbers[] = {
    // 2.8 ms at weight 335: 2800000 * (1024 * 12820798 >> 2) / 2^30 = 8558806.2 with the
    // inverse weight, which is rounded up; 2800000 * 1024 / 335 = 8558805.97.
    {"delta-fair", "exact", "7.1", "8.558806", "8.558805",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.runs(0, 100 * kMsec, kSlice, 5);
       q.charge(2'800 * kUsec);
       return in_ms(q.vruntime(0));
     }},
    // A, at 0, runs for 1 ms beside B at 0, and C comes at V = 0.5 ms. The least vruntime
    // is still 0; V is what was taken.
    {"zero", "average", "6.19", "0", "0.5",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.waits(0, kSlice);
       q.runs(0, kSlice);
       q.charge(kMsec);
       q.fair.enqueue(q.sleeps(0), false);
       return in_ms(q.rq.v0.value());
     }},
    // B of weight 88761 comes to A of 1024 at 100 ms with a lag of 1 ms, which is inflated
    // to 89785 / 1024 ms = 87.680664. V was 100 ms; B's place is 12.319336.
    {"zero", "heavy", "7.1", "100", "12.319336",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.waits(100 * kMsec, 103 * kMsec);
       q.fair.enqueue(q.sleeps(kMsec, kSlice, -20), false);
       return in_ms(q.rq.v0.value());
     }},
    // A child comes at V = 0 and has a whole or half a slice of 3 ms.
    {"fork-placement", "half-slice", "6.12", "3", "1.5",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.waits(0, kSlice);
       const TaskId child = q.sleeps(0);
       q.fair.enqueue(child, true);
       return in_ms(q.deadline(child));
     }},
    // A, far behind the heavy B (20 ms to V = 0.228), is taken off: it keeps 2 * 3 ms, or
    // B's 10 ms and a tick.
    {"lag-limit", "max-slice", "7.0", "6", "11",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.waits(0, 10 * kMsec, 10 * kMsec, -20);
       const TaskId a = q.runs(20 * kMsec, 23 * kMsec);
       q.fair.dequeue_for_change(a);
       return in_ms(-q.lag(a));
     }},
    // A at 11 falls asleep beside B at 10: V = 10.5, it owes 0.5 and is delayed. C comes
    // with a lag of 2: at 10.5 - 2 * 3072 / 2048 = 7.5. V is 9.5 now, and A owes 1.5. It
    // wakes up: where it was, or as it owed 0.5: V of B and C is 8.75, and A's place is
    // 8.75 + 0.5 * 3072 / 2048 = 9.5.
    {"delayed-lag", "only-shrinks", "7.1", "11 14", "9.5 12.5",
     [](const Kernel& k) {
       KernelQueue q(k);
       const TaskId a = q.runs(11 * kMsec, 14 * kMsec);
       q.waits(10 * kMsec, 13 * kMsec);
       q.fair.dequeue_sleeper(a);
       q.run(1);
       q.fair.enqueue(q.sleeps(2 * kMsec), false);
       q.fair.requeue_delayed(a);
       return in_ms(q.vruntime(a)) + " " + in_ms(q.deadline(a));
     }},
    // C runs alone for 1 ms, A comes at its place, C falls asleep at 2, when it is 0.5 ahead
    // of V. At 6 A has run for 4 ms more. Without charging them V is as it was, and C stays
    // at 2; charged, A is at 5, V = 3.5, and C gets a place at V of A alone.
    {"requeue-charge", "yes", "7.2", "2", "5",
     [](const Kernel& k) {
       // With HRTICK the end of A's slice, at 5 ms, would be charged.
       Kernel no_hrtick = k;
       no_hrtick.features.hrtick = false;
       KernelDomain d(k.rules.delta_fair);
       const SystemSpec spec = system_of(no_hrtick, 100, kSlice, {hog("A"), unconstrained("C")});
       Runner<KernelDomain> run(d, spec);
       run.wake(0, 1).wake(kMsec, 0).block(2 * kMsec, 1).wake(6 * kMsec, 1);
       return in_ms(run.entity(1).vruntime.value());
     }},
    // 3 ms are left of A's request when its nice value becomes 5: 3 * 1024 / 335 = 9.1701.
    {"renice", "lag-and-deadline", "6.13", "3", "9.170149",
     [](const Kernel& k) {
       KernelQueue q(k);
       const TaskId a = q.waits(0, kSlice);
       q.waits(0, kSlice);
       q.fair.dequeue_for_change(a);
       q.fair.reweight(a, weight_of_nice(5));
       q.fair.enqueue(a, false);
       return in_ms(q.deadline(a));
     }},
    {"yield", "forfeit", "6.19", "0 12", "9 12",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.waits(0, 9 * kMsec);
       const TaskId b = q.runs(0, 9 * kMsec);
       q.fair.yield();
       return in_ms(q.vruntime(b)) + " " + in_ms(q.deadline(b));
     }},
    {"slice-unit", "700us", "6.15", "2.25", "2.1",
     [](const Kernel& k) {
       return in_ms(scaled_base_slice(k.rules.slice_unit, Scaling::log, 4));  // * 3
     }},
    {"custom-slice", "yes", "6.12", "refused", "1",
     [](const Kernel& k) {
       Settings settings = one_hog().in_case("task.hog.slice", "1ms");
       if (k.rules.custom_slice == CustomSlice::no) {
         settings.in_case("rule.custom-slice", "no");
         return std::string(settings.refused().empty() ? "" : "refused");
       }
       return in_ms(settings.in_case("rule.custom-slice", "yes").config().tasks[0].slice.value());
     }},
    {"PLACE_LAG", "on", "6.12", "5", "3",  // 5 - 1 * 2048 / 1024
     [](const Kernel& k) {
       KernelQueue q(k);
       q.waits(5 * kMsec, 8 * kMsec);
       const TaskId b = q.sleeps(kMsec);
       q.fair.enqueue(b, false);
       return in_ms(q.vruntime(b));
     }},
    {"PLACE_DEADLINE_INITIAL", "on", "6.12", "3", "1.5",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.waits(0, kSlice);
       const TaskId child = q.sleeps(0);
       q.fair.enqueue(child, true);
       return in_ms(q.deadline(child));
     }},
    // 1 ms is left of A's request: that, or a new slice.
    {"PLACE_REL_DEADLINE", "on", "6.12", "3", "1",
     [](const Kernel& k) {
       KernelQueue q(k);
       const TaskId a = q.waits(0, kMsec);
       q.waits(0, kSlice);
       q.fair.dequeue_for_change(a);
       q.fair.enqueue(a, false);
       return in_ms(q.deadline(a));
     }},
    // B is behind V = 1 when it falls asleep.
    {"DELAY_DEQUEUE", "on", "6.12", "no", "yes",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.waits(0, kSlice);
       const TaskId b = q.runs(2 * kMsec, 5 * kMsec);
       q.fair.dequeue_sleeper(b);
       return yes_or_no(q.at(b).on_rq);
     }},
    // The delayed A is 1 ms behind V when it is picked.
    {"DELAY_ZERO", "on", "6.12", "1", "0",
     [](const Kernel& k) {
       KernelQueue q(k);
       const TaskId a = q.delayed(q.waits(0, kSlice));
       q.runs(2 * kMsec, 5 * kMsec);
       q.pick();
       return in_ms(q.lag(a));
     }},
};

// --- protection -------------------------------------------------------------------

const Difference kProtection[] = {
    // B has a slice of 1 ms. Has A, after that time, protection left?
    {"protection", "min-slice", "6.17", "yes", "no",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.waits(0, kMsec, kMsec);
       q.runs(0, kSlice);
       q.charge(kMsec);
       return yes_or_no(q.fair.is_protected());
     }},
    // A's vruntime is 1.5: more than the slice of 1 ms of the short B, but not ahead of B,
    // which is at 2.
    {"protection", "until-ineligible", "7.3", "no", "yes",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.waits(2 * kMsec, 3 * kMsec, kMsec);
       q.runs(0, kSlice);
       q.charge(1'500 * kUsec);
       return yes_or_no(q.fair.is_protected());
     }},
    // A has outrun its protection of 1 ms by 0.5 when something about it is changed.
    {"protection-start", "pick", "7.0", "yes", "no",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.waits(0, kMsec, kMsec);
       q.runs(0, kSlice);
       q.charge(1'500 * kUsec);
       q.changed([](TaskId) {});
       return yes_or_no(q.fair.is_protected());
     }},
    // The short B wakes up ahead of V = 0.5 and does not preempt A.
    {"protection-cut", "short-wakeup", "6.17", "3", "1",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.runs(0, kSlice);
       q.wakes(q.waits(kMsec, 2 * kMsec, kMsec));
       return in_ms(q.vprot());
     }},
    // The short B came in silence; then C, which is not short, wakes up and does not preempt.
    {"protection-cut", "tested-wakeup", "6.19", "3", "1",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.runs(0, kSlice);
       q.waits(0, kMsec, kMsec);
       q.wakes(q.waits(0, kSlice));
       return in_ms(q.vprot());
     }},
    // The short B is a batch task, which never preempts.
    {"protection-cut", "every-wakeup", "7.3", "3", "1",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.runs(0, kSlice);
       q.wakes(q.of_policy(q.waits(0, kMsec, kMsec), Policy::batch));
       return in_ms(q.vprot());
     }},
    // The same when A is at 1 and V at 0.5.
    {"cut-from", "not-ahead", "7.3", "2", "1.5",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.runs(0, kSlice);
       q.charge(kMsec);
       q.wakes(q.of_policy(q.waits(0, kMsec, kMsec), Policy::batch));
       return in_ms(q.vprot());
     }},
    {"idle-protection", "cancelled", "6.15", "A", "B",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.of_policy(q.runs(0, 9 * kMsec), Policy::idle);
       const TaskId b = q.waits(0, 8 * kMsec);
       EXPECT_TRUE(q.wakes(b));
       return q.pick();
     }},
    // B's deadline is earlier, but A is protected.
    {"RUN_TO_PARITY", "on", "6.12", "B", "A",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.runs(0, 9 * kMsec);
       q.waits(0, kMsec);
       return q.pick();
     }},
};

// --- reschedules and wake-ups --------------------------------------------------------

/// A runs protected, B waits with the earliest deadline of the two, and then C with a slice
/// of 1 ms and a deadline between the two.
KernelQueue& with_short_third(KernelQueue& q) {
  q.runs(0, 9 * kMsec);
  q.waits(0, 7 * kMsec);
  q.waits(0, 8 * kMsec, kMsec);
  return q;
}

/// A runs, not eligible. B is the next buddy, and the short C has an earlier deadline.
bool short_beats_buddy(const Kernel& k) {
  KernelQueue q(k);
  q.runs(kMsec, 9 * kMsec);
  q.rq.next = q.waits(0, 7 * kMsec);
  return q.wakes(q.waits(0, 6 * kMsec, kMsec));
}

const Difference kDecisions[] = {
    // The unprotected A gets ahead of V. In the golden rows TwoHogs, too.
    {"trigger", "expiry-or-ineligible", "6.12", "no", "yes",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.waits(0, kSlice);
       q.runs(0, kSlice);
       q.fair.cancel_protection();
       return yes_or_no(q.charge(kMsec));
     }},
    // A has outrun the slice of the short B, but is eligible: 2 against V = 3.5.
    {"trigger", "expiry-or-unprotected", "6.17", "no", "yes",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.waits(5 * kMsec, 6 * kMsec, kMsec);
       q.runs(0, kSlice);
       return yes_or_no(q.charge(2 * kMsec));
     }},
    {"short-wakeup", "earlier", "6.12", "no", "yes",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.runs(0, 9 * kMsec);
       return yes_or_no(q.wakes(q.waits(0, 8 * kMsec, kMsec)));
     }},
    // The short C is not the best. Is A's protection left?
    {"short-wakeup", "best", "6.17", "no", "yes",
     [](const Kernel& k) {
       KernelQueue q(k);
       EXPECT_FALSE(with_short_third(q).wakes(2));
       return yes_or_no(q.fair.is_protected());
     }},
    {"short-wakeup", "eligible", "7.3", "no", "yes",
     [](const Kernel& k) {
       KernelQueue q(k);
       return yes_or_no(with_short_third(q).wakes(2));
     }},
    {"short-buddy", "yes", "7.3", "B", "C",
     [](const Kernel& k) {
       KernelQueue q(k);
       EXPECT_TRUE(with_short_third(q).wakes(2));
       return q.pick();
     }},
    // A is ahead of V. The delayed B would be picked, and behind it the woken C.
    {"wakeup-pick", "drains-delayed", "7.1", "no", "yes",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.runs(kMsec, 9 * kMsec);
       q.delayed(q.waits(0, 7 * kMsec));
       return yes_or_no(q.wakes(q.waits(0, 8 * kMsec)));
     }},
    // A is ahead of V, so that its child B would be picked.
    {"fork-wakeup", "never", "6.19", "yes", "no",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.runs(kMsec, 9 * kMsec);
       return yes_or_no(q.wakes(q.waits(0, 8 * kMsec), {.forked = true}));
     }},
    // B and then C wake up; C's deadline is later.
    {"next-buddy", "earlier-deadline", "6.19", "C", "B",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.settings.features.next_buddy = true;
       q.runs(0, 9 * kMsec);
       q.wakes(q.waits(0, 5 * kMsec));
       q.wakes(q.waits(0, 6 * kMsec));
       return q.pick();
     }},
    // NEXT_BUDDY is on, PICK_BUDDY is off: is the buddy B preferred to C?
    {"buddy-pick", "if-pick-buddy", "6.15", "B", "C",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.settings.features.next_buddy = true;
       q.settings.features.pick_buddy = false;
       q.runs(kMsec, 9 * kMsec);
       const TaskId b = q.waits(0, 5 * kMsec);
       q.waits(0, 4 * kMsec);
       q.wakes(b);
       return q.pick();
     }},
    // The wake-up's test comes up with the buddy, ...
    {"buddy-pick", "every-pick", "6.19", "yes", "no",
     [](const Kernel& k) { return yes_or_no(short_beats_buddy(k)); }},
    // ... but where protection does not count, a buddy does not either.
    {"buddy-pick", "protected-pick", "7.1", "no", "yes",
     [](const Kernel& k) { return yes_or_no(short_beats_buddy(k)); }},
    {"idle-wakeup", "if-enabled", "6.12", "yes", "no",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.settings.features.wakeup_preemption = false;
       q.of_policy(q.runs(0, 9 * kMsec), Policy::idle);
       return yes_or_no(q.wakes(q.waits(0, 8 * kMsec)));
     }},
    {"PREEMPT_SHORT", "on", "6.12", "no", "yes",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.runs(0, 9 * kMsec);
       return yes_or_no(q.wakes(q.waits(0, 8 * kMsec, kMsec)));
     }},
    // B becomes the buddy, and the pick of its own test prefers it to the protected A.
    {"NEXT_BUDDY", "on", "6.19", "no", "yes",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.runs(0, 9 * kMsec);
       return yes_or_no(q.wakes(q.waits(0, 8 * kMsec)));
     }},
    {"PICK_BUDDY", "on", "6.19", "no", "yes",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.settings.features.next_buddy = true;
       q.runs(0, 9 * kMsec);
       return yes_or_no(q.wakes(q.waits(0, 8 * kMsec)));
     }},
    {"WAKEUP_PREEMPTION", "on", "6.12", "no", "yes",
     [](const Kernel& k) {
       KernelQueue q(k);
       q.runs(kMsec, 9 * kMsec);
       return yes_or_no(q.wakes(q.waits(0, 8 * kMsec)));
     }},
};

// --- HRTICK -----------------------------------------------------------------------

const Difference kTimers[] = {
    // The timer fires at the end of A's slice, while the kernel may be in a stretch of 5 ms
    // and preemption is lazy. A hard request ends it; a lazy one waits.
    {"hrtick", "slice-lazy", "6.13", "A@0 B@3", "A@0",
     [](const Kernel& k) {
       Config config = config_of("6.13", 100, kSlice, {hog("A"), hog("B")});
       config.rules = k.rules;
       config.features.hrtick = true;
       config.preemption = Preemption::lazy;
       config.stretch = 5 * kMsec;
       KernelDomain d(k.rules.delta_fair);
       const SystemSpec spec = make_system(config);
       Runner<KernelDomain> run(d, spec);
       return run.wake(0, 0).wake(kMsec, 1).hrtick(kSlice).switches();
     }},
    // A has run alone for 3.5 ms when the batch task B comes: its slice since the pick is
    // over, but its new deadline is 3 ms away.
    {"hrtick", "deadline", "7.1", "A@0 B@3.5", "A@0",
     [](const Kernel& k) {
       KernelDomain d(k.rules.delta_fair);
       const SystemSpec spec =
           system_of(k, 100, kSlice, {hog("A"), with_policy(hog("B"), Policy::batch)});
       Runner<KernelDomain> run(d, spec);
       return run.wake(0, 0).wake(3'500 * kUsec, 1).switches();
     }},
    {"HRTICK", "on", "7.1", "A@0 B@10", "A@0 B@3",
     [](const Kernel& k) {
       KernelDomain d(k.rules.delta_fair);
       const SystemSpec spec = system_of(k, 100, kSlice, {hog("A"), hog("B")});
       Runner<KernelDomain> run(d, spec);
       run.wake(0, 0).wake(0, 1);
       return (run.cpu().hrtick_armed ? run.hrtick(kSlice) : run.ticks(10 * kMsec)).switches();
     }},
};

/// What no run of a concrete domain can tell from the choice before it.
const std::map<std::string, std::string> kUntold{
    {"tie=insertion",
     "of the picks that tie=any allows, a concrete run makes this one; tie_test.cpp"},
};

std::vector<Difference> differences() {
  std::vector<Difference> all;
  const auto add = [&](const auto& some) {
    all.insert(all.end(), std::begin(some), std::end(some));
  };
  add(kNumbers);
  add(kProtection);
  add(kDecisions);
  add(kTimers);
  return all;
}

/// The choice before it; nullptr if there is none.
const Choice* choice_before(const RuleInfo& rule, std::string_view name) {
  for (std::size_t i = 1; i < rule.choices.size(); ++i) {
    if (rule.choices[i].name == name) return &rule.choices[i - 1];
  }
  return nullptr;
}

class ToldApart : public testing::TestWithParam<Difference> {};

TEST_P(ToldApart, FromTheChoiceBefore) {
  const Difference& d = GetParam();
  Kernel before(d.kernel);
  Kernel after(d.kernel);
  if (const FeatureInfo* feature = find_feature(d.name)) {
    before.features.*feature->field = false;
    after.features.*feature->field = true;
  } else {
    const RuleInfo& rule = *std::find_if(all_rules().begin(), all_rules().end(),
                                         [&](const RuleInfo& r) { return r.name == d.name; });
    const Choice* former = choice_before(rule, d.choice);
    ASSERT_NE(former, nullptr);
    EXPECT_EQ(choice_of(rule, after.rules), d.choice) << "not in " << d.kernel;
    set_rule(before.rules, d.name, former->name);
  }
  EXPECT_EQ(d.outcome(before), d.before);
  EXPECT_EQ(d.outcome(after), d.after);
  EXPECT_STRNE(d.before, d.after);
}

INSTANTIATE_TEST_SUITE_P(Choices, ToldApart, testing::ValuesIn(differences()),
                         [](const auto& difference) {
                           std::string name =
                               std::string(difference.param.name) + "_" + difference.param.choice;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(ToldApart, EveryChoiceAndEveryFeature) {
  std::set<std::string> told;
  for (const Difference& d : differences()) {
    EXPECT_TRUE(told.insert(std::string(d.name) + "=" + d.choice).second) << d.name;
  }
  std::set<std::string> expected;
  for (const FeatureInfo& feature : all_features()) {
    expected.insert(std::string(feature.name) + "=on");
  }
  for (const RuleInfo& rule : all_rules()) {
    for (const Choice& choice : rule.choices.subspan(1)) {
      const std::string name = std::string(rule.name) + "=" + std::string(choice.name);
      if (!kUntold.contains(name)) expected.insert(name);
    }
  }
  EXPECT_EQ(told, expected);
}

}  // namespace
}  // namespace tickproof
