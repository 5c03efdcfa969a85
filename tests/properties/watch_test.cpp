// Each property on runs that were worked out by hand: those of the golden traces
// (tests/model/golden_test.cpp), base slice 2.8 ms, HZ=1000, switched 2 us after the tick.
#include "properties/watch.hpp"

#include <gtest/gtest.h>

#include "tests/support/runner.hpp"
#include "tests/support/systems.hpp"

namespace tickproof {
namespace {

/// Runs by hand and keeps what the watch says after each move.
class Watched {
 public:
  Watched(const char* kernel, std::vector<TaskSpec> tasks, PropertyKind kind, TaskId task)
      : Watched(make(kernel, std::move(tasks)), kind, task) {}
  Watched(SystemSpec spec, PropertyKind kind, TaskId task)
      : spec_(std::move(spec)), watch_(d_, kind, task), simulation_(d_, spec_, {spec_.tick}) {}
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  Watched& wake(Ns time, TaskId task) { return at(time, MoveKind::wake, task); }
  Watched& block(Ns time, TaskId task) { return at(time, MoveKind::block, task); }
  Watched& ticks(Ns time) {
    while (simulation_.next_tick(0) <= time) {
      make(simulation_.next_tick(0), MoveKind::tick, kNobody);
    }
    return *this;
  }

  /// "9.002:6" for a wait or run of 6 ms that has ended at 9.002, "9.002:6.." for one
  /// that goes on; of those that go on, only the latest is listed.
  std::string readings() const {
    std::string text = ended_;
    if (watch_.state.active) {
      text += fmt::format("{}{}:{}..", text.empty() ? "" : " ", in_ms(simulation_.now()), value());
    }
    return text;
  }

