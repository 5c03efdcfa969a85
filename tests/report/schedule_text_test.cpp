#include "report/schedule_text.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "report/gantt.hpp"
#include "tests/report/runs.hpp"

namespace tickproof {
namespace {

using Kind = PropertyKind;

std::string text_of(const SystemSpec& spec, const Schedule& schedule, const Property& property) {
  return schedule_text(spec, record(spec, schedule, property), property);
}

/// The lines of `text` that start with `start`, without it.
std::vector<std::string> lines_with(const std::string& text, const std::string& start) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(start)) found.push_back(line.substr(start.size()));
  }
  return found;
}

void expect_narrow(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 72U) << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << "'" << line << "'";
  }
  EXPECT_TRUE(text.ends_with('\n'));
}

// The numbers: A runs 0 to 3.002, B 3.002 to 9.002 (two requests, the second from 2.998
// on), A 9.002 to 12.002 and so on; each lag is the mean of both v less the own v. In
// the picture B is unprotected from tick 6 on: it was kept, not picked anew.
TEST(ScheduleText, TwoHogs) {
  const SystemSpec spec = make_spec("6.8", 1000, {hog("A"), hog("B")});
  const std::string text =
      text_of(spec, run_hogs(spec, 15 * kMsec), property_of(Kind::scheduling_delay, "A"));
  EXPECT_EQ(text, R"(scheduling-delay of A
  largest  6ms, from 3.002 to 9.002 ms

ms  tick  event     runs      changes
 0        A starts  A@0       A v=0 d=2.8 lag=0 +e +p
 0        B starts  A         B v=0 d=2.8 lag=0 +e
 1     1  tick      A         A v=1 lag=-0.5 -e
 2     2  tick      A         A v=2 lag=-1
 3     3  tick      B@3.002   A v=3.002 d=5.8 lag=-1.501 -p
                              B lag=1.501 +p
 5   4-5  ticks     B         A lag=-0.502; B v=1.998 lag=0.502
 6     6  tick      B kept    A lag=-0.001; B v=3 d=5.798 lag=0.001 -p
 7     7  tick      B         A lag=0.498 +e; B v=3.998 lag=-0.498 -e
 8     8  tick      B         A lag=0.998; B v=4.998 lag=-0.998
 9     9  tick      A@9.002   A lag=1.499 +p; B v=6 d=8.798 lag=-1.499
11 10-11  ticks     A         A v=5 lag=0.5
12    12  tick      B@12.002  A v=6.002 d=8.8 lag=-0.001 -e -p
                              B lag=0.001 +e +p
13    13  tick      B         A lag=0.498 +e; B v=6.998 lag=-0.498 -e
14    14  tick      B         A lag=0.998; B v=7.998 lag=-0.998
15    15  tick      A@15.002  A lag=1.499 +p
                              B v=9 d=11.798 lag=-1.499 -p
v vruntime, d deadline, lag: virtual ms; e eligible, p protected

One cell is 250us
ms       0         2.5       5         7.5       10        12.5
tick         |   |   |   |   |   |   |   |   |   |   |   |   |   |
A        ############............oooooooooooo############oooooooooooo
B        oooooooooooo############============............############
largest              ^^^^^^^^^^^^^^^^^^^^^^^^
# runs, protected   = runs, unprotected   ~ asleep, still queued
o waits, eligible   . waits, not eligible   (blank) asleep

A waits, in ms:
  from      to  length  why
 3.002   6.004   3.002  not eligible
 6.004   8.800   2.796  current within its slice
 8.800   9.000   0.200  waits for the tick
 9.000   9.002   0.002  reschedule pending
        in all   6.000  the largest
12.002  12.004   0.002  not eligible
12.004  14.800   2.796  current within its slice
14.800  15.000   0.200  waits for the tick
15.000  15.002   0.002  reschedule pending
        in all   3.000
)");
  expect_narrow(text);
}

