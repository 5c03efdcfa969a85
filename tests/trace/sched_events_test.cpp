#include "trace/sched_events.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "model/setting.hpp"
#include "trace/event_stream.hpp"

namespace tickproof {
namespace {

void expect_task(const SchedTask& task, std::string_view comm, std::int64_t pid,
                 std::int64_t prio) {
  EXPECT_EQ(task.comm, comm);
  EXPECT_EQ(task.pid, pid);
  EXPECT_EQ(task.prio, prio);
}

TEST(SchedSwitch, TheKernelsForm) {
  const SchedSwitch s = parse_sched_switch(
      "prev_comm=hog1 prev_pid=28 prev_prio=120 prev_state=R+ ==> next_comm=swapper/0 next_pid=0 "
      "next_prio=98");
  expect_task(s.prev, "hog1", 28, 120);
  EXPECT_EQ(s.prev_state, "R");
  EXPECT_TRUE(s.preempted);
  expect_task(s.next, "swapper/0", 0, 98);
}

TEST(SchedSwitch, EveryState) {
  for (const char* state : {"R", "S", "D", "T", "t", "X", "Z", "P", "I", "D|K"}) {
    const std::string fields = std::string("prev_comm=a prev_pid=1 prev_prio=0 prev_state=") +
                               state + " ==> next_comm=b next_pid=2 next_prio=-1";
    const SchedSwitch s = parse_sched_switch(fields);
    EXPECT_EQ(s.prev_state, state);
    EXPECT_FALSE(s.preempted);
    EXPECT_EQ(s.next.prio, -1);  // SCHED_DEADLINE
  }
}

TEST(SchedSwitch, ThePluginsForm) {
  const SchedSwitch s = parse_sched_switch("rpchandler:211674 [120] T ==> swapper/2:0 [49]");
  expect_task(s.prev, "rpchandler", 211'674, 120);
  EXPECT_EQ(s.prev_state, "T");
  EXPECT_FALSE(s.preempted);
  expect_task(s.next, "swapper/2", 0, 49);
}

/// Names of up to 15 bytes that look like the rest of a line.
const char* const kNames[] = {"",
                              " ",
                              "two words",
                              "a=b",
                              " ==> ",
                              "x prev_pid=1",
                              "y next_pid=2",
                              " pid=3",
                              "a:1 [1] R ==> b",
                              "a:b:c",
                              "kworker/0:1H",
                              "c:5 [120] CPU:0",
                              "R ==> next_comm"};

TEST(SchedSwitch, NamesMayHoldAnything) {
  for (const std::string prev : kNames) {
    for (const std::string next : kNames) {
      ASSERT_LE(prev.size(), 15U);
      const std::string raw = "prev_comm=" + prev +
                              " prev_pid=27 prev_prio=120 prev_state=S ==> next_comm=" + next +
                              " next_pid=28 next_prio=121";
      const std::string plugin = prev + ":27 [120] S ==> " + next + ":28 [121]";
      for (const std::string& fields : {raw, plugin}) {
        SCOPED_TRACE(fields);
        const SchedSwitch s = parse_sched_switch(fields);
        expect_task(s.prev, prev, 27, 120);
        EXPECT_EQ(s.prev_state, "S");
        expect_task(s.next, next, 28, 121);
      }
    }
  }
}

TEST(SchedSwitch, CutAnywhereIsRefused) {
  for (const std::string whole :
       {"prev_comm=a prev_pid=1 prev_prio=120 prev_state=R ==> next_comm=b next_pid=2 next_prio=1",
        "a:1 [120] R ==> b:2 [1]"}) {
    EXPECT_NO_THROW(parse_sched_switch(whole));
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_THROW(parse_sched_switch(whole.substr(0, size)), BadValue) << whole.substr(0, size);
    }
  }
  EXPECT_THROW(parse_sched_switch("comm=a pid=1 prio=120 target_cpu=000"), BadValue);
}

TEST(SchedWakeup, BothForms) {
  // The last two are of kernels before 4.3.
  for (const char* fields : {"comm=hog 0 pid=27 prio=120 target_cpu=003", "hog 0:27 [120] CPU:003",
                             "comm=hog 0 pid=27 prio=120 success=1 target_cpu=003",
                             "hog 0:27 [120] success=1 CPU:003"}) {
    SCOPED_TRACE(fields);
    const SchedWakeup w = parse_sched_wakeup(fields);
    expect_task(w.task, "hog 0", 27, 120);
    EXPECT_EQ(w.target_cpu, 3);
  }
}

TEST(SchedWakeup, NamesMayHoldAnything) {
  for (const std::string name : kNames) {
    for (const std::string& fields :
         {"comm=" + name + " pid=27 prio=120 target_cpu=003", name + ":27 [120] CPU:003"}) {
      SCOPED_TRACE(fields);
      const SchedWakeup w = parse_sched_wakeup(fields);
      expect_task(w.task, name, 27, 120);
      EXPECT_EQ(w.target_cpu, 3);
    }
  }
}

TEST(SchedWakeup, WhatIsNone) {
  for (const char* fields : {"", "comm=a pid=1 prio=120", "comm=a pid=x prio=120 target_cpu=0",
                             "a:1 [120]", "a:1 120 CPU:0", "comm=a pid=1 prio=120 target_cpu=0x",
                             "comm=sixteen bytes... pid=1 prio=120 target_cpu=0"}) {
    EXPECT_THROW(parse_sched_wakeup(fields), BadValue) << fields;
  }
}

// The events of a real trace agree with one another: the task that a switch leaves is the
// one that the switch before it chose. zcat | grep -c gives the numbers.
TEST(SchedEvents, OfARealTrace) {
  const auto events = open_event_stream(std::filesystem::path(TICKPROOF_SOURCE_DIR) /
                                        "tests/data/traces/6.12.117/h1000-s3000-dd.trace.txt.gz");
  std::map<std::string, int> count;
  std::int64_t running = 0;
  for (TraceItem item; events->next(item);) {
    const auto& event = std::get<TraceEvent>(item);
    if (event.name == "sched_switch") {
      const SchedSwitch s = parse_sched_switch(event.fields);
      if (++count["switch"] == 1) running = s.prev.pid;
      EXPECT_EQ(s.prev.pid, running) << events->position();
      count["preempted"] += s.preempted ? 1 : 0;
      running = s.next.pid;
    } else if (event.name == "sched_waking" || event.name == "sched_wakeup") {
      EXPECT_EQ(parse_sched_wakeup(event.fields).target_cpu, 0);
      ++count[std::string(event.name)];
    }
  }
  EXPECT_EQ(count["switch"], 588);
  EXPECT_EQ(count["preempted"], 1);
  EXPECT_EQ(count["sched_waking"], 203);
  EXPECT_EQ(count["sched_wakeup"], 203);
}

}  // namespace
}  // namespace tickproof
