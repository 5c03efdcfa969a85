// Events one at a time: when curr is charged, when a reschedule takes effect, what a
// workload may do. Expected values are worked out by hand from kernel/sched/core.c and
// fair.c of 6.8.1 and 6.12.117; the functions are named.
#include "model/system.hpp"

#include <gtest/gtest.h>

#include "tests/support/macro_run.hpp"

namespace tickproof {
namespace {

constexpr Ns kSlice = 3 * kMsec;

Config config(const char* kernel, int hz, std::vector<TaskSpec> tasks) {
  return config_of(kernel, hz, kSlice, std::move(tasks));
}

class Machine : public testing::Test {
 protected:
  using Run = Runner<KernelDomain>;
  static Ns ns(Checked x) { return x.value(); }

  /// What the model says of a step that can't be made.
  template <class Act>
  static std::string refusal(Act&& act) {
    try {
      act();
    } catch (const IllegalStep& error) {
      return error.what();
    }
    ADD_FAILURE() << "no IllegalStep";
    return "";
  }

  KernelDomain d{DeltaFair::inverse};
};

// --- make_system() -----------------------------------------------------------------

TEST_F(Machine, CopiesOfATaskAreOfOneKind) {
  TaskSpec pair = hogs("h", 2);
  const SystemSpec spec = make_system(config("6.12", 300, {hog("a"), pair, hog("b")}));
  EXPECT_EQ(spec.tick, 3'333'333);
  ASSERT_EQ(spec.tasks.size(), 4U);
  EXPECT_EQ(spec.tasks[0].name, "a");
  EXPECT_EQ(spec.tasks[1].name, "h.1");
  EXPECT_EQ(spec.tasks[2].name, "h.2");
  EXPECT_EQ(spec.tasks[1].kind, spec.tasks[2].kind);
  EXPECT_NE(spec.tasks[0].kind, spec.tasks[1].kind);
  EXPECT_NE(spec.tasks[0].kind, spec.tasks[3].kind);
}

// --- the tick -----------------------------------------------------------------------

// tick-sched.c: after NO_HZ idle the tick comes back on its old grid.
TEST_F(Machine, TheGridOutlivesIdleTime) {
  const SystemSpec spec = make_system(config("6.12", 1000, {hog("A"), hog("B")}));
  Run run(d, spec, 700 * kUsec);
  run.wake(5'300 * kUsec, 0).wake(5'300 * kUsec, 1);
  EXPECT_EQ(ns(run.cpu().to_tick), 400 * kUsec);
  // A has run 3.4 ms at the tick of 8.7.
  EXPECT_EQ(run.ticks(9 * kMsec).switches(), "A@5.3 B@8.7");
}

TEST_F(Machine, TicksAreOnTheirGrid) {
  const SystemSpec spec = make_system(config("6.12", 1000, {hog("A")}));
  Run run(d, spec);
  run.wake(0, 0);
  const auto tick = [](Ns time) { return ScheduledMove{time, MoveKind::tick, 0, kNobody, 0, 0}; };
  EXPECT_EQ(refusal([&] { run.make(tick(kMsec - 1)); }), "a tick is on the grid");
  Run other(d, spec);
  EXPECT_EQ(refusal([&] { other.make(tick(kMsec + 1)); }), "no tick is missed");
}

TEST_F(Machine, ATickLosesWhatItIsToldTo) {
  Config c = config("6.12", 1000, {hog("A")});
  c.loss = {5 * kUsec, 30 * kUsec};
  const SystemSpec spec = make_system(c);
  const auto tick = [](Ns time, Ns loss) {
    return ScheduledMove{time, MoveKind::tick, 0, kNobody, loss, 0};
  };
  Run run(d, spec);
  run.wake(0, 0);
  run.make(tick(kMsec, 30 * kUsec)).make(tick(2 * kMsec, 5 * kUsec));
  EXPECT_EQ(ns(run.entity(0).vruntime), 1'965 * kUsec);
  for (const Ns loss : {Ns{0}, 5 * kUsec - 1, 30 * kUsec + 1}) {
    Run other(d, spec);
    other.wake(0, 0);
    EXPECT_EQ(refusal([&] { other.make(tick(kMsec, loss)); }), "a tick's loss is as configured");
  }
  // No more can be lost than has passed, and then the least loss is less.
  Run late(d, spec);
  late.wake(kMsec - 3'000, 0);
  EXPECT_EQ(refusal([&] { late.make(tick(kMsec, 5'000)); }),
            "a tick loses no more than has passed");
  Run late_too(d, spec);
  late_too.wake(kMsec - 3'000, 0).make(tick(kMsec, 3'000));
  EXPECT_EQ(ns(late_too.entity(0).vruntime), 0);
}

TEST_F(Machine, ASwitchTakesItsTime) {
  Config c = config("6.12", 1000, {hog("A"), hog("B")});
  c.switch_delay = {2 * kUsec, 5 * kUsec};
  const SystemSpec spec = make_system(c);
  for (const Ns delay : {Ns{1'999}, Ns{5'001}}) {
    Run run(d, spec);
    run.wake(0, 0).wake(0, 1).ticks(2 * kMsec);
    EXPECT_EQ(refusal([&] {
                run.make({3 * kMsec, MoveKind::tick, 0, kNobody, 0, delay});
              }),
              "the switch comes in time");
  }
  Run run(d, spec);
  run.wake(0, 0).wake(0, 1).ticks(2 * kMsec);
  run.make({3 * kMsec, MoveKind::tick, 0, kNobody, 0, 5 * kUsec});
  EXPECT_EQ(run.now(), 3 * kMsec + 5 * kUsec);
  // What A ran in the meantime is charged after its request was renewed.
  EXPECT_EQ(ns(run.entity(0).vruntime), 3 * kMsec + 5 * kUsec);
  EXPECT_EQ(ns(run.entity(0).deadline), 6 * kMsec);
  EXPECT_EQ(ns(run.cpu().to_tick), kMsec - 5 * kUsec);
}

// --- when a reschedule takes effect --------------------------------------------------

// Documentation/scheduler: exit to user mode, kernel/sched/core.c resched_curr().
TEST_F(Machine, AUserTaskIsSwitchedAtOnceInEveryModel) {
  for (const Preemption model :
       {Preemption::none, Preemption::voluntary, Preemption::full, Preemption::lazy}) {
    Config c = config("6.12", 1000, {hog("A"), hog("B")});
    c.preemption = model;
    const SystemSpec spec = make_system(c);
    Run run(d, spec);
    run.wake(0, 0).wake(0, 1);
    EXPECT_EQ(run.ticks(3 * kMsec).switches(), "A@0 B@3");
  }
}

TEST_F(Machine, AStretchDelaysTheSwitch) {
  for (const Preemption model : {Preemption::none, Preemption::voluntary, Preemption::full}) {
    Config c = config("6.12", 1000, {hog("A"), hog("B")});
    c.preemption = model;
    c.stretch = 5 * kMsec;
    const SystemSpec spec = make_system(c);
    Run run(d, spec);
    // An idle CPU has no stretch.
    EXPECT_EQ(run.wake(0, 0).wake(0, 1).switches(), "A@0");
    run.ticks(7 * kMsec);
    EXPECT_EQ(run.cpu().resched, Resched::now);
    EXPECT_EQ(run.resched(7'900 * kUsec).switches(), "A@0 B@7.9");
    EXPECT_EQ(run.cpu().resched, Resched::none);

    Run late(d, spec);
    late.wake(0, 0).wake(0, 1).ticks(8 * kMsec);
    EXPECT_EQ(refusal([&] { late.resched(8 * kMsec + 1); }), "a reschedule takes effect in time");
  }
}

// sched_tick(): the lazy bit is promoted before task_tick(), so one that this tick
// itself sets waits for the next.
TEST_F(Machine, TheNextTickPromotesALazyRequest) {
  Config c = config("6.12", 1000, {hog("A"), hog("B")});
  c.preemption = Preemption::lazy;
  c.stretch = 5 * kMsec;
  const SystemSpec spec = make_system(c);
  Run run(d, spec);
  run.wake(0, 0).wake(0, 1).ticks(3 * kMsec);
  EXPECT_EQ(run.cpu().resched, Resched::lazy);
  EXPECT_EQ(run.ticks(4 * kMsec).switches(), "A@0 B@4");
  // ... unless the stretch ends before.
  Run early(d, spec);
  EXPECT_EQ(early.wake(0, 0).wake(0, 1).resched(3'200 * kUsec).switches(), "A@0 B@3.2");
}

TEST_F(Machine, ARequestNeedsToBeThere) {
  Config c = config("6.12", 1000, {hog("A"), unconstrained("B")});
  c.stretch = 5 * kMsec;
  const SystemSpec spec = make_system(c);
  // A voluntary switch takes a pending request with it.
  Run run(d, spec);
  run.wake(0, 1).wake(0, 0).ticks(3 * kMsec);
  EXPECT_EQ(run.cpu().resched, Resched::now);
  EXPECT_EQ(run.block(3'100 * kUsec, 1).switches(), "B@0 A@3.1");
  EXPECT_EQ(run.cpu().resched, Resched::none);
}

// --- wake-ups --------------------------------------------------------------------------

// enqueue_entity() charges curr: the end of A's slice is found by C's wake-up, 6 ms
// before the tick would find it.
TEST_F(Machine, AWakeUpFindsTheEndOfASlice) {
  const SystemSpec spec = make_system(config("6.8", 100, {hog("A"), hog("B"), hog("C")}));
  Run run(d, spec);
  // A: 4, deadline 7. B: 0, 3. C comes at V = 2, 5.
  EXPECT_EQ(run.wake(0, 0).wake(0, 1).wake(4 * kMsec, 2).switches(), "A@0 B@4");
  EXPECT_EQ(ns(run.entity(2).vruntime), 2 * kMsec);
  EXPECT_EQ(ns(run.entity(2).deadline), 5 * kMsec);
  Run early(d, spec);
  EXPECT_EQ(early.wake(0, 0).wake(0, 1).wake(2'999 * kUsec, 2).switches(), "A@0");
}

// requeue_delayed_entity() does not charge curr (until 333238da9a19): C's lag is
// taken from the numbers of the last tick.
TEST_F(Machine, ADelayedWakeUpSeesOldNumbers) {
  Config c = config_of("6.12.117", 1000, 2'800 * kUsec, {hog("A"), unconstrained("C")});
  c.switch_delay = {2 * kUsec, 2 * kUsec};
  const SystemSpec spec = make_system(c);
  Run run(d, spec);
  // As in the golden trace of two hogs, C runs from 3.002 on, expires at tick 6, and
  // has 3.498 against A's 3.002 when it sleeps: it stays queued.
  run.wake(0, 0).wake(0, 1).block(6'500 * kUsec, 1);
  EXPECT_TRUE(run.entity(1).delayed);
  EXPECT_EQ(run.switches(), "A@0 C@3.002 A@6.5");
  // A was charged at tick 7: 3.502. V = 3.5, C's lag is 2 us, so it is placed at A's 3.502.
  run.wake(7'500 * kUsec, 1);
  EXPECT_EQ(ns(run.entity(1).vruntime), 3'502 * kUsec);
  EXPECT_EQ(ns(run.entity(1).deadline), 6'302 * kUsec);
  EXPECT_EQ(ns(run.entity(0).vruntime), 4'002 * kUsec);
}

// check_preempt_wakeup_fair() of 6.12 returns before its update_curr() if the woken
// task's policy is not SCHED_NORMAL. One that was delayed was not charged for by its
// enqueue either (enqueue_task_fair() returns after requeue_delayed_entity()), so the
// end of A's slice goes unnoticed until the tick.
TEST_F(Machine, ADelayedBatchWakeUpDoesNotCharge) {
  const SystemSpec spec = make_system(
      config("6.12.117", 100, {hog("A"), with_policy(unconstrained("C"), Policy::batch)}));
  Run run(d, spec, 500 * kUsec);
  // C runs alone for 1 ms; A comes at C's vruntime and waits; C sleeps ahead of V.
  run.wake(0, 1).wake(kMsec, 0).block(2 * kMsec, 1);
  ASSERT_TRUE(run.entity(1).delayed);
  ASSERT_EQ(run.switches(), "C@0 A@2");
  run.wake(6 * kMsec, 1);
  EXPECT_EQ(run.switches(), "C@0 A@2");
  EXPECT_EQ(ns(run.cpu().uncharged), 4 * kMsec);
}

// --- HRTICK (hrtick_start_fair() up to 7.0) --------------------------------------------

class Hrtick : public Machine {
 protected:
  static SystemSpec system(int hz, std::vector<TaskSpec> tasks) {
    Config c = config_of("6.12", hz, 2'800 * kUsec, std::move(tasks));
    c.features.hrtick = true;
    return make_system(c);
  }
};

TEST_F(Hrtick, EndsASliceOnTime) {
  const SystemSpec spec = system(100, {hog("A"), hog("B")});
  Run run(d, spec);
  run.wake(0, 0);
  EXPECT_FALSE(run.cpu().hrtick_armed);  // alone
  run.wake(kMsec, 1);
  EXPECT_TRUE(run.cpu().hrtick_armed);
  EXPECT_EQ(ns(run.cpu().hrtick), 1'800 * kUsec);  // what is left of the slice
  EXPECT_EQ(run.hrtick(2'800 * kUsec).hrtick(5'600 * kUsec).switches(), "A@0 B@2.8 A@5.6");
}

TEST_F(Hrtick, MustFire) {
  const SystemSpec spec = system(100, {hog("A"), hog("B")});
  Run run(d, spec);
  run.wake(0, 0).wake(0, 1);
  EXPECT_EQ(refusal([&] { run.ticks(10 * kMsec); }), "HRTICK fires in time");
  Run early(d, spec);
  early.wake(0, 0).wake(0, 1);
  EXPECT_EQ(refusal([&] { early.hrtick(2'799 * kUsec); }), "HRTICK fires in time");
  Run not_armed(d, spec);
  not_armed.wake(0, 0);
  EXPECT_EQ(refusal([&] { not_armed.hrtick(0); }), "HRTICK is armed");
}

// hrtick_start(): "don't schedule slices shorter than 10000ns".
TEST_F(Hrtick, IsNotShorterThanTenMicroseconds) {
  const SystemSpec spec = system(100, {hog("A"), with_policy(hog("B"), Policy::batch)});
  Run run(d, spec);
  run.wake(0, 0).wake(2'797 * kUsec, 1);
  EXPECT_EQ(ns(run.cpu().hrtick), 10 * kUsec);
}

// "if (delta < 0) resched_curr(rq)": B, which may not preempt, does all the same.
TEST_F(Hrtick, ReschedulesIfTheSliceIsOver) {
  const SystemSpec spec = system(100, {hog("A"), with_policy(hog("B"), Policy::batch)});
  Run run(d, spec);
  EXPECT_EQ(run.wake(0, 0).wake(3'500 * kUsec, 1).switches(), "A@0 B@3.5");
}

// Neither put_prev nor set_next: the timer stays off, the tick is left.
TEST_F(Hrtick, IsNotArmedAgainForTheSameTask) {
  const SystemSpec spec = system(1000, {hog("A"), hog("B", 5)});
  Run run(d, spec);
  run.wake(0, 0).wake(0, 1).hrtick(2'800 * kUsec).hrtick(5'600 * kUsec);
  ASSERT_EQ(run.switches(), "A@0 B@2.8 A@5.6");
  // B is at 8.559, A at 2.8: A's slice ends with A far behind V.
  run.hrtick(8'400 * kUsec);
  EXPECT_EQ(run.switches(), "A@0 B@2.8 A@5.6");
  EXPECT_FALSE(run.cpu().hrtick_armed);
}

// enqueue_task_fair() returns after requeue_delayed_entity(), before hrtick_update().
TEST_F(Hrtick, IsLeftAloneByADelayedWakeUp) {
  const SystemSpec spec = system(100, {hog("A"), unconstrained("C")});
  Run run(d, spec);
  // C runs alone for 1 ms; A comes at C's vruntime and waits; C sleeps ahead of V.
  run.wake(0, 1).wake(kMsec, 0).block(2 * kMsec, 1);
  ASSERT_TRUE(run.entity(1).delayed);
  ASSERT_EQ(run.switches(), "C@0 A@2");
  ASSERT_EQ(ns(run.cpu().hrtick), 2'800 * kUsec);
  run.wake(2'500 * kUsec, 1);
  ASSERT_EQ(run.switches(), "C@0 A@2");
  EXPECT_EQ(ns(run.cpu().hrtick), 2'300 * kUsec);
}

// --- workloads --------------------------------------------------------------------------

TEST_F(Machine, MovesNeedTheirOccasion) {
  const SystemSpec spec = make_system(config("6.12", 1000, {unconstrained("U")}));
  Run run(d, spec);
  EXPECT_EQ(refusal([&] { run.block(0, 0); }),
            "only a running task that sleeps at times can block");
  EXPECT_EQ(refusal([&] { run.yield(0, 0); }), "only a running yielder yields");
  EXPECT_EQ(refusal([&] { run.resched(0); }), "a reschedule is pending");
  EXPECT_EQ(refusal([&] { run.hrtick(0); }), "HRTICK is armed");
  run.wake(0, 0);
  EXPECT_EQ(refusal([&] { run.wake(0, 0); }), "only a task that is not awake wakes up");
}

TEST_F(Machine, HogsDoNotSleep) {
  const SystemSpec spec = make_system(config("6.12", 1000, {hog("A"), yielder("Y", kMsec)}));
  Run run(d, spec);
  run.wake(0, 0).wake(0, 1);
  EXPECT_EQ(refusal([&] { run.block(0, 0); }),
            "only a running task that sleeps at times can block");
  EXPECT_EQ(refusal([&] { run.yield(0, 0); }), "only a running yielder yields");
  EXPECT_EQ(refusal([&] { run.yield(0, 1); }), "only a running yielder yields");
}

TEST_F(Machine, ASporadicTaskKeepsItsSleepAndItsBurst) {
  const SystemSpec spec = make_system(config("6.12", 1000, {sporadic("S", 2 * kMsec, kMsec)}));
  Run run(d, spec);
  run.wake(300, 0).block(kMsec + 300, 0);  // all of the burst
  EXPECT_EQ(refusal([&] {
              Run r(d, spec);
              r.wake(0, 0).block(kMsec + 1, 0);
            }),
            "no burst is longer than the workload says");
  EXPECT_EQ(refusal([&] { run.wake(3 * kMsec + 299, 0); }),
            "a task sleeps as long as the workload says");
  Run other(d, spec);
  other.wake(300, 0).block(500, 0).wake(2 * kMsec + 500, 0);  // less is fine
  EXPECT_EQ(ns(other.task(0).left), kMsec);
}

TEST_F(Machine, ABurstCountsWhileTheTaskRuns) {
  const SystemSpec spec =
      make_system(config("6.12", 1000, {hog("A"), sporadic("S", kMsec, 4 * kMsec)}));
  Run run(d, spec);
  run.wake(0, 1).wake(0, 0).ticks(6 * kMsec);
  EXPECT_EQ(run.switches(), "S@0 A@3 S@6");
  EXPECT_EQ(ns(run.task(1).left), kMsec);
}

TEST_F(Machine, APeriodicTaskIsWokenByItsPeriod) {
  const SystemSpec spec =
      make_system(config("6.12", 100, {periodic("P", 5 * kMsec, 200 * kUsec, 12 * kMsec)}));
  const auto after_first = [&](Ns block, Ns wake) {
    Run run(d, spec);
    run.wake(kMsec, 0).block(block, 0).wake(wake, 0);  // the releases are 1, 6, 11, ..
  };
  EXPECT_NO_THROW(after_first(2 * kMsec, 6 * kMsec));
  EXPECT_NO_THROW(after_first(2 * kMsec, 6'200 * kUsec));
  EXPECT_EQ(refusal([&] { after_first(2 * kMsec, 6 * kMsec - 1); }),
            "a task sleeps as long as the workload says");
  EXPECT_EQ(refusal([&] { after_first(2 * kMsec, 6'200'001); }),
            "a periodic task is woken in time");
  // A release that comes while it still computes is skipped.
  EXPECT_NO_THROW(after_first(12 * kMsec, 16 * kMsec));
  EXPECT_NO_THROW(after_first(11 * kMsec, 16 * kMsec));
  EXPECT_EQ(refusal([&] { after_first(12 * kMsec, 16 * kMsec - 1); }),
            "a task sleeps as long as the workload says");
  // A late wake-up does not move the next.
  Run run(d, spec);
  run.wake(kMsec, 0).block(2 * kMsec, 0).wake(6'200 * kUsec, 0).block(6'300 * kUsec, 0);
  EXPECT_NO_THROW(run.wake(11 * kMsec, 0));
}

TEST_F(Machine, AYielderYieldsAfterItsBurst) {
  const SystemSpec spec = make_system(config("6.12", 1000, {hog("A"), yielder("Y", kMsec)}));
  Run run(d, spec);
  run.wake(0, 1).wake(0, 0);
  EXPECT_EQ(refusal([&] {
              Run r(d, spec);
              r.wake(0, 1).yield(kMsec + 1, 1);
            }),
            "no burst is longer than the workload says");
  EXPECT_EQ(run.yield(500 * kUsec, 1).switches(), "Y@0 A@0.5");
}

TEST_F(Machine, ATaskStartsAtItsTime) {
  TaskSpec b = hog("B");
  b.start = 2'500 * kUsec;
  const SystemSpec spec = make_system(config("6.12", 1000, {hog("A"), b}));
  Run run(d, spec);
  run.wake(kMsec, 0);
  EXPECT_EQ(refusal([&] {
              Run r(d, spec);
              r.wake(2'499 * kUsec, 1);
            }),
            "a task starts at its time");
  EXPECT_EQ(refusal([&] { run.ticks(3 * kMsec); }), "a task starts at its time");
  EXPECT_NO_THROW(Run(d, spec).wake(2'500 * kUsec, 1));
}

// Interrupts are off between a tick and its switch: what falls due there is handled
// behind the switch. It must not rule the run out.
TEST_F(Machine, AStartCanFallIntoASwitch) {
  TaskSpec c = hog("C");
  c.start = 3 * kMsec + kUsec;
  Config conf = config("6.12", 1000, {hog("A"), hog("B"), c});
  conf.switch_delay = {2 * kUsec, 2 * kUsec};
  const SystemSpec spec = make_system(conf);
  Run run(d, spec);
  run.wake(0, 0).wake(0, 1);
  EXPECT_NO_THROW(run.ticks(3 * kMsec).wake(3 * kMsec + 2 * kUsec, 2));
}

TEST_F(Machine, AReleaseCanFallIntoASwitch) {
  Config conf = config("6.12", 1000, {hog("A"), hog("B"), periodic("P", 10'001 * kUsec, 0, kMsec)});
  conf.switch_delay = {2 * kUsec, 2 * kUsec};
  const SystemSpec spec = make_system(conf);
  Run run(d, spec);
  // P's second release is at 10.001 ms, between the tick of 10 and its switch.
  run.wake(0, 2).block(0, 2).wake(0, 0).wake(0, 1).ticks(9 * kMsec);
  ASSERT_EQ(run.switches(), "P@0 -@0 A@0 B@3.002 A@7.002");
  EXPECT_NO_THROW(run.ticks(10 * kMsec).wake(10'002 * kUsec, 2));
  EXPECT_EQ(run.now(), 10'002 * kUsec);
}

TEST_F(Machine, TimeGoesForward) {
  const SystemSpec spec = make_system(config("6.12", 1000, {hog("A"), hog("B")}));
  Run run(d, spec);
  run.wake(500, 0);
  EXPECT_EQ(refusal([&] { run.wake(499, 1); }), "time goes forward");
}

// --- a higher class -----------------------------------------------------------------------

TaskSpec fifo(std::string name, Ns burst) {
  return with_policy(sporadic(std::move(name), 0, burst), Policy::fifo);
}

// wakeup_preempt(): a higher class is a hard reschedule. put_prev_task_fair() puts A back;
// the pick behind F is made without it, and protects anew.
TEST_F(Machine, AFifoTaskTakesTheCpuAtOnce) {
  for (const Preemption model :
       {Preemption::none, Preemption::voluntary, Preemption::full, Preemption::lazy}) {
    Config c = config("6.12", 1000, {hog("A"), hog("B"), fifo("F", kMsec)});
    c.preemption = model;
    const SystemSpec spec = make_system(c);
    Run run(d, spec);
    run.wake(0, 0).wake(500 * kUsec, 2);
    EXPECT_EQ(run.switches(), "A@0 F@0.5");
    EXPECT_EQ(run.cpu().running, 2);
    EXPECT_EQ(run.cpu().rq.curr, kNobody);
    EXPECT_EQ(run.cpu().rq.tree, std::vector<TaskId>{0});
    EXPECT_FALSE(run.cpu().rq.keeps_deadline);
    EXPECT_FALSE(run.entity(2).on_rq);
    // B comes at V = 0.5, and asks for nothing; the tick charges neither.
    run.wake(700 * kUsec, 1).ticks(kMsec);
    EXPECT_EQ(run.cpu().resched, Resched::none);
    EXPECT_EQ(ns(run.entity(0).vruntime), 500 * kUsec);
    EXPECT_EQ(ns(run.entity(1).vruntime), 500 * kUsec);
    run.block(1'200 * kUsec, 2);
    // A's deadline is 3, B's 3.5.
    EXPECT_EQ(run.switches(), "A@0 F@0.5 A@1.2");
    EXPECT_TRUE(run.cpu().rq.keeps_deadline);
    EXPECT_EQ(ns(run.cpu().uncharged), 0);
    // A has had 0.5 of its 3 ms: served at 3.7, seen by the tick of 4.
    EXPECT_EQ(run.ticks(4 * kMsec).switches(), "A@0 F@0.5 A@1.2 B@4");
  }
}

// A short task that could not preempt A by its wake-up is picked behind F: A comes back as
// one of the queue. A: v = 0.5, d = 3. S, slice 1 ms: v = 0.5, d = 1.5.
TEST_F(Machine, AfterAFifoTaskThePickIsARealOne) {
  const TaskSpec batch = with_policy(with_slice(hog("S"), kMsec), Policy::batch);
  const SystemSpec spec = make_system(config("6.12", 1000, {hog("A"), batch, fifo("F", kMsec)}));
  Run run(d, spec);
  run.wake(0, 0).wake(500 * kUsec, 1);
  EXPECT_EQ(run.switches(), "A@0");
  run.wake(600 * kUsec, 2).block(700 * kUsec, 2);
  EXPECT_EQ(run.switches(), "A@0 F@0.6 S@0.7");
}

TEST_F(Machine, FifoTasksGoInTheOrderTheyCame) {
  const SystemSpec spec =
      make_system(config("6.12", 1000, {hog("A"), fifo("F", kMsec), fifo("G", kMsec)}));
  Run run(d, spec);
  run.wake(0, 0).wake(500 * kUsec, 2).wake(600 * kUsec, 1);
  EXPECT_EQ(run.switches(), "A@0 G@0.5");
  EXPECT_EQ(run.cpu().fifo, (std::vector<TaskId>{2, 1}));
  run.block(800 * kUsec, 2).wake(900 * kUsec, 2).block(kMsec, 1).block(1'500 * kUsec, 2);
  EXPECT_EQ(run.switches(), "A@0 G@0.5 F@0.8 G@1 A@1.5");
  // On an idle CPU as well.
  Run idle(d, spec);
  EXPECT_EQ(idle.wake(500 * kUsec, 1).block(kMsec, 1).switches(), "F@0.5 -@1");
}

TEST_F(Machine, AFifoTaskWaitsForTheEndOfAStretch) {
  for (const Preemption model : {Preemption::full, Preemption::lazy}) {
    Config c = config("6.12", 1000, {hog("A"), hog("B"), fifo("F", kMsec)});
    c.preemption = model;
    c.stretch = 400 * kUsec;
    const SystemSpec spec = make_system(c);
    Run run(d, spec);
    run.wake(0, 0).wake(100 * kUsec, 2);
    EXPECT_EQ(run.cpu().resched, Resched::now);
    EXPECT_EQ(ns(run.cpu().uncharged), 100 * kUsec);  // enqueue_task_rt() charges nobody
    run.wake(300 * kUsec, 1).resched(500 * kUsec);
    EXPECT_EQ(run.switches(), "A@0 F@0.5");
    EXPECT_EQ(run.cpu().resched, Resched::none);
    EXPECT_EQ(ns(run.entity(0).vruntime), 500 * kUsec);
    Run late(d, spec);
    late.wake(0, 0).wake(100 * kUsec, 2);
    EXPECT_EQ(refusal([&] { late.resched(500 * kUsec + 1); }), "a reschedule takes effect in time");
  }
  // Where preemption is lazy the interrupt of the tick ends it.
  Config c = config("6.12", 1000, {hog("A"), fifo("F", kMsec)});
  c.preemption = Preemption::lazy;
  c.stretch = 5 * kMsec;
  const SystemSpec spec = make_system(c);
  Run run(d, spec);
  EXPECT_EQ(run.wake(0, 0).wake(100 * kUsec, 1).ticks(kMsec).switches(), "A@0 F@1");
}

// A blocks while F is due: it is dequeued (or delayed), and F runs.
TEST_F(Machine, AFairTaskMayBlockBeforeTheFifoTaskGetsTheCpu) {
  Config c = config("6.12", 1000, {unconstrained("A"), hog("B"), fifo("F", kMsec)});
  c.stretch = kMsec;
  const SystemSpec spec = make_system(c);
  Run run(d, spec);
  // At 1.5 A is 1.5 ahead of B.
  run.wake(0, 0).wake(0, 1).wake(kMsec, 2).block(1'500 * kUsec, 0);
  EXPECT_EQ(run.switches(), "A@0 F@1.5");
  EXPECT_TRUE(run.entity(0).delayed);
  EXPECT_EQ(run.cpu().rq.tree, (std::vector<TaskId>{1, 0}));
  EXPECT_EQ(run.block(2 * kMsec, 2).switches(), "A@0 F@1.5 B@2");
}

// Up to 7.0 schedule() clears the timer, and A's new turn gets one of a whole slice; from
// 7.1 on it goes on. If it fires while F runs, task_tick_rt() does nothing about it.
TEST_F(Machine, HrtickIsOfTheFairClass) {
  for (const char* kernel : {"6.12", "7.2"}) {
    Config c = config(kernel, 100, {hog("A"), hog("B"), fifo("F", kMsec)});
    c.features.hrtick = true;
    const SystemSpec spec = make_system(c);
    const bool goes_on = spec.fair.rules.hrtick == tickproof::Hrtick::deadline;
    KernelDomain domain(spec.fair.rules.delta_fair);
    Run run(domain, spec);
    run.wake(0, 0).wake(0, 1).wake(2'500 * kUsec, 2);
    EXPECT_EQ(run.cpu().hrtick_armed, goes_on) << kernel;
    if (goes_on) {
      run.hrtick(3 * kMsec);
      EXPECT_FALSE(run.cpu().hrtick_armed);
    }
    EXPECT_EQ(run.switches(), "A@0 F@2.5");
    // Behind F it is B's turn: only B is eligible.
    run.block(3'200 * kUsec, 2);
    EXPECT_EQ(run.switches(), "A@0 F@2.5 B@3.2");
    EXPECT_TRUE(run.cpu().hrtick_armed);
    EXPECT_EQ(ns(run.cpu().hrtick), 3 * kMsec);
  }
}

// --- nice values and slices that change -----------------------------------------------------

TaskSpec changing(TaskSpec task, std::vector<int> renice, std::vector<Ns> slices) {
  task.renice = std::move(renice);
  task.slices = std::move(slices);
  return task;
}

class Change : public Machine {
 protected:
  /// A runs since 0, beside B. Both may change.
  SystemSpec two(const char* kernel) const {
    return make_system(config(kernel, 1000,
                              {changing(hog("A"), {5, -5}, {kMsec, kDefaultSlice}),
                               changing(hog("B"), {5, -5}, {kMsec, kDefaultSlice})}));
  }
};

// At 1.5 A's v is 1.5, V is 0.75, its lag -0.75; 1.5 is left of its request. Placed beside B
// (v = 0) it comes to twice that lag again, with what was left. From the next request on its
// slice is 1 ms.
TEST_F(Change, ANewSliceOfTheRunningTaskIsForItsNextRequest) {
  const SystemSpec spec = two("6.12");
  Run run(d, spec);
  run.wake(0, 0).wake(0, 1).set_slice(1'500 * kUsec, 0, kMsec);
  EXPECT_EQ(run.switches(), "A@0");
  EXPECT_EQ(run.cpu().rq.curr, 0);
  EXPECT_EQ(run.cpu().rq.tree, std::vector<TaskId>{1});
  EXPECT_EQ(ns(run.entity(0).slice), kMsec);
  EXPECT_EQ(ns(run.entity(0).vruntime), 1'500 * kUsec);
  EXPECT_EQ(ns(run.entity(0).deadline), 3 * kMsec);
  EXPECT_TRUE(run.cpu().rq.keeps_deadline);
  EXPECT_EQ(ns(run.cpu().uncharged), 0);
  run.ticks(3 * kMsec);
  EXPECT_EQ(run.switches(), "A@0 B@3");
  EXPECT_EQ(ns(run.entity(0).deadline), 4 * kMsec);
  run.set_slice(3 * kMsec, 0, kDefaultSlice);
  EXPECT_EQ(ns(run.entity(0).slice), kSlice);
  EXPECT_FALSE(run.entity(0).custom_slice);
}

// A's request is served at 3, with nobody beside it: no protection from then on. Up to 6.19
// the change protects A anew; in 7.0 vprot is what it was as A was picked, 3.
TEST_F(Change, ProtectionIsRenewedUpTo619) {
  for (const char* kernel : {"6.12", "6.17", "7.0"}) {
    const SystemSpec spec = two(kernel);
    Run run(d, spec);
    run.wake(0, 0).set_slice(3'500 * kUsec, 0, kDefaultSlice);
    EXPECT_EQ(ns(run.entity(0).vruntime), 3'500 * kUsec) << kernel;
    State<KernelDomain> s = run.state();
    const bool is_protected =
        Eevdf<KernelDomain>(d, spec.fair, s.cpus[0].rq, s.entities).is_protected();
    EXPECT_EQ(is_protected, spec.fair.rules.protection_start == ProtectionStart::set_next)
        << kernel;
  }
}

// B waits with v = 0 and lag 0.75, which is what it has again behind the change: A is alone
// on the queue meanwhile, V = 1.5. B is the last of the queue now.
TEST_F(Change, AWaitingTaskKeepsItsLag) {
  const SystemSpec spec = two("6.12");
  Run run(d, spec);
  run.wake(0, 0).wake(0, 1).set_slice(1'500 * kUsec, 1, kMsec);
  EXPECT_EQ(run.switches(), "A@0");  // there is no test of its slice
  EXPECT_EQ(ns(run.entity(1).vruntime), 0);
  EXPECT_EQ(ns(run.entity(1).deadline), kSlice);
  EXPECT_EQ(ns(run.entity(1).slice), kMsec);
  EXPECT_EQ(ns(run.entity(0).vruntime), 1'500 * kUsec);  // charged
}

// W sleeps off the queue, which goes on at 0.1. As W wakes beside A (v = 0.9) its deadline is
// 1.9, and its slice the shorter one.
TEST_F(Change, ASleeperGetsItsSliceAtTheNextWakeUp) {
  for (const bool changes : {true, false}) {
    const SystemSpec spec = make_system(config(
        "6.12", 1000, {hog("A"), changing(sporadic("W", 0, kMsec), {}, {kMsec, kDefaultSlice})}));
    Run run(d, spec);
    run.wake(0, 1).block(100 * kUsec, 1).wake(200 * kUsec, 0);
    if (changes) run.set_slice(300 * kUsec, 1, kMsec);
    run.wake(kMsec, 1);
    EXPECT_EQ(run.switches(), changes ? "W@0 -@0.1 A@0.2 W@1" : "W@0 -@0.1 A@0.2");
    EXPECT_EQ(ns(run.entity(1).deadline), (changes ? 1'900 : 3'900) * kUsec);
  }
}

// weight 1024 -> 335. The lag of -0.75 ms becomes -2292537, times (1024 + 335) / 1024 it is
// -3042536. What is left of the request is scaled from 6.13 on: 1.5 ms * 1024 / 335. A's
// priority has fallen: it is rescheduled, and B is the one that is eligible.
TEST_F(Change, ATaskThatIsMadeNicerLosesTheCpu) {
  for (const char* kernel : {"6.12", "6.13", "7.0"}) {
    const SystemSpec spec = two(kernel);
    Run run(d, spec);
    run.wake(0, 0).wake(0, 1).renice(1'500 * kUsec, 0, 5);
    EXPECT_EQ(run.switches(), "A@0 B@1.5") << kernel;
    EXPECT_EQ(run.task(0).nice, 5);
    EXPECT_EQ(run.entity(0).weight.value, 335);
    EXPECT_EQ(ns(run.entity(0).vruntime), 3'042'536) << kernel;
    const Ns left = spec.fair.rules.renice == Renice::lag ? 1'500'000 : 4'585'074;
    EXPECT_EQ(ns(run.entity(0).deadline), 3'042'536 + left) << kernel;
  }
}

// 1024 -> 3121: a lag of -246074, times 4145 / 1024 it is -996071. In 7.0 vprot stays at 3,
// which is beyond the deadline now.
TEST_F(Change, ATaskThatIsMadeLessNiceKeepsTheCpu) {
  for (const char* kernel : {"6.12", "6.13", "7.0"}) {
    const SystemSpec spec = two(kernel);
    Run run(d, spec);
    run.wake(0, 0).wake(0, 1).renice(1'500 * kUsec, 0, -5);
    EXPECT_EQ(run.switches(), "A@0") << kernel;
    EXPECT_EQ(run.cpu().resched, Resched::none) << kernel;
    EXPECT_EQ(ns(run.entity(0).vruntime), 996'071) << kernel;
    const Ns left = spec.fair.rules.renice == Renice::lag ? 1'500'000 : 492'149;
    EXPECT_EQ(ns(run.entity(0).deadline), 996'071 + left) << kernel;
    if (kernel == std::string("7.0")) {
      EXPECT_EQ(ns(run.entity(0).vprot), kSlice);
    }
  }
}

// B's lag of 0.75 becomes 246074, times 4145 / 1024 it is 996071, before V = 1.5. A is not
// eligible (it is ahead), so the test of a wake-up finds B. Without it B waits until 3.
TEST_F(Change, AWaitingTaskIsTestedLikeAWakeUp) {
  const SystemSpec spec = two("6.12");
  Run run(d, spec);
  run.wake(0, 0).wake(0, 1).renice(1'500 * kUsec, 1, -5);
  EXPECT_EQ(run.switches(), "A@0 B@1.5");
  EXPECT_EQ(ns(run.entity(1).vruntime), 1'500'000 - 996'071);
  EXPECT_EQ(ns(run.entity(1).deadline), 1'500'000 - 996'071 + kSlice);
}

TEST_F(Change, ALoneTaskIsNotRescheduled) {
  const SystemSpec spec = two("6.12");
  Run run(d, spec);
  run.wake(0, 0).renice(1'500 * kUsec, 0, 5);
  EXPECT_EQ(run.switches(), "A@0");
  EXPECT_EQ(ns(run.entity(0).vruntime), 1'500 * kUsec);
  EXPECT_EQ(ns(run.entity(0).deadline), 3 * kMsec);
}

// W sleeps at v = 1, where V is 0.5.
TEST_F(Change, OfASleeperOnlyTheLagIsScaled) {
  Config c = config("6.12", 1000, {hog("A"), changing(unconstrained("W"), {5}, {})});
  c.features.delay_dequeue = false;
  const SystemSpec spec = make_system(c);
  Run run(d, spec);
  run.wake(0, 1).wake(0, 0).block(kMsec, 1);
  EXPECT_EQ(ns(run.entity(1).vlag), -500 * kUsec);
  run.renice(2 * kMsec, 1, 5);
  EXPECT_EQ(ns(run.entity(1).vlag), -1'528'358);  // 0.5 ms * 1024 / 335
  EXPECT_EQ(run.entity(1).weight.value, 335);
  EXPECT_EQ(run.switches(), "W@0 A@1");
}

TEST_F(Change, ASchedIdleTaskKeepsItsWeight) {
  const SystemSpec spec = make_system(
      config("6.12", 1000, {hog("A"), changing(with_policy(hog("I"), Policy::idle), {5}, {})}));
  Run run(d, spec);
  run.wake(0, 1).wake(0, 0).renice(kMsec, 1, 5);
  EXPECT_EQ(run.entity(1).weight.value, weight_of_idle_policy().value);
  EXPECT_EQ(run.task(1).nice, 5);
}

TEST_F(Change, NothingIsTestedWhileAHigherClassRuns) {
  const SystemSpec spec =
      make_system(config("6.12", 1000, {hog("A"), changing(hog("B"), {-5}, {}), fifo("F", kMsec)}));
  Run run(d, spec);
  run.wake(0, 0).wake(0, 1).wake(kMsec, 2).renice(1'500 * kUsec, 1, -5);
  EXPECT_EQ(run.cpu().resched, Resched::none);
  EXPECT_EQ(run.switches(), "A@0 F@1");
  EXPECT_EQ(run.block(2 * kMsec, 2).switches(), "A@0 F@1 B@2");
}

// Up to 7.0 HRTICK is set anew for what is left of the slice since the pick. Then A counts as
// picked anew, so the next look is at all of its slice.
TEST_F(Change, HrtickIsSetForTheNewSlice) {
  Config c = config("6.12", 100, {changing(hog("A"), {}, {2 * kMsec}), hog("B")});
  c.features.hrtick = true;
  const SystemSpec spec = make_system(c);
  Run run(d, spec);
  run.wake(0, 0).wake(0, 1).set_slice(1'500 * kUsec, 0, 2 * kMsec);
  EXPECT_TRUE(run.cpu().hrtick_armed);
  EXPECT_EQ(ns(run.cpu().hrtick), 500 * kUsec);
  EXPECT_EQ(ns(run.cpu().ran), 0);
}

// __sched_setscheduler() compares what is asked for, and for the base slice that is 0.
TEST_F(Change, IsToSomethingElse) {
  const SystemSpec spec = make_system(
      config("6.12", 1000, {changing(unconstrained("A"), {0, 5}, {kMsec, kDefaultSlice})}));
  Run run(d, spec);
  const auto changes = [&] {
    std::string text;
    System<KernelDomain>(d, spec).for_each_move(
        run.state(), [&](MoveKind kind, CpuId, TaskId, std::int64_t value) {
          if (kind != MoveKind::renice && kind != MoveKind::set_slice) return;
          text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name_of(kind), value);
        });
    return text;
  };
  EXPECT_EQ(changes(), "");  // unborn
  run.wake(0, 0);
  EXPECT_EQ(changes(), "renice 5, set-slice 1000000, set-slice 0");
  run.set_slice(0, 0, kMsec).renice(0, 0, 5);
  EXPECT_EQ(changes(), "renice 0, set-slice 0");
  run.renice(0, 0, 0).block(kMsec, 0);
  EXPECT_EQ(changes(), "renice 5, set-slice 0");
}

TEST_F(Change, IsNotOfADelayedTask) {
  const SystemSpec spec =
      make_system(config("6.12", 1000, {changing(unconstrained("A"), {5}, {kMsec}), hog("B")}));
  Run run(d, spec);
  run.wake(0, 0).wake(0, 1).block(kMsec, 0);
  ASSERT_TRUE(run.entity(0).delayed);
  EXPECT_EQ(refusal([&] { run.renice(1'500 * kUsec, 0, 5); }),
            "only a task that is not delayed is changed");
}

// --- moves --------------------------------------------------------------------------------

// Of copies that were not started yet, the first one is as good as any.
TEST_F(Machine, ListsTheMovesOfAState) {
  Config c = config("6.12", 1000, {hogs("h", 2), sporadic("s", 0, kMsec), yielder("y", kMsec)});
  c.stretch = kMsec;
  c.features.hrtick = true;
  const SystemSpec spec = make_system(c);
  Run run(d, spec);
  const auto moves = [&] {
    std::string text;
    System<KernelDomain>(d, spec).for_each_move(
        run.state(), [&](MoveKind kind, CpuId, TaskId t, std::int64_t) {
          text += fmt::format("{}{}{}", text.empty() ? "" : ", ", name_of(kind),
                              t == kNobody ? "" : " " + spec.tasks[std::size_t(t)].name);
        });
    return text;
  };
  EXPECT_EQ(moves(), "tick, wake h.1, wake s, wake y");
  run.wake(0, 2);
  EXPECT_EQ(moves(), "tick, block s, wake h.1, wake y");
  run.wake(0, 0);
  EXPECT_EQ(moves(), "tick, hrtick, block s, wake h.2, wake y");
  run.block(0, 2).wake(0, 1);
  EXPECT_EQ(moves(), "tick, hrtick, wake s, wake y");
  run.hrtick(3 * kMsec);
  EXPECT_EQ(moves(), "tick, resched, wake s, wake y");
  run.wake(3 * kMsec, 3).resched(3 * kMsec).hrtick(6 * kMsec).resched(6 * kMsec);
  EXPECT_EQ(run.cpu().rq.curr, 3);
  EXPECT_EQ(moves(), "tick, hrtick, yield y, wake s");
}

// --- quiet ticks ----------------------------------------------------------------------------

/// All numbers and the discrete part of a state.
std::string everything(const SystemSpec& spec, const State<RationalDomain>& s) {
  RationalDomain d;
  State<RationalDomain> copy = s;
  std::string text;
  System<RationalDomain>(d, spec).for_each_live_number(
      copy,
      [&](const std::string& name, const Rational& x) { text += name + "=" + x.str() + " "; });
  for (const Task<RationalDomain>& t : s.tasks) text += std::to_string(static_cast<int>(t.life));
  for (const Entity<RationalDomain>& e : s.entities) {
    text += fmt::format(" {}{}", int{e.on_rq}, int{e.delayed});
  }
  const Cpu<RationalDomain>& cpu = s.cpus[0];
  return text + fmt::format(" {} {} {} {} [{}]", cpu.rq.curr, int{cpu.rq.keeps_deadline},
                            static_cast<int>(cpu.resched), int{cpu.hrtick_armed},
                            fmt::join(cpu.rq.tree, " "));
}

// The symbolic domain passes over many ticks at once: in exact fractions that is the
// same as one by one.
TEST(QuietTicks, CanBeMerged) {
  int merged = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const SystemSpec spec = random_system(dice, {});
    RationalDomain d;
    MacroRun<RationalDomain> run(dice, d, spec);
    NoObserver<RationalDomain> nobody;
    for (int i = 0; i < 40; ++i) {
      std::optional<MacroStep> step = run.next(nobody);
      if (!step) break;
      merged += step->move.quiet[0].count > 0 ? 1 : 0;
      State<RationalDomain> at_once = step->before;
      ASSERT_NO_THROW(run.system().step(at_once, step->move, nobody));
      ASSERT_EQ(everything(spec, at_once), everything(spec, step->after))
          << name_of(step->move.kind) << " after " << step->move.quiet[0].count;
    }
  }
  EXPECT_GT(merged, 1'000);
}

}  // namespace
}  // namespace tickproof
