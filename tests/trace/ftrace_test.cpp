#include "trace/ftrace.hpp"

#include <gtest/gtest.h>

namespace tickproof {
namespace {

TEST(Ftrace, ALineOfTracefs) {
  const auto event = parse_ftrace_line(
      "            hog0-27      [003] d.h..     0.928556: hrtimer_expire_entry: "
      "hrtimer=00000000bd8cde2f function=tick_nohz_handler now=920000437");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->cpu, 3);
  EXPECT_EQ(event->time, 928'556'000);
  EXPECT_EQ(event->name, "hrtimer_expire_entry");
  EXPECT_EQ(event->fields, "hrtimer=00000000bd8cde2f function=tick_nohz_handler now=920000437");
}

// options/record-tgid adds a column; options/irq-info switched off takes the flags away.
TEST(Ftrace, OtherColumnsOfTracefs) {
  for (const char* line :
       {"            hog0-27      (     25) [001] d..2.   100.000007: sched_switch: prev_comm=hog0",
        "          <idle>-0       (-------) [001] d..2.   100.000007: sched_switch: prev_comm=hog0",
        "            hog0-27      [001]   100.000007: sched_switch: prev_comm=hog0"}) {
    const auto event = parse_ftrace_line(line);
    ASSERT_TRUE(event) << line;
    EXPECT_EQ(event->cpu, 1) << line;
    EXPECT_EQ(event->time, 100'000'007'000) << line;
    EXPECT_EQ(event->name, "sched_switch") << line;
    EXPECT_EQ(event->fields, "prev_comm=hog0") << line;
  }
}

// `trace-cmd report` 3.1.6, without options and with -t (nanoseconds).
TEST(Ftrace, LinesOfTraceCmd) {
  const auto event = parse_ftrace_line(
      "           <...>-1     [001]    12.345681: sched_switch:         hog 0:27 [120] R ==> "
      "hog1:28 [98]");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->cpu, 1);
  EXPECT_EQ(event->time, 12'345'681'000);
  EXPECT_EQ(event->name, "sched_switch");
  EXPECT_EQ(event->fields, "hog 0:27 [120] R ==> hog1:28 [98]");
  const auto precise = parse_ftrace_line(
      "           sleep-2843  [001] d..2.  2104.123456789: sched_wakeup:         comm=sleep");
  ASSERT_TRUE(precise);
  EXPECT_EQ(precise->time, 2'104'123'456'789);
}

TEST(Ftrace, LinesOfPerfScript) {
  const auto event = parse_ftrace_line(
      " rpc handler 4   114 [011] 1802764.628809:       sched:sched_wakeup: rpc:211677 [120] "
      "CPU:075");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->cpu, 11);
  EXPECT_EQ(event->time, 1'802'764'628'809'000);
  EXPECT_EQ(event->name, "sched_wakeup");
  EXPECT_EQ(event->fields, "rpc:211677 [120] CPU:075");
  const auto precise = parse_ftrace_line(
      "  hog0  27/27  [000]    12.345678901: sched:sched_switch: prev_comm=hog0 prev_pid=27");
  ASSERT_TRUE(precise);
  EXPECT_EQ(precise->time, 12'345'678'901);
  EXPECT_EQ(precise->name, "sched_switch");
  const auto with_period =
      parse_ftrace_line("perf 13463 [001] 26264.802688539:      40000 cpu-clock: ");
  ASSERT_TRUE(with_period);
  EXPECT_EQ(with_period->name, "cpu-clock");
}

TEST(Ftrace, ATasksNameMayHoldAnything) {
  const auto event =
      parse_ftrace_line(" a [7] 1.5: b-9  [000] d..2.     1.000001: sched_switch: prev_comm=a");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->cpu, 0);
  EXPECT_EQ(event->name, "sched_switch");
  const auto worker = parse_ftrace_line(" kworker/0:1[x]-9  [002] d..2.  1.000001: sched_switch: ");
  ASSERT_TRUE(worker);
  EXPECT_EQ(worker->cpu, 2);
  EXPECT_EQ(worker->fields, "");
}

TEST(Ftrace, TimesOfAllClocks) {
  const auto time_of = [](const std::string& time) {
    const auto event = parse_ftrace_line("hog0-27 [000] d.h.. " + time + ": a: b");
    return event ? event->time : -1;
  };
  EXPECT_EQ(time_of("0.5"), 500'000'000);
  EXPECT_EQ(time_of("1700000000.123456"), 1'700'000'000'123'456'000);  // tai
  EXPECT_EQ(time_of("9000000000.000000001"), 9'000'000'000'000'000'001);
  EXPECT_EQ(time_of("9000000001.0"), -1);
  EXPECT_EQ(time_of("1.0000000001"), -1);
}

TEST(Ftrace, WhatIsNoEvent) {
  for (const char* line : {"", "# tracer: nop", "hog0-27 [000] d.h..",
                           "hog0-27 [000] d.h.. 0.928: ", "hog0-27 [000] d.h.. 0.x: a: b",
                           "hog0-27 [0] d.h.. .5: a: b", "hog0-27 [000] d.h.. 12345678901.5: a: b",
                           "hog0-27 [000 d.h.. 0.5: a: b", "hog0-27 [000] d.h.. 0.5:a: b",
                           "hog0-27 [1234567] 0.5: a: b", "hog0-27 [] 0.5: a: b", "[[[[", "]"}) {
    EXPECT_FALSE(parse_ftrace_line(line)) << line;
  }
  EXPECT_TRUE(is_ftrace_comment(""));
  EXPECT_TRUE(is_ftrace_comment("  \t"));
  EXPECT_TRUE(is_ftrace_comment("#  entries-in-buffer"));
  EXPECT_TRUE(is_ftrace_comment("##### CPU 2 buffer started ####"));
  EXPECT_FALSE(is_ftrace_comment(" a # b"));
}

TEST(Ftrace, LostEvents) {
  const auto expect = [](const char* line, int cpu, std::int64_t count) {
    const auto lost = parse_ftrace_lost(line);
    ASSERT_TRUE(lost) << line;
    EXPECT_EQ(lost->cpu, cpu) << line;
    EXPECT_EQ(lost->count, count) << line;
  };
  expect("CPU:0 [LOST 123 EVENTS]", 0, 123);  // kernel/trace/trace.c
  expect("CPU:3 [LOST EVENTS]", 3, 0);
  expect("CPU:7 [204600 EVENTS DROPPED]", 7, 204'600);  // trace-cmd
  expect("CPU:1 [EVENTS DROPPED]", 1, 0);
  expect("CPU 12 [5 EVENTS DROPPED]", 12, 5);
  for (const char* line : {"CPU:0 [LOST x EVENTS]", "CPU:0 [LOST 123", "CPU:0 [LOST 1 2 EVENTS]",
                           "hog0-27 [LOST 123 EVENTS]", "CPU: [LOST 1 EVENTS]"}) {
    EXPECT_FALSE(parse_ftrace_lost(line)) << line;
  }
}

TEST(Ftrace, WhatStandsBetweenTheEvents) {
  for (const char* line : {"cpus=4", "version = 6", "CPU 0 is empty", "CPU:2 [SUBBUFFER START]",
                           " => schedule", "hog0-27 [000] d..2. 0.5: <stack trace>"}) {
    EXPECT_TRUE(is_ftrace_remark(line)) << line;
  }
  for (const char* line : {"cpus=", "cpus=4x", "version = x", "CPU 0 is", "=> schedule", "words"}) {
    EXPECT_FALSE(is_ftrace_remark(line)) << line;
  }
}

TEST(Ftrace, Fields) {
  FieldReader reader("  op=update  now=12 ==> pid=-1");
  std::string_view key;
  std::string_view value;
  ASSERT_TRUE(reader.next(key, value));
  EXPECT_EQ(key, "op");
  EXPECT_EQ(value, "update");
  ASSERT_TRUE(reader.next(key, value));
  EXPECT_EQ(value, "12");
  ASSERT_TRUE(reader.next(key, value));  // "==>"
  EXPECT_EQ(key, "");
  ASSERT_TRUE(reader.next(key, value));
  EXPECT_EQ(key, "pid");
  EXPECT_EQ(value, "-1");
  EXPECT_FALSE(reader.next(key, value));
}

}  // namespace
}  // namespace tickproof
