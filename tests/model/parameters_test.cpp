#include "model/parameters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "tests/model/settings.hpp"

namespace tickproof {
namespace {

using Lines = std::vector<std::string>;

const Option& option_named(const std::vector<Option>& options, const std::string& name) {
  return *std::find_if(options.begin(), options.end(),
                       [&](const Option& o) { return o.name == name; });
}

TEST(Options, OneForEachKeyAndEachFamily) {
  Lines options;
  for (const Option& option : command_line_options()) {
    options.push_back(option.name + " " + option.metavar);
    EXPECT_FALSE(option.help.empty());
    EXPECT_NE(option.prefix.empty(), option.key.empty());
  }
  EXPECT_EQ(options,
            (Lines{"--kernel VERSION", "--hz N", "--cpus N", "--scaling none|log|linear",
                   "--base-slice TIME", "--preempt none|voluntary|full|lazy", "--stretch TIME",
                   "--tick-mode periodic|nohz-idle", "--irq-time off|on",
                   "--tick-loss TIME|LOW..HIGH", "--switch-delay TIME|LOW..HIGH",
                   "--feature NAME=on|off", "--rule NAME=CHOICE", "--task NAME.FIELD=VALUE"}));
  EXPECT_EQ(option_named(command_line_options(), "--task").help,
            "changes a task of the case: workload, count, nice, policy, slice, renice, slices, "
            "arrives, start, sleep, burst, period, jitter");
}

TEST(Options, MakeAssignments) {
  const auto options = command_line_options();
  for (const auto& [name, text, key, value] :
       std::vector<std::tuple<std::string, std::string, std::string, std::string>>{
           {"--hz", "100", "hz", "100"},
           {"--irq-time", "on", "tick.irq_time", "on"},
           {"--rule", "yield=forfeit", "rule.yield", "forfeit"},
           {"--feature", "HRTICK=on", "feature.HRTICK", "on"},
           {"--task", "hog.slice=1ms", "task.hog.slice", "1ms"},
           {"--task", "hog.slice=a=b", "task.hog.slice", "a=b"}}) {
    const Assignment assignment = assignment_of(option_named(options, name), text);
    EXPECT_EQ(assignment.key, key);
    EXPECT_EQ(assignment.value, value);
    EXPECT_EQ(describe(assignment.origin), "command line (" + name + ")");
  }
  EXPECT_EQ(refusal([&] { assignment_of(option_named(options, "--rule"), "yield"); }),
            "--rule: 'yield' has no '='; expected NAME=CHOICE");
}

std::string described(const Settings& settings) {
  const Config config = settings.config();
  return describe_task(config.tasks.back(), config);
}

TEST(DescribeTask, EveryWorkload) {
  EXPECT_EQ(described(one_hog().in_case("task.hog.count", "2").in_case("cpus", "8")),
            "hog x2: nice 0, slice 2.8ms (base), computes for ever");
  EXPECT_EQ(
      described(one_task("sporadic", {{"sleep", "1ms"}, {"burst", "200us"}, {"slice", "500us"}})),
      "t: nice 0, slice 500us (custom), sleeps >= 1ms, computes <= 200us");
  EXPECT_EQ(described(one_task("periodic", {{"period", "10ms"}, {"burst", "2ms"}})),
            "t: nice 0, slice 700us (base), woken every 10ms, computes <= 2ms");
  EXPECT_EQ(
      described(one_task("periodic", {{"period", "10ms"}, {"burst", "2ms"}, {"jitter", "1ms"}})),
      "t: nice 0, slice 700us (base), woken every 10ms (up to 1ms late), computes <= 2ms");
  EXPECT_EQ(described(one_task("yielder", {{"burst", "200us"}})),
            "t: nice 0, slice 700us (base), computes <= 200us, then yields");
  EXPECT_EQ(described(one_task("unconstrained", {})),
            "t: nice 0, slice 700us (base), sleeps and wakes at will");
}

TEST(DescribeTask, WhatIsNotTheDefault) {
  EXPECT_EQ(
      described(one_task(
          "hog", {{"nice", "-5"}, {"policy", "idle"}, {"arrives", "fork"}, {"start", "3ms"}})),
      "t: nice -5, policy idle, slice 700us (base), computes for ever, first comes as a new "
      "child, starts at 3ms");
  EXPECT_EQ(described(one_task("hog", {{"renice", "0, 5"}, {"slices", "1ms,default"}})),
            "t: nice 0, slice 700us (base), computes for ever, may get nice 0 or 5 at any time, "
            "may get slice 1ms or base at any time");
  EXPECT_EQ(described(one_task("sporadic", {{"burst", "1ms"}, {"policy", "fifo"}})),
            "t: SCHED_FIFO, sleeps >= 0, computes <= 1ms");
}

}  // namespace
}  // namespace tickproof