// C sleeps at 6.5 while it is not eligible, and is thrown off the queue at tick 10.
TEST(ScheduleText, SleepAndStretch) {
  SystemSpec spec = make_spec("6.12", 1000, {hog("A"), unconstrained("C")});
  const Property property = property_of(Kind::wakeup_latency, "C");
  const std::string text = text_of(spec,
                                   Author(spec)
                                       .wake(0, 0)
                                       .wake(0, 1)
                                       .block(6'500 * kUsec, 1)
                                       .ticks(10 * kMsec)
                                       .wake(11 * kMsec, 1)
                                       .schedule(),
                                   property);
  EXPECT_EQ(lines_with(text, " 6.5       C sleeps  A@6.5    ").size(), 1U) << text;
  EXPECT_EQ(lines_with(text, "10.0   10  tick      A kept   "),
            std::vector<std::string>{"A v=6.504 d=9.302 lag=0 +e -p"})
      << text;
  EXPECT_EQ(lines_with(text, "11.0   11  tick").size(), 0U) << text;
  expect_narrow(text);

  spec.stretch = 2 * kMsec;
  const std::string stretched =
      text_of(spec, Author(spec).wake(0, 0).wake(0, 1).resched(3'500 * kUsec).schedule(), property);
  EXPECT_NE(stretched.find("reschedule pending"), std::string::npos);
  EXPECT_EQ(lines_with(stretched, "3.5       reschedule  C@3.5  ").size(), 1U) << stretched;
  // What a wait that goes on says of itself.
  EXPECT_EQ(lines_with(
                text_of(spec, Author(spec).wake(0, 0).wake(0, 1).ticks(kMsec).schedule(), property),
                "        so far")
                .size(),
            1U);
  expect_narrow(stretched);
}

TEST(ScheduleText, WhatATaskIsGiven) {
  TaskSpec a = hog("A");
  a.renice = {5};
  a.slices = {kMsec, kDefaultSlice};
  const SystemSpec spec = make_spec("6.12", 1000, {a, hog("B")});
  const std::string text = text_of(spec,
                                   Author(spec)
                                       .wake(0, 0)
                                       .give(100 * kUsec, MoveKind::set_slice, 0, kMsec)
                                       .give(200 * kUsec, MoveKind::set_slice, 0, kDefaultSlice)
                                       .give(300 * kUsec, MoveKind::renice, 0, 5)
                                       .schedule(),
                                   property_of(Kind::wakeup_latency, "A"));
  EXPECT_NE(text.find("A gets slice 1ms "), std::string::npos) << text;
  EXPECT_NE(text.find("A gets the base slice "), std::string::npos) << text;
  EXPECT_NE(text.find("A gets nice 5 "), std::string::npos) << text;
  expect_narrow(text);
}

TEST(ScheduleText, ATaskOfAHigherClass) {
  const SystemSpec spec =
      make_spec("6.12", 1000, {hog("A"), with_policy(sporadic("F", 0, 2 * kMsec), Policy::fifo)});
  const std::string text =
      text_of(spec, Author(spec).wake(0, 0).wake(kMsec, 1).block(2 * kMsec, 1).schedule(),
              property_of(Kind::scheduling_delay, "A"));
  EXPECT_NE(text.find("% runs, of a higher class\n"), std::string::npos) << text;
  EXPECT_NE(lines_with(text, "F ").at(0).find("%%%%"), std::string::npos) << text;
  EXPECT_NE(text.find("higher class first"), std::string::npos) << text;
  expect_narrow(text);
}

TEST(ScheduleText, ATaskThatNeverWaits) {
  const SystemSpec spec = make_spec("6.8", 1000, {hog("A"), hog("B")});
  const std::string text = text_of(spec, Author(spec).wake(0, 1).ticks(2 * kMsec).schedule(),
                                   property_of(Kind::run_length, "A"));
  EXPECT_TRUE(text.starts_with("run-length of A\n  nothing to measure in this run\n")) << text;
  EXPECT_TRUE(text.ends_with("A never waits.\n")) << text;
}

TEST(ScheduleText, SaysTheSmallestWhereItIsAskedFor) {
  const SystemSpec spec = make_spec("6.8", 1000, {hog("A"), hog("B")});
  Property property = property_of(Kind::run_ticks, "B");
  property.at_least = 3;
  const std::string text = text_of(spec, run_hogs(spec, 15 * kMsec), property);
  EXPECT_TRUE(
      text.starts_with("run-ticks of B\n"
                       "  smallest  3 ticks, from 12.002 to 15.002 ms\n"))
      << text;
  EXPECT_EQ(text.find("largest"), std::string::npos) << text;
}

// 1 s of HZ=1000 in 60 cells would be 17 ticks a cell.
TEST(ScheduleText, ALongRunIsShownAroundItsLargestWait) {
  const SystemSpec spec =
      make_spec("6.12", 1000, {hogs("a-hog-with-a-long-name", 12), hog("sleeper")});
  Author author(spec);
  author.wake(0, 12);
  for (TaskId id = 0; id < 12; ++id) author.wake(500 * kMsec, id);
  const Schedule schedule = author.ticks(kSec).schedule();
  const Property property = property_of(Kind::scheduling_delay, "sleeper");
  const Recording recording = record(spec, schedule, property);
  const std::string text = schedule_text(spec, recording, property);
  expect_narrow(text);
  EXPECT_EQ(label_of(spec, 11), "a-hog~ame.12");

  const std::string picture = gantt(spec, recording, extremum_of(recording, property));
  EXPECT_NE(picture.find("; shown are "), std::string::npos) << picture;
  const std::string marks = lines_with(picture, "largest       ").at(0);
  const std::string lane = lines_with(picture, "sleeper       ").at(0);
  // It waits where the marks are, and runs on both sides of them.
  const std::size_t from = marks.find('^');
  ASSERT_GT(from, 0U);
  ASSERT_LT(marks.size(), lane.size()) << picture;
  EXPECT_EQ(lane.substr(from, marks.size() - from).find_first_of("#="), std::string::npos);
  EXPECT_NE(std::string("#=").find(lane[from - 1]), std::string::npos) << picture;
  EXPECT_NE(std::string("#=").find(lane[marks.size()]), std::string::npos) << picture;
}

// The longest names and times that there can be.
TEST(ScheduleText, StaysNarrow) {
  TaskSpec task = unconstrained("a-task-with-a-long-name");
  task.count = 2;
  const SystemSpec spec = make_spec("6.8", 12, {task});
  const Ns late = 999'999'999'999;
  const Property property = property_of(Kind::wakeup_latency, task.name);
  Recording recording = record(
      spec, Author(spec).wake(0, 0).block(1, 0).wake(late, 0).wake(late, 1).schedule(), property);
  expect_narrow(schedule_text(spec, recording, property));
  // With as many ticks as HZ=1000 has in that time.
  for (Event& event : recording.events) event.tick += 900'000;
  expect_narrow(schedule_text(spec, recording, property));
}

TEST(ScheduleText, AnEmptyRun) {
  const SystemSpec spec = make_spec("6.8", 1000, {hog("A")});
  const std::string text =
      text_of(spec, Schedule{{kMsec}, {}}, property_of(Kind::wakeup_latency, "A"));
  expect_narrow(text);
  EXPECT_NE(text.find("ms tick  event  runs  changes\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace tickproof