 private:
  static SystemSpec make(const char* kernel, std::vector<TaskSpec> tasks) {
    Config config = config_of(kernel, 1000, 2'800 * kUsec, std::move(tasks));
    config.switch_delay = {2 * kUsec, 2 * kUsec};
    return make_system(config);
  }
  Watched& at(Ns time, MoveKind kind, TaskId task) {
    ticks(time - 1);
    return make(time, kind, task);
  }
  Watched& make(Ns time, MoveKind kind, TaskId task) {
    watch_.begin_step();
    simulation_.apply({time, kind, 0, task, 0, kind == MoveKind::tick ? 2 * kUsec : 0}, watch_);
    watch_.end_step();
    EXPECT_EQ(watch_.has_reading(), watch_.closed || watch_.state.active);
    if (watch_.closed) {
      ended_ +=
          fmt::format("{}{}:{}", ended_.empty() ? "" : " ", in_ms(simulation_.now()), value());
    }
    return *this;
  }
  std::string value() const { return in_ms(watch_.reading.value()); }

  SystemSpec spec_;
  KernelDomain d_{DeltaFair::inverse};
  Watch<KernelDomain> watch_;
  Simulation<KernelDomain> simulation_;
  std::string ended_;
};

constexpr Ns kC = 1'500 * kUsec;

// A@0 B@3.002 C@6.002 B@9.002 A@12.002
Watched& run_three(Watched& w) { return w.wake(0, 0).wake(0, 1).wake(kC, 2).ticks(12 * kMsec); }
std::vector<TaskSpec> three() { return {hog("A"), hog("B"), hog("C")}; }

TEST(Watch, WakeupLatencyEndsWithTheFirstRun) {
  Watched c("6.8", three(), PropertyKind::wakeup_latency, 2);
  EXPECT_EQ(run_three(c).readings(), "6.002:4.502");
  // A finds an idle CPU; that it is preempted later is no wake-up.
  Watched a("6.8", three(), PropertyKind::wakeup_latency, 0);
  EXPECT_EQ(run_three(a).readings(), "0:0");
}

TEST(Watch, AWaitHasAValueWhileItGoesOn) {
  Watched c("6.8", three(), PropertyKind::wakeup_latency, 2);
  c.wake(0, 0).wake(0, 1);
  EXPECT_EQ(c.readings(), "");
  EXPECT_EQ(c.wake(kC, 2).readings(), "1.5:0..");
  EXPECT_EQ(c.ticks(2 * kMsec).readings(), "2:0.5..");
  // At the tick of 3 ms A is switched out, and C still waits.
  EXPECT_EQ(c.ticks(3 * kMsec).readings(), "3.002:1.502..");
}

TEST(Watch, SchedulingDelayCountsPreemptionToo) {
  Watched a("6.8", three(), PropertyKind::scheduling_delay, 0);
  EXPECT_EQ(run_three(a).readings(), "0:0 12.002:9");
  Watched b("6.8", three(), PropertyKind::scheduling_delay, 1);
  EXPECT_EQ(run_three(b).readings(), "3.002:3.002 9.002:3 12.002:0..");
}

TEST(Watch, SleepIsNoDelay) {
  Watched c("6.8", {hog("A"), unconstrained("C")}, PropertyKind::scheduling_delay, 1);
  // C comes second, runs at 3.002, sleeps at 4.5 with lag, and preempts A at 6.5.
  c.wake(0, 0).wake(0, 1).block(4'500 * kUsec, 1);
  EXPECT_EQ(c.readings(), "3.002:3.002");
  EXPECT_EQ(c.ticks(6 * kMsec).readings(), "3.002:3.002");
  EXPECT_EQ(c.wake(6'500 * kUsec, 1).ticks(7 * kMsec).readings(), "3.002:3.002 6.5:0");
}

// A@0 B@3.002 A@9.002 B@12.002 A@15.002
Watched& run_two(Watched& w) { return w.wake(0, 0).wake(0, 1).ticks(15 * kMsec); }
std::vector<TaskSpec> two() { return {hog("A"), hog("B")}; }

TEST(Watch, RunLengthEndsWithTheSwitch) {
  Watched a("6.8", two(), PropertyKind::run_length, 0);
  EXPECT_EQ(run_two(a).readings(), "3.002:3.002 12.002:3 15.002:0..");
  // Two requests in a row are one run.
  Watched b("6.8", two(), PropertyKind::run_length, 1);
  EXPECT_EQ(run_two(b).readings(), "9.002:6 15.002:3");
}

TEST(Watch, RunTicksCountTheTickThatEndsIt) {
  // in_ms() shows n ticks as n / 10^6.
  Watched a("6.8", two(), PropertyKind::run_ticks, 0);
  EXPECT_EQ(run_two(a).readings(), "3.002:0.000003 12.002:0.000003 15.002:0..");
  Watched b("6.8", two(), PropertyKind::run_ticks, 1);
  EXPECT_EQ(run_two(b).readings(), "9.002:0.000006 15.002:0.000003");
}

// Nobody minds how long a task runs that nobody waits for.
TEST(Watch, ARunCountsFromWhenAnotherCouldRun) {
  Watched a("6.8", two(), PropertyKind::run_length, 0);
  a.wake(0, 0).ticks(kMsec);
  EXPECT_EQ(a.readings(), "");
  EXPECT_EQ(a.wake(kC, 1).readings(), "1.5:0..");
  EXPECT_EQ(a.ticks(3 * kMsec).readings(), "3.002:1.502");
}

// "until switched out": one that goes to sleep says nothing of the scheduler.
TEST(Watch, ARunThatEndsInSleepDoesNotCount) {
  Watched c("6.8", {unconstrained("C"), hog("A")}, PropertyKind::run_length, 0);
  c.wake(0, 0).wake(0, 1).ticks(2 * kMsec);
  EXPECT_EQ(c.readings(), "2:2..");
  EXPECT_EQ(c.block(2'500 * kUsec, 0).readings(), "");
}

// C is on the queue from 2 ms on, but asleep.
TEST(Watch, ADelayedTaskCouldNotRun) {
  Watched a("6.12", {hog("A"), unconstrained("C")}, PropertyKind::run_length, 0);
  a.wake(0, 1).wake(kMsec, 0).block(2 * kMsec, 1);
  EXPECT_EQ(a.readings(), "");
  EXPECT_EQ(a.ticks(2'400 * kUsec).readings(), "");
  EXPECT_EQ(a.wake(2'500 * kUsec, 1).readings(), "2.5:0..");
}

// F takes the CPU from A, and never waits for it. A's run lasts until F comes.
TEST(Watch, AFifoTaskDelaysOthers) {
  const std::vector<TaskSpec> tasks{hog("A"), with_policy(sporadic("F", 0, kMsec), Policy::fifo)};
  const auto run = [](Watched& w) -> Watched& {
    return w.wake(0, 0).wake(kC, 1).block(2 * kMsec, 1).wake(2'500 * kUsec, 1);
  };
  Watched a("6.12", tasks, PropertyKind::scheduling_delay, 0);
  EXPECT_EQ(run(a).readings(), "0:0 2:0.5 2.5:0..");
  Watched f("6.12", tasks, PropertyKind::wakeup_latency, 1);
  EXPECT_EQ(run(f).readings(), "1.5:0 2.5:0");
  Watched length("6.12", tasks, PropertyKind::run_length, 1);
  EXPECT_EQ(length.wake(0, 0).wake(kC, 1).ticks(2 * kMsec).readings(), "2:0.5..");
}

TEST(Watch, OthersAreNotWatched) {
  for (const PropertyKind kind : {PropertyKind::wakeup_latency, PropertyKind::scheduling_delay,
                                  PropertyKind::run_length, PropertyKind::run_ticks}) {
    Watched d("6.8", {hog("A"), hog("B"), hog("C"), hog("D")}, kind, 3);
    EXPECT_EQ(run_three(d).readings(), "");
  }
}

// Quiet ticks of a symbolic step: the same values as one tick at a time.
TEST(Watch, QuietTicksCount) {
  KernelDomain d(DeltaFair::inverse);
  State<KernelDomain> s;
  s.tasks.resize(1);
  s.cpus.resize(1);
  const std::vector<QuietTicks<KernelDomain>> quiet{{Checked(3), Checked(2'500), Checked(0)}};
  Watch<KernelDomain> ticks(d, PropertyKind::run_ticks, 0);
  ticks.state = {true, Checked(2)};
  ticks.passed(s, Checked(2'700), quiet);
  EXPECT_EQ(ticks.state.value.value(), 5);
  Watch<KernelDomain> time(d, PropertyKind::run_length, 0);
  time.state = {true, Checked(300)};
  time.passed(s, Checked(2'700), quiet);
  EXPECT_EQ(time.state.value.value(), 3'000);
}

}  // namespace
}  // namespace tickproof
