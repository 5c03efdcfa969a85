#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/parameters.hpp"
#include "model/profiles.hpp"
#include "tests/model/settings.hpp"

namespace tickproof {
namespace {

using Lines = std::vector<std::string>;

Lines keys_of(const std::vector<Value>& values) {
  Lines keys;
  for (const Value& value : values) keys.push_back(value.key);
  return keys;
}

TEST(Resolve, EveryValueHasAPlaceInTheOrder) {
  const Resolved resolved = one_hog()
                                .in_case("task.p.workload", "periodic")
                                .in_case("task.p.period", "10ms")
                                .in_case("task.p.burst", "1ms")
                                .resolved();
  EXPECT_EQ(keys_of(resolved.values), (Lines{"kernel",
                                             "hz",
                                             "cpus",
                                             "scaling",
                                             "base_slice",
                                             "preempt",
                                             "stretch",
                                             "tick.mode",
                                             "tick.irq_time",
                                             "tick.loss",
                                             "tick.switch_delay",
                                             "feature.PLACE_LAG",
                                             "feature.PLACE_DEADLINE_INITIAL",
                                             "feature.PLACE_REL_DEADLINE",
                                             "feature.RUN_TO_PARITY",
                                             "feature.PREEMPT_SHORT",
                                             "feature.NEXT_BUDDY",
                                             "feature.PICK_BUDDY",
                                             "feature.DELAY_DEQUEUE",
                                             "feature.DELAY_ZERO",
                                             "feature.WAKEUP_PREEMPTION",
                                             "feature.HRTICK",
                                             "rule.delta-fair",
                                             "rule.zero",
                                             "rule.tie",
                                             "rule.protection",
                                             "rule.protection-start",
                                             "rule.protection-cut",
                                             "rule.cut-from",
                                             "rule.trigger",
                                             "rule.short-wakeup",
                                             "rule.short-buddy",
                                             "rule.wakeup-pick",
                                             "rule.fork-wakeup",
                                             "rule.next-buddy",
                                             "rule.buddy-pick",
                                             "rule.idle-protection",
                                             "rule.idle-wakeup",
                                             "rule.yield",
                                             "rule.fork-placement",
                                             "rule.lag-limit",
                                             "rule.delayed-lag",
                                             "rule.requeue-charge",
                                             "rule.renice",
                                             "rule.hrtick",
                                             "rule.custom-slice",
                                             "rule.slice-unit",
                                             "task.hog.workload",
                                             "task.hog.count",
                                             "task.hog.nice",
                                             "task.hog.policy",
                                             "task.hog.slice",
                                             "task.hog.arrives",
                                             "task.hog.start",
                                             "task.p.workload",
                                             "task.p.count",
                                             "task.p.nice",
                                             "task.p.policy",
                                             "task.p.slice",
                                             "task.p.arrives",
                                             "task.p.start",
                                             "task.p.burst",
                                             "task.p.period",
                                             "task.p.jitter"}));
  EXPECT_TRUE(resolved.notes.empty());
}

TEST(Resolve, Defaults) {
  const Config config = one_hog().config();
  EXPECT_EQ(config.kernel, "6.12.117");
  EXPECT_EQ(config.rules, find_profile("6.12.117").rules);
  EXPECT_EQ(config.features, find_profile("6.12.117").features);
  EXPECT_EQ(config.hz, 250);
  EXPECT_EQ(config.base_slice, 700 * kUsec);
  EXPECT_EQ(config.preemption, Preemption::full);
  EXPECT_EQ(config.loss, (Interval{0, 0}));
  EXPECT_EQ(one_hog().value("kernel"), "6.12.117, profile default");
  EXPECT_EQ(one_hog().value("rule.yield"), "forfeit, profile default");
  EXPECT_EQ(one_hog().value("feature.PREEMPT_SHORT"), "on, profile default");
  EXPECT_EQ(one_hog().value("task.hog.start"), "any, profile default");
}

TEST(Resolve, EveryKeyReachesTheConfiguration) {
  const Config config = Settings()
                            .in_case("kernel", "6.12")
                            .in_case("hz", "100")
                            .in_case("cpus", "8192")
                            .in_case("scaling", "linear")
                            .in_case("base_slice", "3ms")
                            .in_case("preempt", "voluntary")
                            .in_case("stretch", "50us")
                            .in_case("tick.mode", "periodic")
                            .in_case("tick.irq_time", "on")
                            .in_case("tick.loss", "0..3.6us")
                            .in_case("tick.switch_delay", "2us")
                            .in_case("feature.RUN_TO_PARITY", "off")
                            .in_case("rule.yield", "forfeit")
                            .in_case("task.a.count", "2")
                            .in_case("task.a.nice", "-20")
                            .in_case("task.a.policy", "batch")
                            .in_case("task.a.slice", "100us")
                            .in_case("task.a.workload", "periodic")
                            .in_case("task.a.burst", "4ms")
                            .in_case("task.a.period", "4ms")
                            .in_case("task.a.jitter", "1ms")
                            .in_case("task.a.arrives", "fork")
                            .in_case("task.a.start", "0")
                            .in_case("task.b.workload", "sporadic")
                            .in_case("task.b.sleep", "0")
                            .in_case("task.b.burst", "1ns")
                            .in_case("task.b.slice", "base")
                            .in_case("task.b.start", "any")
                            .config();
  EXPECT_EQ(config.kernel, "6.12");
  EXPECT_EQ(config.hz, 100);
  EXPECT_EQ(config.cpus, 8192);
  EXPECT_EQ(config.scaling, Scaling::linear);
  EXPECT_EQ(config.base_slice, 3 * kMsec);
  EXPECT_EQ(config.preemption, Preemption::voluntary);
  EXPECT_EQ(config.stretch, 50 * kUsec);
  EXPECT_EQ(config.tick_mode, TickMode::periodic);
  EXPECT_TRUE(config.irq_time);
  EXPECT_EQ(config.loss, (Interval{0, 3'600}));
  EXPECT_EQ(config.switch_delay, (Interval{2'000, 2'000}));
  Features features = find_profile("6.12").features;
  features.run_to_parity = false;
  EXPECT_EQ(config.features, features);
  Rules rules = find_profile("6.12").rules;
  rules.yield = Yield::forfeit;
  EXPECT_EQ(config.rules, rules);

  TaskSpec a;
  a.name = "a";
  a.count = 2;
  a.nice = -20;
  a.policy = Policy::batch;
  a.slice = 100 * kUsec;
  a.workload = {Workload::Kind::periodic, 4 * kMsec, 1 * kMsec, 0, 4 * kMsec};
  a.arrival = Arrival::fork;
  a.start = 0;
  TaskSpec b;
  b.name = "b";
  b.workload = {Workload::Kind::sporadic, 0, 0, 0, 1};
  EXPECT_EQ(config.tasks, (std::vector{a, b}));
}

TEST(Resolve, TheLastOneNamedWins) {
  const Origin sched_debug{Origin::Kind::sched_debug, "sched/base_slice_ns"};
  Settings settings = one_hog()
                          .in_case("hz", "250")
                          .in_case("base_slice", "3ms")
                          .from({Origin::Kind::kconfig, "config:7"}, "hz", "100")
                          .from(sched_debug, "base_slice", "2800000ns");
  EXPECT_EQ(settings.value("hz"), "100, kconfig (config:7)");
  EXPECT_EQ(settings.value("base_slice"), "2.8ms, sched-debug (sched/base_slice_ns)");
  settings.with("--hz", "hz", "1000")
      .with("--hz", "hz", "300")
      .with("--task", "task.hog.nice", "5");
  EXPECT_EQ(settings.value("hz"), "300, command line (--hz)");
  EXPECT_EQ(settings.value("task.hog.nice"), "5, command line (--task)");
  EXPECT_EQ(settings.value("task.hog.workload"), "hog, case (x.toml:1)");
}

TEST(Resolve, WhatIsOverruledMustStillMakeSense) {
  EXPECT_EQ(one_hog().in_case("hz", "0").with("--hz", "hz", "100").refused().substr(0, 13),
            "x.toml:2: hz:");
}

// The kernel may be named last: its defaults are below everything all the same.
TEST(Resolve, TheProfileIsBelowEverything) {
  Settings settings = one_hog()
                          .in_case("rule.yield", "forfeit")
                          .in_case("feature.RUN_TO_PARITY", "off")
                          .in_case("kernel", "6.12")
                          .with("--kernel", "kernel", "6.8");
  EXPECT_EQ(settings.value("kernel"), "6.8, command line (--kernel)");
  EXPECT_EQ(settings.value("rule.yield"), "forfeit, case (x.toml:2)");
  EXPECT_EQ(settings.value("feature.RUN_TO_PARITY"), "off, case (x.toml:3)");
  EXPECT_EQ(settings.value("rule.trigger"), "expiry, profile default");
  EXPECT_EQ(settings.value("feature.PREEMPT_SHORT"), "off, profile default");
  Rules rules = find_profile("6.8").rules;
  rules.yield = Yield::forfeit;
  EXPECT_EQ(settings.config().rules, rules);
}

TEST(Resolve, TasksComeInTheOrderOfTheirFirstMention) {
  const Config config = Settings()
                            .in_case("task.z.nice", "1")
                            .in_case("task.a.workload", "hog")
                            .in_case("task.z.workload", "unconstrained")
                            .config();
  ASSERT_EQ(config.tasks.size(), 2U);
  EXPECT_EQ(config.tasks[0].name, "z");
  EXPECT_EQ(config.tasks[1].name, "a");
}

// What resolve() shows, it also reads: the values of one configuration make the same again.
TEST(Resolve, ValuesReadBack) {
  const Resolved first = one_hog()
                             .in_case("cpus", "4")
                             .in_case("tick.irq_time", "on")
                             .in_case("task.p.workload", "periodic")
                             .in_case("task.p.period", "10ms")
                             .in_case("task.p.burst", "1ms")
                             .resolved();
  Settings again;
  for (const Value& value : first.values) again.in_case(value.key, value.text);
  const Resolved second = again.resolved();
  ASSERT_EQ(first.values.size(), second.values.size());
  for (std::size_t i = 0; i < first.values.size(); ++i) {
    EXPECT_EQ(first.values[i].key, second.values[i].key);
    EXPECT_EQ(first.values[i].text, second.values[i].text);
  }
}

// "--task t.workload=hog" makes a hog of the sporadic task of a case.
TEST(Resolve, AnotherWorkloadTakesTheOldNumbersAway) {
  Settings settings = one_task("sporadic", {{"sleep", "1ms"}, {"burst", "1ms"}})
                          .with("--task", "task.t.workload", "hog");
  EXPECT_EQ(settings.config().tasks[0].workload, Workload{});
  EXPECT_EQ(settings.value("task.t.burst"), "");
  settings.with("--task", "task.t.burst", "2ms");
  EXPECT_EQ(settings.refused(),
            "--task: task.t.burst: does not belong to the workload hog, which has nothing to set");
}

// kernel/sched/fair.c, get_update_sysctl_factor(), with the default log scaling.
TEST(BaseSlice, ScaledByTheLogarithmOfTheCpus) {
  struct Row {
    int cpus;
    const char* until_6_14;
    const char* from_6_15;
  };
  for (const Row& row :
       {Row{1, "750us", "700us"}, Row{2, "1.5ms", "1.4ms"}, Row{3, "1.5ms", "1.4ms"},
        Row{4, "2.25ms", "2.1ms"}, Row{7, "2.25ms", "2.1ms"}, Row{8, "3ms", "2.8ms"},
        Row{9, "3ms", "2.8ms"}, Row{8192, "3ms", "2.8ms"}}) {
    Settings settings = one_hog().in_case("cpus", std::to_string(row.cpus));
    EXPECT_EQ(format_duration(settings.in_case("kernel", "6.8").config().base_slice),
              row.until_6_14);
    EXPECT_EQ(format_duration(settings.in_case("kernel", "6.12").config().base_slice),
              row.until_6_14);
    EXPECT_EQ(format_duration(settings.in_case("kernel", "6.12.117").config().base_slice),
              row.from_6_15);
  }
}

TEST(BaseSlice, OtherScalings) {
  EXPECT_EQ(one_hog().in_case("cpus", "8").in_case("scaling", "none").value("base_slice"),
            "700us, case (x.toml:2; 1 x 700us for 8 CPUs)");
  EXPECT_EQ(one_hog().in_case("cpus", "3").in_case("scaling", "linear").value("base_slice"),
            "2.1ms, case (x.toml:2; 3 x 700us for 3 CPUs)");
  EXPECT_EQ(one_hog().in_case("cpus", "64").in_case("scaling", "linear").value("base_slice"),
            "5.6ms, case (x.toml:2; 8 x 700us for 64 CPUs)");
}

TEST(BaseSlice, FollowsTheRule) {
  EXPECT_EQ(one_hog().with("--rule", "rule.slice-unit", "750us").value("base_slice"),
            "750us, profile default (1 x 750us for 1 CPU)");
}

TEST(BaseSlice, ShownWithTheOriginOfTheCpus) {
  EXPECT_EQ(one_hog().value("base_slice"), "700us, profile default (1 x 700us for 1 CPU)");
  EXPECT_EQ(one_hog().with("--cpus", "cpus", "8").value("base_slice"),
            "2.8ms, command line (--cpus; 4 x 700us for 8 CPUs)");
}

TEST(BaseSlice, AnExplicitOneIsNotScaled) {
  Settings settings = one_hog()
                          .in_case("base_slice", "3ms")
                          .with("--cpus", "cpus", "2")
                          .with("--scaling", "scaling", "linear");
  EXPECT_EQ(settings.value("base_slice"), "3ms, case (x.toml:2)");
  EXPECT_EQ(one_hog().in_case("base_slice", "1ns").config().base_slice, 1);
  EXPECT_EQ(one_hog().in_case("base_slice", "4294967295ns").config().base_slice, 4'294'967'295);
}

const std::string kLossNote =
    "tick.loss: 0..4us is an assumption that follows from tick.irq_time=on (measured at HZ=1000: "
    "rq_clock_task advances 3.1 to 3.6us less than the tick; zihan zhou, LKML, 17 Dec 2024); set "
    "tick.loss for another";

TEST(Notes, IrqTimeAssumesALoss) {
  Settings settings = one_hog().from({Origin::Kind::kconfig, "config:9"}, "tick.irq_time", "on");
  EXPECT_EQ(settings.value("tick.loss"), "0..4us, kconfig (config:9; assumed)");
  EXPECT_EQ(settings.config().loss, (Interval{0, 4'000}));
  EXPECT_EQ(settings.notes(), (Lines{kLossNote}));
}

TEST(Notes, ALossThatIsGivenStays) {
  Settings settings = one_hog().in_case("tick.irq_time", "on").in_case("tick.loss", "0");
  EXPECT_EQ(settings.value("tick.loss"), "0, case (x.toml:3)");
  EXPECT_TRUE(settings.notes().empty());
  // Steal time is a loss without interrupt accounting.
  EXPECT_EQ(one_hog().in_case("tick.loss", "1us..2us").config().loss, (Interval{1'000, 2'000}));
}

TEST(Notes, NoIrqTimeNoLoss) {
  Settings settings = one_hog().in_case("tick.irq_time", "off");
  EXPECT_EQ(settings.value("tick.loss"), "0, profile default");
  EXPECT_TRUE(settings.notes().empty());
}

TEST(Notes, LazyPreemptionBeforeItsTime) {
  Settings settings = one_hog().in_case("preempt", "lazy");
  EXPECT_EQ(settings.config().preemption, Preemption::lazy);
  EXPECT_EQ(settings.notes(), (Lines{"preempt=lazy: 6.12.117 has no lazy preemption; it is "
                                     "modelled as it is from 6.13 on"}));
}

TEST(Notes, PreemptShortWithoutItsRule) {
  EXPECT_EQ(one_hog().in_case("kernel", "6.8").in_case("feature.PREEMPT_SHORT", "on").notes(),
            (Lines{"feature.PREEMPT_SHORT: has no effect with the rule short-wakeup=never of "
                   "6.8"}));
  EXPECT_TRUE(one_hog().in_case("feature.PREEMPT_SHORT", "on").notes().empty());
}

// A running kernel names all of its features; most play no part in the model.
TEST(Notes, WhatAFifoTaskHasNoUseFor) {
  const Settings settings = one_task(
      "sporadic", {{"burst", "1ms"}, {"policy", "fifo"}, {"nice", "5"}, {"renice", "0, 5"}});
  EXPECT_EQ(settings.notes(),
            (std::vector<std::string>{"task.t.nice: has no effect on a SCHED_FIFO task",
                                      "task.t.renice: has no effect on a SCHED_FIFO task"}));
  EXPECT_TRUE(settings.config().tasks[0].renice.empty());
}

TEST(Notes, FeaturesOfARunningKernel) {
  const Origin file{Origin::Kind::sched_debug, "sched/features"};
  Settings settings = one_hog()
                          .from(file, "feature.TTWU_QUEUE", "on")
                          .from(file, "feature.PARANOID_AVG", "off")
                          .from(file, "feature.HRTICK", "on");
  EXPECT_TRUE(settings.notes().empty());
  EXPECT_EQ(settings.value("feature.HRTICK"), "on, sched-debug (sched/features)");
  EXPECT_EQ(settings.value("feature.TTWU_QUEUE"), "");
  settings.from(file, "feature.PARANOID_AVG", "on");
  EXPECT_EQ(settings.notes(), (Lines{"PARANOID_AVG is on in sched/features, and is not modelled"}));
}

}  // namespace
}  // namespace tickproof
