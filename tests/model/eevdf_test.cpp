// The rules of the fair class, one at a time, in the kernel's arithmetic. Expected
// values are worked out by hand from kernel/sched/fair.c of 6.8.1 and 6.12.117; the
// function is named above each group.
#include "model/eevdf.hpp"

#include <gtest/gtest.h>

#include "model/kernel_domain.hpp"
#include "tests/support/fair_queue.hpp"

namespace tickproof {
namespace {

constexpr Ns kSlice = 3 * kMsec;

class Fair : public testing::Test {
 protected:
  using Queue = FairQueue<KernelDomain>;
  static Ns ns(Checked x) { return x.value(); }
  static Checked num(Ns x) { return Checked(x); }

  /// Does the wake-up of p, which does not find the end of curr's slice, preempt?
  bool preempts(Queue& q, TaskId p) {
    return q.fair.wakeup_preempts(p, {}, [&] { ++charges; });
  }

  KernelDomain d{DeltaFair::inverse};
  int charges = 0;  // calls of update_curr() in preempts()
};

// --- avg_vruntime(), entity_eligible() ---------------------------------------

TEST_F(Fair, VIsTheWeightedMeanRoundedDown) {
  Queue q(d, "6.12");
  q.rq.v0 = num(77);
  EXPECT_EQ(ns(q.fair.avg_vruntime()), 77);
  q.add_queued(0, 0);
  EXPECT_EQ(ns(q.fair.avg_vruntime()), 0);
  const TaskId b = q.add_queued(1, 0);
  EXPECT_EQ(ns(q.fair.avg_vruntime()), 0);  // 1/2
  q.at(b).vruntime = num(-1);
  EXPECT_EQ(ns(q.fair.avg_vruntime()), -1);  // -1/2
  q.at(b).vruntime = num(3000);
  q.at(b).weight = weight_of_nice(5);
  EXPECT_EQ(ns(q.fair.avg_vruntime()), 739);  // 335 * 3000 / 1359 = 739.5
  q.add_running(-1000, 0);
  EXPECT_EQ(ns(q.fair.avg_vruntime()), -8);  // (1005000 - 1024000) / 2383 = -7.97
  q.at(q.rq.curr).on_rq = false;             // between its dequeue and the switch
  EXPECT_EQ(ns(q.fair.avg_vruntime()), 739);
}

TEST_F(Fair, EligibleIsNotAheadOfTheExactMean) {
  Queue q(d, "6.12");
  const TaskId a = q.add_queued(0, 0);
  EXPECT_TRUE(q.fair.eligible(a));  // alone
  const TaskId b = q.add_queued(1, 0);
  EXPECT_TRUE(q.fair.eligible(a));
  EXPECT_FALSE(q.fair.eligible(b));  // 1 > 1/2
  q.at(b).vruntime = num(0);
  EXPECT_TRUE(q.fair.eligible(a));  // a tie is eligible
  EXPECT_TRUE(q.fair.eligible(b));
  const TaskId c = q.add_running(0, 0, 5);
  EXPECT_TRUE(q.fair.eligible_at(c, num(0)));
  EXPECT_FALSE(q.fair.eligible_at(c, num(1)));
}

// --- update_curr(), update_deadline() ------------------------------------------

TEST_F(Fair, ARequestExpiresWhenItIsServed) {
  Queue q(d, "6.8");
  const TaskId a = q.add_running(0, kSlice);
  q.add_queued(0, kSlice);
  EXPECT_FALSE(q.fair.update_curr(num(kSlice - 1)));
  EXPECT_EQ(ns(q.at(a).deadline), kSlice);
  EXPECT_TRUE(q.rq.keeps_deadline);
  EXPECT_TRUE(q.fair.update_curr(num(1)));
  EXPECT_FALSE(q.rq.keeps_deadline);
  EXPECT_EQ(ns(q.at(a).vruntime), kSlice);
  EXPECT_EQ(ns(q.at(a).deadline), 2 * kSlice);
}

// The new deadline counts from where the task is: what it overran is not given back.
TEST_F(Fair, TheNextDeadlineIsAnchoredAtTheVruntime) {
  Queue q(d, "6.12");
  const TaskId a = q.add_running(0, kSlice);
  q.add_queued(0, kSlice);
  EXPECT_TRUE(q.fair.update_curr(num(10 * kMsec)));
  EXPECT_EQ(ns(q.at(a).deadline), 13 * kMsec);
}

TEST_F(Fair, ChargesByWeight) {
  Queue q(d, "6.12");
  const TaskId a = q.add_running(0, 100 * kMsec, 5);
  q.fair.update_curr(num(2'800'000));
  EXPECT_EQ(ns(q.at(a).vruntime), 8'558'806);
}

TEST_F(Fair, ARenewalTakesUpTheBaseSlice) {
  Queue q(d, "6.12");
  const TaskId a = q.add_running(0, kSlice);
  q.at(a).slice = num(5 * kMsec);
  q.fair.update_curr(num(kSlice));
  EXPECT_EQ(ns(q.at(a).slice), kSlice);
  EXPECT_EQ(ns(q.at(a).deadline), 2 * kSlice);
  q.at(a).slice = num(5 * kMsec);
  q.at(a).custom_slice = true;
  q.fair.update_curr(num(kSlice));
  EXPECT_EQ(ns(q.at(a).slice), 5 * kMsec);
  EXPECT_EQ(ns(q.at(a).deadline), 11 * kMsec);
}

// nr_queued == 1 returns before the test: no reschedule, and no protection any more.
TEST_F(Fair, ALoneTaskIsRenewedButNotRescheduled) {
  Queue q(d, "6.12");
  const TaskId a = q.add_running(0, kSlice);
  EXPECT_FALSE(q.fair.update_curr(num(4 * kMsec)));
  EXPECT_EQ(ns(q.at(a).deadline), 7 * kMsec);
  EXPECT_FALSE(q.rq.keeps_deadline);
}

// "delta_exec <= 0: return": not even the tests are made.
TEST_F(Fair, NothingIsFoundWhenNoTimePassed) {
  Queue q(d, "6.12");
  const TaskId a = q.add_running(kSlice, kSlice);
  q.add_queued(0, kSlice);
  EXPECT_FALSE(q.fair.update_curr(num(0)));
  EXPECT_EQ(ns(q.at(a).deadline), kSlice);
  EXPECT_TRUE(q.fair.update_curr(num(1)));
}

// did_preempt_short(): 6.12, PREEMPT_SHORT, not protected, not eligible.
TEST_F(Fair, AnUnprotectedIneligibleTaskIsRescheduled) {
  const auto finds = [&](const char* kernel, bool is_protected, bool preempt_short, Ns other) {
    Queue q(d, kernel);
    q.settings.features.preempt_short = preempt_short;
    q.add_queued(other, 10 * kSlice);
    q.add_running(0, kSlice);
    q.rq.keeps_deadline = is_protected;
    return q.fair.update_curr(num(kMsec));  // to 1 ms
  };
  const Ns behind = kMsec - 1;
  EXPECT_TRUE(finds("6.12", false, true, behind));
  EXPECT_FALSE(finds("6.12", true, true, behind));
  EXPECT_FALSE(finds("6.12", false, false, behind));
  EXPECT_FALSE(finds("6.12", false, true, kMsec));  // a tie is eligible
  EXPECT_FALSE(finds("6.8", false, true, behind));
}

// --- place_entity() ----------------------------------------------------------

TEST_F(Fair, PlacementPreservesLag) {
  Queue q(d, "6.12");
  q.add_queued(1'000'000, 2'000'000);
  const TaskId b = q.add();
  q.at(b).vlag = num(300);
  q.fair.enqueue(b, false);
  // 300 * (1024 + 1024) / 1024 = 600 below V; afterwards V is 300 lower.
  EXPECT_EQ(ns(q.at(b).vruntime), 999'400);
  EXPECT_EQ(ns(q.fair.avg_vruntime()) - 999'400, 300);
  EXPECT_EQ(ns(q.at(b).deadline), 999'400 + kSlice);
  EXPECT_TRUE(q.at(b).on_rq);
  EXPECT_EQ(q.rq.tree.back(), b);
}

// div_s64() rounds toward zero: -5 * (1024 + 335) / 1024 = -6.64.
TEST_F(Fair, PlacementTruncatesLag) {
  Queue q(d, "6.12");
  q.add_queued(1'000, 2'000'000);
  const TaskId b = q.add(5);
  q.at(b).vlag = num(-5);
  q.fair.enqueue(b, false);
  EXPECT_EQ(ns(q.at(b).vruntime), 1'006);
  EXPECT_EQ(ns(q.at(b).deadline), 1'006 + 9'170'149);  // 3 ms at weight 335, inverse rule
}

TEST_F(Fair, AnEmptyQueueForgetsLag) {
  Queue q(d, "6.12");
  q.rq.v0 = num(500);
  const TaskId a = q.add();
  q.at(a).vlag = num(-300);
  q.fair.enqueue(a, false);
  EXPECT_EQ(ns(q.at(a).vruntime), 500);
}

TEST_F(Fair, WithoutPlaceLagATaskComesAtV) {
  Queue q(d, "6.12");
  q.settings.features.place_lag = false;
  q.add_queued(1'000, 2'000);
  const TaskId b = q.add();
  q.at(b).vlag = num(-300);
  q.fair.enqueue(b, false);
  EXPECT_EQ(ns(q.at(b).vruntime), 1'000);
}

// PLACE_DEADLINE_INITIAL; before c40dd90ac045 (6.12) a child was placed a second time.
TEST_F(Fair, AForkedTaskGetsHalfASliceFrom612On) {
  const auto deadline = [&](const char* kernel, bool initial, int nice) {
    Queue q(d, kernel);
    q.settings.features.place_deadline_initial = initial;
    q.add_queued(0, kSlice);
    const TaskId child = q.add(nice);
    q.fair.enqueue(child, true);
    return ns(q.at(child).deadline);
  };
  EXPECT_EQ(deadline("6.12", true, 0), kSlice / 2);
  EXPECT_EQ(deadline("6.12", true, 5), 9'170'149 / 2);
  EXPECT_EQ(deadline("6.12", false, 0), kSlice);
  EXPECT_EQ(deadline("6.8", true, 0), kSlice);
}

// 2f2fc17bab00: the slice is taken up at placement, too.
TEST_F(Fair, PlacementTakesUpTheBaseSlice) {
  Queue q(d, "6.12");
  const TaskId a = q.add();
  q.at(a).slice = num(5 * kMsec);
  q.fair.enqueue(a, false);
  EXPECT_EQ(ns(q.at(a).slice), kSlice);
}

// PLACE_REL_DEADLINE: what was left of the request when it was taken off is kept.
TEST_F(Fair, ARelativeDeadlineIsKept) {
  for (const bool feature : {true, false}) {
    Queue q(d, "6.12");
    q.settings.features.place_rel_deadline = feature;
    q.add_queued(1'000, kSlice);
    const TaskId b = q.add();
    q.at(b).deadline = num(400);
    q.at(b).rel_deadline = true;
    q.fair.enqueue(b, false);
    EXPECT_EQ(ns(q.at(b).deadline), feature ? 1'400 : 1'000 + kSlice);
    EXPECT_EQ(q.at(b).rel_deadline, !feature);
  }
}

// --- update_entity_lag(), dequeue_entity() ----------------------------------------

TEST_F(Fair, LagIsSavedWithinItsLimit) {
  const auto saved = [&](Ns vruntime, Ns tick, int nice, Ns slice) {
    Queue q(d, "6.8");
    q.settings.tick = tick;
    const TaskId a = q.add_running(vruntime, vruntime + kSlice, nice);
    q.at(a).slice = num(slice);
    // Heavy and at 0: V is next to 0.
    q.add_queued(0, kSlice, -20);
    q.fair.dequeue_sleeper(a);
    return ns(q.at(a).vlag);
  };
  // (88761 * 0 + 1024 * 1000000) / 89785 = 11405.02
  EXPECT_EQ(saved(kMsec, kMsec, 0, kSlice), 11'405 - kMsec);
  // max(2 * slice, tick) in virtual time of its own weight, in both directions.
  EXPECT_EQ(saved(20 * kMsec, kMsec, 0, kSlice), -6 * kMsec);
  EXPECT_EQ(saved(-20 * kMsec, kMsec, 0, kSlice), 6 * kMsec);
  EXPECT_EQ(saved(20 * kMsec, 10 * kMsec, 0, kSlice), -10 * kMsec);
  EXPECT_EQ(saved(20 * kMsec, kMsec, 0, kMsec), -2 * kMsec);
  EXPECT_EQ(saved(90 * kMsec, kMsec, 5, kSlice), -18'340'298);  // 6 ms at weight 335
}

TEST_F(Fair, AnEligibleSleeperLeavesAtOnce) {
  Queue q(d, "6.12.117");
  const TaskId a = q.add_running(0, kSlice);
  q.add_queued(1'001, kSlice);
  q.fair.dequeue_sleeper(a);
  EXPECT_FALSE(q.at(a).on_rq);
  EXPECT_FALSE(q.at(a).delayed);
  EXPECT_EQ(ns(q.at(a).vlag), 500);
  EXPECT_EQ(q.fair.nr_queued(), 1U);
  EXPECT_EQ(ns(q.rq.v0), 500);
}

TEST_F(Fair, AnIneligibleSleeperIsDelayedFrom612On) {
  for (const bool delays : {true, false}) {
    Queue q(d, delays ? "6.12" : "6.8");
    const TaskId a = q.add_running(1'001, kSlice);
    const TaskId b = q.add_queued(0, kSlice);
    q.fair.dequeue_sleeper(a);
    EXPECT_EQ(q.at(a).on_rq, delays);
    EXPECT_EQ(q.at(a).delayed, delays);
    // It still counts.
    EXPECT_EQ(ns(q.fair.avg_vruntime()), delays ? 500 : 0);
    EXPECT_EQ(q.fair.pick_next(), b);
    q.fair.switch_to(b);
    EXPECT_EQ(q.rq.tree, delays ? std::vector<TaskId>{a} : std::vector<TaskId>{});
    EXPECT_EQ(ns(q.at(a).vlag), delays ? kSlice : -501);  // while it runs: its deadline
  }
}

TEST_F(Fair, ALoneSleeperIsNeverDelayed) {
  Queue q(d, "6.12.117");
  const TaskId a = q.add_running(1'001, kSlice);
  q.fair.dequeue_sleeper(a);
  EXPECT_FALSE(q.at(a).on_rq);
  EXPECT_EQ(q.fair.pick_next(), kNobody);
  EXPECT_EQ(ns(q.rq.v0), 1'001);
}

// DELAY_ZERO (54a58a787791): a task gains no lag while it is asleep on the queue.
TEST_F(Fair, ADelayedTaskThatIsPickedIsDequeued) {
  for (const bool delay_zero : {true, false}) {
    Queue q(d, "6.12");
    q.settings.features.delay_zero = delay_zero;
    const TaskId a = q.add_running(900, 5'000);
    const TaskId b = q.add_queued(0, 9'000);  // the only one eligible
    q.at(b).delayed = true;
    EXPECT_EQ(q.fair.pick_next(), a);
    EXPECT_FALSE(q.at(b).on_rq);
    EXPECT_FALSE(q.at(b).delayed);
    EXPECT_EQ(ns(q.at(b).vlag), delay_zero ? 0 : 450);
    EXPECT_TRUE(q.rq.tree.empty());
  }
}

TEST_F(Fair, ALoneDelayedTaskIsDequeued) {
  Queue q(d, "6.12");
  const TaskId a = q.add_running(0, 5'000);
  const TaskId b = q.add_queued(900, 5'000);
  q.at(b).delayed = true;
  q.fair.dequeue_sleeper(a);
  EXPECT_EQ(q.fair.pick_next(), kNobody);
  EXPECT_EQ(ns(q.at(b).vlag), 0);
  EXPECT_EQ(q.fair.nr_queued(), 0U);
}

// requeue_delayed_entity()
TEST_F(Fair, ADelayedTaskWithLagIsPlacedAnew) {
  const auto requeued = [&](Ns vruntime, bool delay_zero) {
    Queue q(d, "6.12");
    q.settings.features.delay_zero = delay_zero;
    q.add_running(1'000, kSlice);
    const TaskId b = q.add_queued(vruntime, 2'000);
    q.add_queued(1'000, kSlice);
    q.at(b).delayed = true;
    q.fair.requeue_delayed(b);
    EXPECT_FALSE(q.at(b).delayed);
    EXPECT_TRUE(q.at(b).on_rq);
    EXPECT_EQ(q.fair.nr_queued(), 3U);
    // Placed anew it goes behind tasks with equal deadlines.
    const bool moved = q.rq.tree.back() == b;
    return std::tuple(ns(q.at(b).vruntime), ns(q.at(b).deadline), moved);
  };
  EXPECT_EQ(requeued(100, true), std::tuple(1'000, 1'000 + kSlice, true));
  EXPECT_EQ(requeued(100, false), std::tuple(100, 2'000, false));
  // Behind or at V it keeps its place and its old deadline.
  EXPECT_EQ(requeued(1'000, true), std::tuple(1'000, 2'000, false));
  EXPECT_EQ(requeued(1'900, true), std::tuple(1'900, 2'000, false));
}

// --- pick_eevdf(), set_next_entity() ----------------------------------------------

TEST_F(Fair, PicksTheEarliestEligibleDeadline) {
  Queue q(d, "6.12");
  q.add_queued(500, 1'000);  // the earliest of all, but ahead of V = 200
  const TaskId b = q.add_queued(0, 3'000);
  const TaskId c = q.add_queued(100, 2'000);
  EXPECT_EQ(q.fair.pick_next(), c);
  q.at(b).deadline = num(1'500);
  EXPECT_EQ(q.fair.pick_next(), b);
}

TEST_F(Fair, EqualDeadlinesGoByArrival) {
  Queue q(d, "6.12");
  const TaskId a = q.add_running(0, 2'000);
  const TaskId b = q.add_queued(0, 2'000);
  q.add_queued(0, 2'000);
  q.settings.features.run_to_parity = false;
  EXPECT_EQ(q.fair.pick_next(), b);  // a tie with curr goes to the tree
  q.at(a).deadline = num(1'999);
  EXPECT_EQ(q.fair.pick_next(), a);
}

TEST_F(Fair, APreemptedTaskGoesBehindItsEquals) {
  Queue q(d, "6.12");
  const TaskId a = q.add_running(0, 2'000);
  const TaskId b = q.add_queued(0, 2'000);
  const TaskId c = q.add_queued(0, 2'000);
  q.fair.switch_to(c);
  EXPECT_EQ(q.rq.tree, (std::vector<TaskId>{b, a}));
  EXPECT_EQ(q.rq.curr, c);
}

TEST_F(Fair, AProtectedTaskIsKeptWhileEligible) {
  Queue q(d, "6.12");
  const TaskId a = q.add_running(0, 9'000);
  const TaskId b = q.add_queued(0, 1'000);
  EXPECT_EQ(q.fair.pick_next(), a);
  q.settings.features.run_to_parity = false;
  EXPECT_EQ(q.fair.pick_next(), b);
  q.settings.features.run_to_parity = true;
  q.at(a).vruntime = num(1);  // not eligible any more
  EXPECT_EQ(q.fair.pick_next(), b);
  q.at(a).vruntime = num(0);
  q.rq.keeps_deadline = false;
  EXPECT_EQ(q.fair.pick_next(), b);
}

TEST_F(Fair, ALoneTaskIsPickedWhateverItsNumbers) {
  Queue q(d, "6.12");
  EXPECT_EQ(q.fair.pick_next(), kNobody);
  const TaskId a = q.add_queued(5'000, 1'000);
  EXPECT_EQ(q.fair.pick_next(), a);
}

// put_prev_set_next_task() returns early if both are the same task.
TEST_F(Fair, ProtectionIsSetAtASwitchOnly) {
  Queue q(d, "6.8");
  const TaskId a = q.add_running(0, kSlice);
  q.add_queued(5 * kSlice, 9 * kSlice);
  EXPECT_TRUE(q.rq.keeps_deadline);
  EXPECT_TRUE(q.fair.update_curr(num(kSlice)));
  EXPECT_EQ(q.fair.pick_next(), a);
  q.fair.switch_to(a);
  EXPECT_FALSE(q.rq.keeps_deadline);
}

TEST_F(Fair, ASleeperThatWasSwitchedOutIsNotQueued) {
  Queue q(d, "6.12");
  const TaskId a = q.add_running(0, kSlice);
  q.fair.dequeue_sleeper(a);
  q.fair.switch_to(kNobody);
  EXPECT_EQ(q.rq.curr, kNobody);
  EXPECT_TRUE(q.rq.tree.empty());
  EXPECT_FALSE(q.rq.keeps_deadline);
}

// --- check_preempt_wakeup_fair() -----------------------------------------------------

TEST_F(Fair, AnEqualSliceWaitsForAProtectedEligibleTask) {
  Queue q(d, "6.12");
  q.add_running(0, 9'000);
  const TaskId p = q.add_queued(0, 1'000);
  EXPECT_FALSE(preempts(q, p));
  q.rq.keeps_deadline = false;
  EXPECT_TRUE(preempts(q, p));
}

TEST_F(Fair, AnEqualSlicePreemptsAnIneligibleTask) {
  for (const char* kernel : {"6.8", "6.12"}) {
    Queue q(d, kernel);
    q.add_running(10, 9'000);
    const TaskId p = q.add_queued(0, 10'000);
    EXPECT_TRUE(preempts(q, p)) << kernel;
    // ... only if it is the one to be picked.
    q.add_queued(0, 9'999);
    EXPECT_FALSE(preempts(q, p)) << kernel;
  }
}

TEST_F(Fair, WithoutWakeupPreemptionNobodyIsPreempted) {
  Queue q(d, "6.12");
  q.settings.features.wakeup_preemption = false;
  q.add_running(10, 9'000);
  EXPECT_FALSE(preempts(q, q.add_queued(0, 10'000)));
  EXPECT_EQ(charges, 0);
}

TEST_F(Fair, BatchAndIdleTasksDoNotPreempt) {
  for (const Policy policy : {Policy::normal, Policy::batch, Policy::idle}) {
    Queue q(d, "6.12");
    q.add_running(10, 9'000);
    const TaskId p = q.add_queued(0, 10'000);
    q.at(p).policy = policy;
    charges = 0;
    EXPECT_EQ(preempts(q, p), policy == Policy::normal);
    // update_curr() is called behind the tests of policy and feature.
    EXPECT_EQ(charges, policy == Policy::normal ? 1 : 0);
  }
}

// 85e511df3cec: an eligible waker with a shorter slice breaks the protection if its
// deadline is earlier, or the running task is not eligible.
TEST_F(Fair, AShorterSliceBreaksProtection) {
  struct Case {
    Ns vruntime;  // of the waker; the running task and a third one are at 0
    Ns deadline;  // of the waker; the running task's is 9000, the third one's 99000
    bool preempts;
    bool protection_left;
  };
  const Case cases[] = {
      {0, 8'000, true, false},     {0, 9'000, false, true},  // not earlier
      {10, 8'000, false, true},                              // not eligible
      {-60, 10'000, true, false},   // not earlier, but the running task is not eligible
      {-60, 100'000, true, false},  // ... nor is any other
  };
  for (const Case& c : cases) {
    Queue q(d, "6.12");
    q.add_running(0, 9'000);
    q.add_queued(0, 99'000);
    const TaskId p = q.add_queued(c.vruntime, c.deadline);
    q.at(p).slice = num(kSlice - 1);
    EXPECT_EQ(preempts(q, p), c.preempts);
    EXPECT_EQ(q.rq.keeps_deadline, c.protection_left);
  }
}

TEST_F(Fair, AShorterSliceNeedsItsFeatureAndItsKernel) {
  const auto short_preempts = [&](const char* kernel, bool preempt_short, Ns slice) {
    Queue q(d, kernel);
    q.settings.features.preempt_short = preempt_short;
    q.add_running(0, 9'000);
    const TaskId p = q.add_queued(0, 8'000);
    q.at(p).slice = num(slice);
    return preempts(q, p);
  };
  EXPECT_TRUE(short_preempts("6.12", true, kSlice - 1));
  EXPECT_FALSE(short_preempts("6.12", true, kSlice));
  EXPECT_FALSE(short_preempts("6.12", false, kSlice - 1));
  EXPECT_FALSE(short_preempts("6.8", true, kSlice - 1));
}

// Protection is gone even if a third task is the one to be picked.
TEST_F(Fair, ProtectionCanBeBrokenInVain) {
  Queue q(d, "6.12");
  q.add_running(0, 9'000);
  q.add_queued(0, 7'000);
  const TaskId p = q.add_queued(0, 8'000);
  q.at(p).slice = num(kSlice - 1);
  EXPECT_FALSE(preempts(q, p));
  EXPECT_FALSE(q.rq.keeps_deadline);
}

// pick_eevdf() does not look at sched_delayed: a delayed task can stand in the way.
TEST_F(Fair, ADelayedTaskCanStandInTheWay) {
  Queue q(d, "6.12");
  q.add_running(10, 9'000);
  const TaskId p = q.add_queued(0, 8'000);
  const TaskId delayed = q.add_queued(0, 7'000);
  q.at(delayed).delayed = true;
  EXPECT_FALSE(preempts(q, p));
}

TEST_F(Fair, ANormalTaskPreemptsAnIdleOne) {
  struct Case {
    const char* kernel;
    bool wakeup_preemption;
    Policy waker;
    bool preempts;
    bool protection_left;
  };
  const Case cases[] = {
      {"6.8", true, Policy::normal, true, true},
      {"6.8", false, Policy::normal, true, true},  // "by definition"
      {"6.12", true, Policy::normal, true, true},
      {"6.12", false, Policy::normal, false, true},
      {"6.12.117", true, Policy::normal, true, false},  // f553741ac8c0
      {"6.12.117", true, Policy::batch, true, false},
      {"6.12.117", true, Policy::idle, false, true},
  };
  for (const Case& c : cases) {
    Queue q(d, c.kernel);
    q.settings.features.wakeup_preemption = c.wakeup_preemption;
    const TaskId curr = q.add_running(0, 9'000);
    q.at(curr).policy = Policy::idle;
    const TaskId p = q.add_queued(500, 20'000);  // not even eligible
    q.at(p).policy = c.waker;
    EXPECT_EQ(preempts(q, p), c.preempts) << c.kernel;
    EXPECT_EQ(q.rq.keeps_deadline, c.protection_left) << c.kernel;
    EXPECT_EQ(charges, 0);
  }
}

// --- yield_task_fair() ---------------------------------------------------------------

TEST_F(Fair, YieldingPushesTheDeadline) {
  Queue q(d, "6.12");
  const TaskId a = q.add_running(500, 9'000);
  q.fair.yield();  // alone: nothing
  EXPECT_EQ(ns(q.at(a).deadline), 9'000);
  EXPECT_TRUE(q.rq.keeps_deadline);
  q.add_queued(0, 1'000);
  q.fair.yield();
  EXPECT_EQ(ns(q.at(a).vruntime), 500);
  EXPECT_EQ(ns(q.at(a).deadline), 9'000 + kSlice);
  EXPECT_FALSE(q.rq.keeps_deadline);
  q.fair.yield();
  EXPECT_EQ(ns(q.at(a).deadline), 9'000 + 2 * kSlice);
}

// 79104becf42b: an eligible task's vruntime goes to its deadline; else nothing happens.
TEST_F(Fair, YieldingForfeitsFrom612117On) {
  Queue q(d, "6.12.117");
  const TaskId a = q.add_running(500, 9'000);
  q.add_queued(600, 10'000);
  q.at(a).slice = num(kMsec);
  q.fair.yield();
  EXPECT_EQ(ns(q.at(a).vruntime), 9'000);
  EXPECT_EQ(ns(q.at(a).deadline), 9'000 + kSlice);  // the base slice, taken up anew
  EXPECT_FALSE(q.rq.keeps_deadline);
  q.fair.yield();  // ahead of V now
  EXPECT_EQ(ns(q.at(a).vruntime), 9'000);
  EXPECT_EQ(ns(q.at(a).deadline), 9'000 + kSlice);
}

}  // namespace
}  // namespace tickproof
