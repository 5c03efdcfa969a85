#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/parameters.hpp"
#include "tests/model/settings.hpp"

namespace tickproof {
namespace {

/// Sets `key` in line 2, behind a hog.
std::string refused(const std::string& key, const std::string& value) {
  const std::string message = one_hog().in_case(key, value).refused();
  const std::string start = "x.toml:2: " + key + ": ";
  EXPECT_TRUE(message.starts_with(start)) << message;
  return message.substr(std::min(message.size(), start.size()));
}

TEST(Refused, WholeNumbersOutOfRange) {
  for (const std::string hz : {"0", "-100", "11", "12288", "fast", "", "250.0", "250 ", "1e3"}) {
    EXPECT_EQ(refused("hz", hz), "'" + hz +
                                     "' is not a whole number from 12 to 12287, as a rule "
                                     "100, 250, 300 or 1000");
  }
  for (const std::string cpus : {"0", "-1", "8193", "all"}) {
    EXPECT_EQ(refused("cpus", cpus), "'" + cpus + "' is not a whole number from 1 to 8192");
  }
  for (const std::string nice : {"-21", "20", "+5", "low"}) {
    EXPECT_EQ(refused("task.hog.nice", nice),
              "'" + nice + "' is not a whole number from -20 to 19");
  }
  for (const std::string count : {"0", "-1", "65", "two"}) {
    EXPECT_EQ(refused("task.hog.count", count),
              "'" + count + "' is not a whole number from 1 to 64");
  }
  EXPECT_EQ(one_hog().in_case("hz", "12").config().hz, 12);
  EXPECT_EQ(one_hog().in_case("hz", "12287").config().hz, 12287);
}

TEST(Refused, OnTheCommandLineTheOptionIsThePlace) {
  EXPECT_EQ(one_hog().with("--hz", "hz", "0").refused(),
            "--hz: hz: '0' is not a whole number from 12 to 12287, as a rule 100, 250, 300 or "
            "1000");
}

TEST(Refused, Slices) {
  EXPECT_EQ(refused("base_slice", "0"), "'0' is not within 1ns..4.294967295s");
  EXPECT_EQ(refused("base_slice", "4294967296ns"),
            "'4294967296ns' is not within 1ns..4.294967295s");
  for (const std::string slice : {"99.999us", "100.000001ms", "0"}) {
    EXPECT_EQ(refused("task.hog.slice", slice),
              "'" + slice +
                  "' is not within 100us..100ms; the kernel would clamp it without a "
                  "word");
  }
  EXPECT_EQ(one_hog().in_case("task.hog.slice", "100us").config().tasks[0].slice, 100 * kUsec);
  EXPECT_EQ(one_hog().in_case("task.hog.slice", "100ms").config().tasks[0].slice, 100 * kMsec);
}

TEST(Refused, ASliceWhereTheKernelHasNone) {
  Settings settings = one_hog().in_case("task.hog.slice", "1ms");
  EXPECT_EQ(settings.with("--kernel", "kernel", "6.8").refused(),
            "x.toml:2: task.hog.slice: 6.8 has no slices of a task's own (rule custom-slice=no); "
            "there are since 6.12 (857b158dc5e8)");
  settings.with("--task", "task.hog.slice", "base");
  EXPECT_EQ(settings.config().tasks[0].slice, std::nullopt);
}

TEST(Refused, TimesThatAreNone) {
  const std::string hint = "; write a number and a unit: 3ms, 2.8ms, 700us, 0";
  for (const std::string key : {"base_slice", "stretch", "tick.loss", "tick.switch_delay",
                                "task.hog.slice", "task.hog.start", "task.hog.sleep",
                                "task.hog.burst", "task.hog.period", "task.hog.jitter"}) {
    EXPECT_EQ(refused(key, "3"), "'3' is not a time" + hint);
    EXPECT_EQ(refused(key, "-3ms"), "'-3ms' is negative" + hint);
  }
  EXPECT_EQ(refused("tick.loss", "3us..1us"), "'3us..1us' ends before it starts; write low..high");
}

TEST(Refused, IntervalsAsLongAsATick) {
  EXPECT_EQ(refused("tick.loss", "0..4ms"),
            "0..4ms reaches the tick period; expected less than 4ms at hz 250");
  EXPECT_EQ(refused("tick.switch_delay", "4ms"),
            "4ms reaches the tick period; expected less than 4ms at hz 250");
  EXPECT_EQ(one_hog().in_case("tick.loss", "3.999999ms").config().loss.hi, 3'999'999);
  // It is the HZ in force that counts.
  EXPECT_EQ(one_hog().in_case("tick.loss", "2ms").with("--hz", "hz", "1000").refused(),
            "x.toml:2: tick.loss: 2ms reaches the tick period; expected less than 1ms at hz 1000");
}

TEST(Refused, ChoicesThatThereAreNot) {
  EXPECT_EQ(refused("scaling", "cubic"), "'cubic' is not one of none, log, linear");
  EXPECT_EQ(refused("preempt", "rt"), "'rt' is not one of none, voluntary, full, lazy");
  EXPECT_EQ(refused("tick.mode", "NOHZ"), "'NOHZ' is not one of periodic, nohz-idle");
  EXPECT_EQ(refused("tick.irq_time", "yes"), "'yes' is not one of off, on");
  EXPECT_EQ(refused("feature.HRTICK", "1"), "'1' is not one of off, on");
  EXPECT_EQ(refused("task.hog.policy", "rr"), "'rr' is not one of normal, batch, idle, fifo");
  EXPECT_EQ(refused("task.hog.arrives", "late"), "'late' is not one of wake, fork");
  EXPECT_EQ(refused("task.hog.workload", "hug"),
            "'hug' is not one of hog, periodic, sporadic, yielder, unconstrained");
  EXPECT_EQ(refused("kernel", "2.6"),
            "no profile for kernel '2.6', which has no EEVDF; there are 6.6, 6.8, 6.12, 6.12.117, "
            "6.13, 6.15, 6.17, 6.19, 7.0, 7.1, 7.2, 7.3");
  EXPECT_EQ(refused("rule.yield", "retreat"),
            "rule yield has no choice 'retreat'; it is one of push-deadline, forfeit");
  EXPECT_TRUE(
      refused("rule.yeild", "forfeit").starts_with("no rule 'yeild'; there are delta-fair"));
}

TEST(Refused, InOneLineWithoutControlCharacters) {
  EXPECT_EQ(refused("kernel", "\x1b[31m\n"),
            "'?[31m?' is no kernel version; expected one like 6.12.117, 7.2-rc8 or what `uname -r` "
            "prints");
}

TEST(Refused, FeaturesThatAreNotModelled) {
  const std::string there_are =
      "there are PLACE_LAG, PLACE_DEADLINE_INITIAL, PLACE_REL_DEADLINE, RUN_TO_PARITY, "
      "PREEMPT_SHORT, NEXT_BUDDY, PICK_BUDDY, DELAY_DEQUEUE, DELAY_ZERO, WAKEUP_PREEMPTION, "
      "HRTICK";
  EXPECT_EQ(refused("feature.TTWU_QUEUE", "on"), "no feature 'TTWU_QUEUE'; " + there_are);
  EXPECT_EQ(one_hog().with("--feature", "feature.RUN_TO_PARTY", "off").refused(),
            "--feature: feature.RUN_TO_PARTY: no feature 'RUN_TO_PARTY'; did you mean "
            "RUN_TO_PARITY? " +
                there_are);
}

TEST(Refused, UnknownKeys) {
  const std::string keys =
      "there are kernel, hz, cpus, scaling, base_slice, preempt, stretch, tick.mode, "
      "tick.irq_time, tick.loss, tick.switch_delay, feature.";
  for (const auto& [slip, meant] : std::vector<std::pair<std::string, std::string>>{
           {"base_slise", "base_slice"}, {"HZ", "hz"}, {"tick_mode", "tick.mode"}}) {
    const std::string message = one_hog().in_case(slip, "1").refused();
    EXPECT_TRUE(
        message.starts_with("x.toml:2: no key '" + slip + "'; did you mean " + meant + "? " + keys))
        << message;
  }
  EXPECT_TRUE(
      one_hog()
          .in_case("task.hog.niec", "1")
          .refused()
          .starts_with("x.toml:2: no key 'task.hog.niec'; did you mean task.hog.nice? there are"));
  EXPECT_TRUE(one_hog()
                  .with("--task", "task.nice", "1")
                  .refused()
                  .starts_with("--task: no key 'task.nice'; "));
  EXPECT_TRUE(one_hog().in_case("rule.", "no").refused().starts_with("x.toml:2: no key 'rule.'"));
  EXPECT_TRUE(one_hog()
                  .in_case("feature.\x1b[0m", "on")
                  .refused()
                  .starts_with("x.toml:2: no key 'feature.?[0m'"));
}

TEST(Refused, TasksThatThereAreNot) {
  EXPECT_EQ(
      one_hog().in_case("task.b.workload", "hog").with("--task", "task.hgo.nice", "1").refused(),
      "--task: task.hgo.nice: no task 'hgo'; did you mean hog? there are hog, b");
  EXPECT_EQ(Settings().with("--task", "task.hog.workload", "hog").refused(),
            "--task: task.hog.workload: no task 'hog'; there is none");
}

TEST(Refused, NoTaskAtAll) {
  EXPECT_EQ(Settings().in_case("hz", "100").refused(),
            "configuration: task: there is none; a [[task]] of a case file makes one");
}

TEST(Refused, TaskNames) {
  for (const std::string name : {"9lives", "-", "a.b", "a/b"}) {
    EXPECT_EQ(one_hog().in_case("task." + name + ".workload", "hog").refused(),
              "x.toml:2: task." + name + ".workload: '" + name +
                  "' is no name for a task; expected a letter, then letters, digits, '_' or '-'");
  }
  EXPECT_EQ(Settings().in_case("task.Z_9-b.workload", "hog").config().tasks[0].name, "Z_9-b");
}

// The model throttles nobody.
TEST(Refused, FifoTasksThatNeedNotSleep) {
  EXPECT_EQ(refused("task.hog.policy", "fifo"),
            "fifo does not go with the workload hog, which need not ever sleep; expected periodic "
            "or sporadic");
  for (const auto& [workload, fields] :
       std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::string>>>>{
           {"yielder", {{"burst", "1ms"}}}, {"unconstrained", {}}}) {
    EXPECT_EQ(one_task(workload, fields).in_case("task.t.policy", "fifo").refused(),
              fmt::format("x.toml:{}: task.t.policy: fifo does not go with the workload {}, which "
                          "need not ever sleep; expected periodic or sporadic",
                          fields.size() + 2, workload));
  }
  EXPECT_EQ(one_task("sporadic", {{"burst", "1ms"}, {"policy", "fifo"}}).config().tasks[0].policy,
            Policy::fifo);
}

TEST(Refused, WhatATaskMayNotBeGiven) {
  EXPECT_EQ(refused("task.hog.renice", "0, 20"), "'20' is not a whole number from -20 to 19");
  EXPECT_EQ(refused("task.hog.renice", ""), "'' is not a whole number from -20 to 19");
  EXPECT_EQ(refused("task.hog.renice", "5, 0, 5"), "'5' comes twice");
  EXPECT_EQ(refused("task.hog.slices", "1ms, 99us"),
            "'99us' is not within 100us..100ms; the kernel would clamp it without a word");
  EXPECT_EQ(refused("task.hog.slices", "default, 1ms, default"), "'default' comes twice");
  EXPECT_EQ(one_hog().in_case("task.hog.slices", "1ms").in_case("kernel", "6.8").refused(),
            "x.toml:2: task.hog.slices: 6.8 has no slices of a task's own (rule custom-slice=no); "
            "there are since 6.12 (857b158dc5e8)");
  const TaskSpec task = one_hog()
                            .in_case("task.hog.renice", "-20,19")
                            .in_case("task.hog.slices", " 100us , default ")
                            .config()
                            .tasks[0];
  EXPECT_EQ(task.renice, (std::vector<int>{-20, 19}));
  EXPECT_EQ(task.slices, (std::vector<Ns>{100 * kUsec, kDefaultSlice}));
}

TEST(Refused, TooManyTasks) {
  Settings settings = one_hog()
                          .in_case("task.hog.count", "60")
                          .in_case("task.b.workload", "hog")
                          .in_case("task.b.count", "4");
  EXPECT_EQ(settings.config().tasks[1].count, 4);
  settings.with("--task", "task.b.count", "5");
  EXPECT_EQ(settings.refused(), "--task: task.b.count: makes 65 tasks in all; expected at most 64");
  EXPECT_EQ(one_hog().in_case("task.hog.count", "64").in_case("task.b.workload", "hog").refused(),
            "x.toml:3: task.b.count: makes 65 tasks in all; expected at most 64");
}

TEST(Refused, ATaskWithoutAWorkload) {
  EXPECT_EQ(one_hog().in_case("task.b.nice", "1").refused(),
            "x.toml:2: task.b.workload: is missing; expected one of hog, periodic, sporadic, "
            "yielder, unconstrained");
}

TEST(Refused, WorkloadsThatLackANumber) {
  EXPECT_EQ(one_task("periodic", {{"burst", "1ms"}}).refused(),
            "x.toml:1: task.t.period: is missing; the workload periodic needs it, above 0");
  EXPECT_EQ(one_task("periodic", {{"period", "1ms"}}).refused(),
            "x.toml:1: task.t.burst: is missing; the workload periodic needs it, above 0");
  EXPECT_EQ(one_task("sporadic", {{"sleep", "1ms"}}).refused(),
            "x.toml:1: task.t.burst: is missing; the workload sporadic needs it, above 0");
  EXPECT_EQ(one_task("yielder", {}).refused(),
            "x.toml:1: task.t.burst: is missing; the workload yielder needs it, above 0");
  for (const std::string workload : {"sporadic", "yielder"}) {
    EXPECT_EQ(one_task(workload, {{"burst", "0"}}).refused(),
              "x.toml:2: task.t.burst: is 0; expected a time above 0");
  }
  EXPECT_EQ(one_task("periodic", {{"burst", "1ms"}, {"period", "0"}}).refused(),
            "x.toml:3: task.t.period: is 0; expected a time above 0");
}

TEST(Refused, ABurstBeyondItsPeriod) {
  EXPECT_EQ(one_task("periodic", {{"period", "1ms"}, {"burst", "1.000001ms"}}).refused(),
            "x.toml:3: task.t.burst: 1.000001ms is longer than the period; expected at most 1ms");
}

TEST(Refused, NumbersOfAnotherWorkload) {
  for (const std::string field : {"sleep", "burst", "period", "jitter"}) {
    EXPECT_EQ(one_task("hog", {{field, "1ms"}}).refused(),
              "x.toml:2: task.t." + field +
                  ": does not belong to the workload hog, which has nothing to set");
    EXPECT_EQ(one_task("unconstrained", {{field, "0"}}).refused(),
              "x.toml:2: task.t." + field +
                  ": does not belong to the workload unconstrained, which has nothing to set");
  }
  EXPECT_EQ(
      one_task("sporadic", {{"burst", "1ms"}, {"period", "1ms"}}).refused(),
      "x.toml:3: task.t.period: does not belong to the workload sporadic, which has sleep, burst");
  EXPECT_EQ(one_task("yielder", {{"burst", "1ms"}, {"sleep", "1ms"}}).refused(),
            "x.toml:3: task.t.sleep: does not belong to the workload yielder, which has burst");
  EXPECT_EQ(
      one_task("periodic", {{"burst", "1ms"}, {"period", "1ms"}, {"sleep", "1ms"}}).refused(),
      "x.toml:4: task.t.sleep: does not belong to the workload periodic, which has burst, period, "
      "jitter");
}

}  // namespace
}  // namespace tickproof
