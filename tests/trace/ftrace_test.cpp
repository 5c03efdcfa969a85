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

// `trace-cmd report` with -t prints nanoseconds, and no flags unless asked.
TEST(Ftrace, ALineOfTraceCmd) {
  const auto event = parse_ftrace_line(
      "           sleep-2843  [001]  2104.123456789: sched_wakeup: comm=sleep pid=2843");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->cpu, 1);
  EXPECT_EQ(event->time, 2'104'123'456'789);
  EXPECT_EQ(event->name, "sched_wakeup");
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

TEST(Ftrace, WhatIsNoEvent) {
  for (const char* line : {"", "# tracer: nop", "hog0-27 [000] d.h..",
                           "hog0-27 [000] d.h.. 0.928: ", "hog0-27 [000] d.h.. 0.x: a: b",
                           "hog0-27 [0] d.h.. .5: a: b", "hog0-27 [000] d.h.. 12345678901.5: a: b",
                           "hog0-27 [000 d.h.. 0.5: a: b", "[[[[", "]"}) {
    EXPECT_FALSE(parse_ftrace_line(line)) << line;
  }
  EXPECT_TRUE(is_ftrace_comment(""));
  EXPECT_TRUE(is_ftrace_comment("  \t"));
  EXPECT_TRUE(is_ftrace_comment("#  entries-in-buffer"));
  EXPECT_FALSE(is_ftrace_comment(" a # b"));
}

TEST(Ftrace, LostEvents) {
  EXPECT_EQ(parse_lost_events("CPU:0 [LOST 123 EVENTS]"), 123);
  EXPECT_FALSE(parse_lost_events("CPU:0 [LOST x EVENTS]"));
  EXPECT_FALSE(parse_lost_events("CPU:0 [LOST 123"));
  EXPECT_FALSE(parse_lost_events("hog0-27 [LOST 123 EVENTS]"));
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
