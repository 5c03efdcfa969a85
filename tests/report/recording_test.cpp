#include "report/recording.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/setting.hpp"
#include "report/milliseconds.hpp"
#include "tests/report/runs.hpp"

namespace tickproof {
namespace {

using Kind = PropertyKind;

/// "A@0 B@3.002": who got the CPU when, in ms.
std::string switches(const SystemSpec& spec, const Recording& recording) {
  std::string text;
  for (const RunSegment& run : recording.runs[0]) {
    text += fmt::format("{}{}@{}", text.empty() ? "" : " ",
                        spec.tasks[static_cast<std::size_t>(run.task)].name, in_ms(run.from));
  }
  return text;
}

std::string switches_of_hogs(const char* kernel, int hz, std::vector<TaskSpec> tasks, Ns end) {
  const SystemSpec spec = make_spec(kernel, hz, std::move(tasks));
  return switches(spec,
                  record(spec, run_hogs(spec, end), property_of(Kind::scheduling_delay, "A")));
}

const std::vector<TaskSpec> kTwo{hog("A"), hog("B")};
const std::vector<TaskSpec> kTwoWithNice5{hog("A"), hog("B", 5)};

// B serves its request (2.8) at tick 6, 2.998 ms after its start, when A is 2 us
// ahead of the mean and can't be picked: B goes on for a second request.
TEST(Recording, TwoHogs) {
  EXPECT_EQ(switches_of_hogs("6.8", 1000, kTwo, 16 * kMsec),
            "A@0 B@3.002 A@9.002 B@12.002 A@15.002");
  EXPECT_EQ(switches_of_hogs("6.12", 1000, kTwo, 14 * kMsec),
            "A@0 B@3.002 A@7.002 B@10.002 A@13.002");
  for (const char* kernel : {"6.8", "6.12"}) {
    EXPECT_EQ(switches_of_hogs(kernel, 250, kTwo, 21 * kMsec),
              "A@0 B@4.002 A@12.002 B@16.002 A@20.002");
  }
}

TEST(Recording, TwoHogsOfUnequalWeight) {
  EXPECT_EQ(switches_of_hogs("6.8", 1000, kTwoWithNice5, 28 * kMsec),
            "A@0 B@3.002 A@6.002 B@15.002 A@18.002 B@27.002");
  EXPECT_EQ(switches_of_hogs("6.12", 1000, kTwoWithNice5, 26 * kMsec),
            "A@0 B@3.002 A@6.002 B@13.002 A@16.002 B@25.002");
}

// B has the earlier deadline and preempts A the moment that it arrives.
TEST(Recording, TwoHogsOfUnequalSlice) {
  EXPECT_EQ(switches_of_hogs("6.12", 1000,
                             {with_slice(hog("A"), 10 * kMsec), with_slice(hog("B"), 3 * kMsec)},
                             24 * kMsec),
            "A@0 B@0 A@3.002 B@14.002 A@23.002");
}

TEST(Recording, AThirdTaskArrives) {
  const Property property = property_of(Kind::wakeup_latency, "C");
  for (const char* kernel : {"6.8", "6.12"}) {
    SystemSpec spec = make_spec(kernel, 1000, {hog("A"), hog("C")});
    Schedule schedule = Author(spec).wake(0, 0).wake(1'500 * kUsec, 1).ticks(7 * kMsec).schedule();
    EXPECT_EQ(switches(spec, record(spec, schedule, property)), "A@0 C@3.002 A@6.002");

    spec = make_spec(kernel, 1000, {hog("A"), hog("B"), hog("C")});
    schedule =
        Author(spec).wake(0, 0).wake(0, 1).wake(1'500 * kUsec, 2).ticks(13 * kMsec).schedule();
    EXPECT_EQ(switches(spec, record(spec, schedule, property)),
              "A@0 B@3.002 C@6.002 B@9.002 A@12.002");
  }
}

TEST(Recording, AShortSliceArrives) {
  const Property property = property_of(Kind::wakeup_latency, "C");
  const TaskSpec c = with_slice(hog("C"), 500 * kUsec);
  SystemSpec spec = make_spec("6.12", 1000, {hog("A"), c});
  Schedule schedule = Author(spec).wake(0, 0).wake(1'500 * kUsec, 1).ticks(7 * kMsec).schedule();
  EXPECT_EQ(switches(spec, record(spec, schedule, property)), "A@0 C@1.5 A@2.002 C@4.002 A@6.002");

  spec = make_spec("6.12", 1000, {hog("A"), hog("B"), c});
  schedule = Author(spec).wake(0, 0).wake(0, 1).wake(1'500 * kUsec, 2).ticks(8 * kMsec).schedule();
  EXPECT_EQ(switches(spec, record(spec, schedule, property)),
            "A@0 C@1.5 B@2.002 C@5.002 A@6.002 C@8.002");
}

// Move 4 is the third tick: A ran 3 ms, got a new deadline 2.8 ms ahead, and ran 2 us
// more until the switch. V is the mean of 3.002 and 0.
TEST(Recording, KeepsTheStateBehindEachMove) {
  const SystemSpec spec = make_spec("6.8", 1000, kTwo);
  const Schedule schedule = run_hogs(spec, 6 * kMsec);
  const Recording recording = record(spec, schedule, property_of(Kind::scheduling_delay, "A"));
  ASSERT_EQ(recording.events.size(), schedule.moves.size());

  Event expected;
  expected.time = 3 * kMsec;
  expected.settled = 3'002 * kUsec;
  expected.kind = MoveKind::tick;
  expected.tick = 3;
  expected.before = 0;
  expected.after = 1;
  expected.scheduled = true;
  QueuedView a{3'002 * kUsec, 5'800 * kUsec, -1'501 * kUsec};
  QueuedView b{0, 2'800 * kUsec, 1'501 * kUsec};
  b.running = b.eligible = b.is_protected = true;
  expected.tasks = {{Life::awake, a}, {Life::awake, b}};
  EXPECT_EQ(recording.events[4], expected);

  // B unborn; A on the idle CPU at once.
  const Event& first = recording.events[0];
  EXPECT_EQ(first.before, kNobody);
  EXPECT_EQ(first.after, 0);
  EXPECT_TRUE(first.scheduled);
  EXPECT_EQ(first.tick, 0);
  EXPECT_EQ(first.tasks[1], TaskView());
  // A tick that only charges.
  EXPECT_FALSE(recording.events[3].scheduled);
  EXPECT_EQ(recording.events[3].settled, 2 * kMsec);
  // Tick 6: schedule() ran, and kept B.
  EXPECT_TRUE(recording.events[7].scheduled);
  EXPECT_EQ(recording.events[7].before, 1);
  EXPECT_EQ(recording.events[7].after, 1);
  EXPECT_EQ(recording.end, 6'002 * kUsec);
}

// C sleeps at 6.5 with vruntime 3.498 against A's 3.002: it is ahead of the mean and
// stays queued. A runs from there; at tick 10 its request (up to 5.8) is served, C
// comes up for a pick and is thrown off the queue, and A is kept.
TEST(Recording, ADelayedTask) {
  const SystemSpec spec = make_spec("6.12", 1000, {hog("A"), unconstrained("C")});
  const Schedule schedule =
      Author(spec).wake(0, 0).wake(0, 1).block(6'500 * kUsec, 1).ticks(10 * kMsec).schedule();
  const Recording recording = record(spec, schedule, property_of(Kind::wakeup_latency, "C"));
  const std::vector<LaneSegment> expected{
      {0, 3'002 * kUsec, Standing::waits_eligible},
      {3'002 * kUsec, 6 * kMsec, Standing::runs_protected},
      {6 * kMsec, 6'500 * kUsec, Standing::runs},
      {6'500 * kUsec, 10'002 * kUsec, Standing::delayed},
  };
  EXPECT_EQ(recording.lanes[1], expected);
  const Event& last = recording.events.back();
  EXPECT_TRUE(last.scheduled);
  EXPECT_EQ(last.after, 0);
  EXPECT_EQ(last.tasks[1], (TaskView{Life::asleep, std::nullopt}));
}

TEST(Recording, ATaskOfAHigherClass) {
  const SystemSpec spec =
      make_spec("6.12", 1000, {hog("A"), with_policy(sporadic("F", 0, 2 * kMsec), Policy::fifo)});
  const Schedule schedule = Author(spec)
                                .wake(0, 0)
                                .wake(1'500 * kUsec, 1)
                                .ticks(2 * kMsec)
                                .block(2'500 * kUsec, 1)
                                .schedule();
  const Recording recording = record(spec, schedule, property_of(Kind::scheduling_delay, "A"));
  EXPECT_EQ(switches(spec, recording), "A@0 F@1.5 A@2.5");
  EXPECT_EQ(recording.lanes[0],
            (std::vector<LaneSegment>{{0, 1'500 * kUsec, Standing::runs_protected},
                                      {1'500 * kUsec, 2'500 * kUsec, Standing::waits_eligible}}));
  EXPECT_EQ(recording.lanes[1],
            (std::vector<LaneSegment>{{1'500 * kUsec, 2'500 * kUsec, Standing::runs_above}}));
  EXPECT_EQ(recording.largest, (Reading{kMsec, 1'500 * kUsec, 2'500 * kUsec}));
  // F is on no queue of the fair class.
  const Event& tick = recording.events[3];
  EXPECT_EQ(tick.kind, MoveKind::tick);
  EXPECT_EQ(tick.after, 1);
  EXPECT_EQ(tick.tasks[1], (TaskView{Life::awake, std::nullopt}));
}

// With a stretch of 5 ms the request of tick 3 takes effect when the environment says.
TEST(Recording, APendingReschedule) {
  SystemSpec spec = make_spec("6.8", 1000, kTwo);
  spec.stretch = 5 * kMsec;
  const Schedule schedule = Author(spec).wake(0, 0).wake(0, 1).resched(4'500 * kUsec).schedule();
  const Recording recording = record(spec, schedule, property_of(Kind::wakeup_latency, "B"));
  EXPECT_EQ(switches(spec, recording), "A@0 B@4.5");
  const Event& tick = recording.events[4];
  EXPECT_EQ(tick.time, 3 * kMsec);
  EXPECT_EQ(tick.settled, 3 * kMsec);
  EXPECT_FALSE(tick.scheduled);
  EXPECT_EQ(tick.resched, Resched::now);
  EXPECT_TRUE(recording.events.back().scheduled);
  EXPECT_EQ(recording.events.back().resched, Resched::none);
}

TEST(Recording, MeasuresTheDelayOfTwoHogs) {
  const SystemSpec spec = make_spec("6.8", 1000, kTwo);
  // A waits 3.002 to 9.002, 12.002 to 15.002, and from 18.002 on.
  const Recording recording =
      record(spec, run_hogs(spec, 19 * kMsec), property_of(Kind::scheduling_delay, "A"));
  EXPECT_EQ(recording.largest, (Reading{6 * kMsec, 3'002 * kUsec, 9'002 * kUsec}));
  // It arrives on an idle CPU.
  EXPECT_EQ(recording.smallest, (Reading{0, 0, 0}));
  EXPECT_EQ(recording.waits.size(), 3U);
  EXPECT_TRUE(recording.waits[1].over);
  EXPECT_FALSE(recording.waits[2].over);
  EXPECT_EQ(recording.waits[2].to(), 19 * kMsec);
}

TEST(Recording, MeasuresAWaitThatGoesOn) {
  const SystemSpec spec = make_spec("6.8", 1000, kTwo);
  const Recording recording =
      record(spec, run_hogs(spec, 2 * kMsec), property_of(Kind::wakeup_latency, "B"));
  EXPECT_EQ(recording.largest, (Reading{2 * kMsec, 0, 2 * kMsec}));
  EXPECT_EQ(recording.smallest, std::nullopt);
}

// B runs 3.002 to 9.002 and 12.002 to 15.002, over the ticks 4 to 9 and 13 to 15.
TEST(Recording, MeasuresRuns) {
  const SystemSpec spec = make_spec("6.8", 1000, kTwo);
  const Schedule schedule = run_hogs(spec, 15 * kMsec);
  const Recording ticks = record(spec, schedule, property_of(Kind::run_ticks, "B"));
  EXPECT_EQ(ticks.largest, (Reading{6, 3'002 * kUsec, 9'002 * kUsec}));
  EXPECT_EQ(ticks.smallest, (Reading{3, 12'002 * kUsec, 15'002 * kUsec}));
  const Recording times = record(spec, schedule, property_of(Kind::run_length, "B"));
  EXPECT_EQ(times.largest, (Reading{6 * kMsec, 3'002 * kUsec, 9'002 * kUsec}));
  EXPECT_EQ(times.smallest, (Reading{3 * kMsec, 12'002 * kUsec, 15'002 * kUsec}));
}

TEST(Recording, MeasuresNothing) {
  const SystemSpec spec = make_spec("6.8", 1000, kTwo);
  const Recording recording =
      record(spec, Schedule{{kMsec}, {}}, property_of(Kind::wakeup_latency, "B"));
  EXPECT_EQ(recording.largest, std::nullopt);
  EXPECT_EQ(recording.smallest, std::nullopt);
  EXPECT_TRUE(recording.events.empty());
  EXPECT_EQ(recording.end, 0);
}

TEST(Recording, RefusesATaskThatIsNotThere) {
  const SystemSpec spec = make_spec("6.8", 1000, kTwo);
  EXPECT_THROW(record(spec, Schedule{{kMsec}, {}}, property_of(Kind::wakeup_latency, "X")),
               BadValue);
}

/// What record() says of a schedule that can't be run.
std::string refusal_of(const SystemSpec& spec, const Schedule& schedule) {
  try {
    record(spec, schedule, property_of(Kind::wakeup_latency, spec.tasks[0].spec.name));
  } catch (const IllegalStep& e) {
    return e.what();
  }
  ADD_FAILURE() << "no IllegalStep";
  return "";
}

TEST(Recording, RefusesWhatCanNotHappen) {
  const SystemSpec spec = make_spec("6.8", 1000, kTwo);
  const Schedule good = run_hogs(spec, 3 * kMsec);

  Schedule bad = good;  // wake A, wake B, tick, tick, tick
  bad.moves.erase(bad.moves.begin() + 3);
  EXPECT_EQ(refusal_of(spec, bad), "moves[3] (tick at 3ms): no tick is missed");

  bad = good;
  bad.moves[3].time += 1;
  EXPECT_EQ(refusal_of(spec, bad), "moves[3] (tick at 2.000001ms): no tick is missed");

  bad = good;
  bad.moves[3].time -= 1;
  EXPECT_EQ(refusal_of(spec, bad), "moves[3] (tick at 1.999999ms): a tick is on the grid");

  bad = good;
  bad.moves[4].delay = 3 * kUsec;
  EXPECT_EQ(refusal_of(spec, bad), "moves[4] (tick at 3ms): the switch comes in time");

  bad = good;
  bad.moves[4].loss = 1;
  EXPECT_EQ(refusal_of(spec, bad), "moves[4] (tick at 3ms): a tick's loss is as configured");

  bad = good;
  bad.moves[3].time = bad.moves[2].time - 1;
  EXPECT_EQ(refusal_of(spec, bad), "moves[3] (tick at 999.999us): time goes forward");

  const std::string impossible = "this can't happen in the state that the run is in";
  bad = good;
  bad.moves[1].task = 0;  // it is awake already
  EXPECT_EQ(refusal_of(spec, bad), "moves[1] (wake of A at 0): " + impossible);

  bad = good;
  bad.moves[1] = {0, MoveKind::resched, 0, kNobody, 0, 0};  // nobody asked for one
  EXPECT_EQ(refusal_of(spec, bad), "moves[1] (resched at 0): " + impossible);

  bad = good;
  bad.moves[1] = {0, MoveKind::block, 0, 0, 0, 0};  // a hog never sleeps
  EXPECT_EQ(refusal_of(spec, bad), "moves[1] (block of A at 0): " + impossible);

  bad = good;
  bad.moves[0] = {0, MoveKind::hrtick, 0, kNobody, 0, 0};
  EXPECT_EQ(refusal_of(spec, bad), "moves[0] (hrtick at 0): " + impossible);
}

// Copies may start in any order; that the search tries one order is its own affair.
TEST(Recording, CopiesStartInAnyOrder) {
  const SystemSpec spec = make_spec("6.8", 1000, {hogs("hog", 2)});
  const Schedule schedule = Author(spec).wake(0, 1).wake(0, 0).schedule();
  const Recording recording = record(spec, schedule, property_of(Kind::wakeup_latency, "hog"));
  EXPECT_EQ(switches(spec, recording), "hog.2@0");
}

}  // namespace
}  // namespace tickproof
