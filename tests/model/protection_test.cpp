// Protection as a point in virtual time (set_protect_slice(), update_protect_slice() and
// cancel_protect_slice(), from 6.17 on): where it is at a pick, what moves it. Worked out by
// hand; the slice of a task is 3 ms unless said otherwise.
#include <gtest/gtest.h>

#include "tests/support/kernel_queue.hpp"

namespace tickproof {
namespace {

constexpr Ns kSlice = KernelQueue::kSlice;

const std::vector<const char*> kWithVprot{"6.17", "6.19", "7.0", "7.1", "7.2", "7.3"};

// --- at a pick ----------------------------------------------------------------------

TEST(ProtectionAtAPick, IsTheDeadlineIfNobodyHasASmallerSlice) {
  for (const char* kernel : kWithVprot) {
    KernelQueue alone(kernel);
    alone.runs(100, 100 + kSlice);
    EXPECT_EQ(alone.vprot(), 100 + kSlice) << kernel;
    KernelQueue equal(kernel);
    equal.waits(0, kSlice);
    equal.runs(100, 100 + kSlice);
    EXPECT_EQ(equal.vprot(), 100 + kSlice) << kernel;
    KernelQueue smallest(kernel);
    smallest.waits(0, kSlice);
    smallest.runs(100, 100 + kMsec, kMsec);
    EXPECT_EQ(smallest.vprot(), 100 + kMsec) << kernel;
  }
}

// B has a slice of 1 ms and is at 2 ms. Up to 7.2 that slice counts; in 7.3 A is protected
// up to B's place and one ns, where it stops being eligible.
TEST(ProtectionAtAPick, IsShorterIfSomebodyHasASmallerSlice) {
  for (const char* kernel : kWithVprot) {
    const bool until_ineligible = find_profile(kernel).first >= (KernelVersion{7, 3});
    KernelQueue q(kernel);
    q.waits(2 * kMsec, 3 * kMsec, kMsec);
    q.runs(0, kSlice);
    EXPECT_EQ(q.vprot(), until_ineligible ? 2 * kMsec + 1 : kMsec) << kernel;
  }
}

// The time of the smaller slice is in A's own weight: 1 ms * 1024 / 335.
TEST(ProtectionAtAPick, IsInTheWeightOfTheTask) {
  for (const char* kernel : {"6.17", "7.2"}) {
    KernelQueue q(kernel);
    q.waits(0, kMsec, kMsec);
    q.runs(0, 9'170'149, kSlice, 5);
    EXPECT_EQ(q.vprot(), 3'056'716) << kernel;
  }
}

TEST(ProtectionAtAPick, EndsWithTheRequestAtTheLatest) {
  for (const char* kernel : kWithVprot) {
    KernelQueue q(kernel);
    q.waits(5 * kMsec, 6 * kMsec, kMsec);
    q.runs(0, 600 * kUsec);  // what is left of a request
    EXPECT_EQ(q.vprot(), 600 * kUsec) << kernel;
  }
}

// (1024 * 2000000 + 335 * 500000) / 1359 = 1630242.8
TEST(ProtectionAtAPick, IsUpToTheMeanOfTheOthersIn73) {
  KernelQueue q("7.3");
  q.waits(2 * kMsec, 3 * kMsec, kMsec);
  q.waits(500 * kUsec, 9 * kMsec, kSlice, 5);
  const TaskId a = q.runs(0, kSlice);
  EXPECT_EQ(q.vprot(), 1'630'243);
  // That is: while it is eligible, up to rounding.
  EXPECT_TRUE(q.fair.eligible_at(a, Checked(1'630'242)));
  EXPECT_FALSE(q.fair.eligible_at(a, Checked(1'630'243)));
}

TEST(ProtectionAtAPick, CountsTheSliceIn73WithoutPreemptShort) {
  KernelQueue q("7.3");
  q.settings.features.preempt_short = false;
  q.waits(2 * kMsec, 3 * kMsec, kMsec);
  q.runs(0, kSlice);
  EXPECT_EQ(q.vprot(), kMsec);
}

// NO_RUN_TO_PARITY: a quantum of normalized_sysctl_sched_base_slice, 0.7 ms, whatever the
// base slice and the other slices are. In 7.3 it only says that there is a smaller slice.
TEST(ProtectionAtAPick, IsAQuantumWithoutRunToParity) {
  const auto vprot = [](const char* kernel, Ns own, Ns other) {
    KernelQueue q(kernel);
    q.settings.features.run_to_parity = false;
    q.waits(2 * kMsec, 9 * kMsec, other);
    q.runs(0, own, own);
    return q.vprot();
  };
  for (const char* kernel : kWithVprot) {
    const bool until_ineligible = find_profile(kernel).first >= (KernelVersion{7, 3});
    const Ns quantum = until_ineligible ? 2 * kMsec + 1 : 700 * kUsec;
    EXPECT_EQ(vprot(kernel, kSlice, kSlice), quantum) << kernel;
    EXPECT_EQ(vprot(kernel, kSlice, 100 * kUsec), quantum) << kernel;
    EXPECT_EQ(vprot(kernel, 700'001, kSlice), until_ineligible ? 700'001 : 700'000) << kernel;
    // No smaller than the own slice: the whole request. So it is by default on one CPU.
    EXPECT_EQ(vprot(kernel, 700 * kUsec, 700 * kUsec), 700 * kUsec) << kernel;
    EXPECT_EQ(vprot(kernel, 500 * kUsec, 100 * kUsec), 500 * kUsec) << kernel;
  }
}

TEST(ProtectionAtAPick, IsNotRenewedIfTheSameTaskIsPicked) {
  for (const char* kernel : kWithVprot) {
    KernelQueue q(kernel);
    q.waits(9 * kMsec, 12 * kMsec);
    const TaskId a = q.runs(0, kSlice);
    EXPECT_TRUE(q.charge(kSlice)) << kernel;
    EXPECT_EQ(q.fair.pick_next(), a) << kernel;
    q.run(a);
    EXPECT_EQ(q.vprot(), kSlice) << kernel;
    EXPECT_FALSE(q.fair.is_protected()) << kernel;
    // So every charge asks for a reschedule from now on.
    EXPECT_TRUE(q.charge(1)) << kernel;
  }
}

// nr_queued == 1 returns before the test.
TEST(ProtectionAtAPick, IsNotRenewedForALoneTaskThatGoesOn) {
  for (const char* kernel : kWithVprot) {
    KernelQueue q(kernel);
    q.runs(0, kSlice);
    EXPECT_FALSE(q.charge(4 * kMsec)) << kernel;
    EXPECT_FALSE(q.fair.is_protected()) << kernel;
    // With equal slices, one that comes is the pick at once: A is ahead of V.
    EXPECT_TRUE(q.wakes(q.waits(kMsec, 4 * kMsec))) << kernel;
  }
}

// --- cut by a wake-up -----------------------------------------------------------------

enum class Comes { short_normal, equal, short_batch, short_forked, equal_forked, short_pending };

/// vprot of A (at 1 ms, deadline 3 ms) after a task came that does not preempt; in the queue
/// is a batch task B with a slice of 1 ms, at 1 ms, which came in silence.
Ns cut_by(Kernel kernel, Comes who) {
  KernelQueue q(kernel);
  q.runs(0, kSlice);
  q.of_policy(q.waits(kMsec, 9 * kMsec, kMsec), Policy::batch);
  q.charge(kMsec);
  const bool equal = who == Comes::equal || who == Comes::equal_forked;
  const TaskId c = q.waits(kMsec + 1, 2 * kMsec, equal ? kSlice : kMsec);  // not eligible
  if (who == Comes::short_batch) q.of_policy(c, Policy::batch);
  const bool forked = who == Comes::short_forked || who == Comes::equal_forked;
  EXPECT_FALSE(q.wakes(c, {.forked = forked, .pending = who == Comes::short_pending}));
  return q.vprot();
}

// To the smallest slice, counted from A's place, where V is, too: 1 + 1 = 2 ms.
TEST(ProtectionIsCut, ByTheWakeUpsOfItsKernel) {
  const auto who_cuts = [](const char* kernel) {
    std::string text;
    const auto tell = [&](Comes who, const char* name) {
      const Ns vprot = cut_by(Kernel(kernel), who);
      EXPECT_TRUE(vprot == 2 * kMsec || vprot == kSlice) << vprot;
      if (vprot != kSlice) text += std::string(text.empty() ? "" : ", ") + name;
    };
    tell(Comes::short_normal, "short");
    tell(Comes::equal, "equal");
    tell(Comes::short_batch, "batch");
    tell(Comes::short_forked, "short child");
    tell(Comes::equal_forked, "equal child");
    tell(Comes::short_pending, "pending");
    return text;
  };
  EXPECT_EQ(who_cuts("6.17"), "short, short child");
  for (const char* kernel : {"6.19", "7.0", "7.1", "7.2"}) {
    EXPECT_EQ(who_cuts(kernel), "short, equal, short child") << kernel;
  }
  EXPECT_EQ(who_cuts("7.3"), "short, equal, batch, short child, equal child, pending");
}

TEST(ProtectionIsCut, OnlyWithRunToParity) {
  for (const bool feature : {true, false}) {
    Kernel kernel("7.2");
    kernel.features.run_to_parity = feature;
    KernelQueue q(kernel);
    q.runs(0, kSlice);
    q.wakes(q.waits(1, kMsec, 200 * kUsec));  // not eligible
    EXPECT_EQ(q.vprot(), feature ? 200 * kUsec : 700 * kUsec);
  }
}

// Without the feature 7.3, too, returns at once if a reschedule is pending.
TEST(ProtectionIsCut, ByAPendingOneOnlyWithPreemptShort) {
  Kernel kernel("7.3");
  kernel.features.preempt_short = false;
  EXPECT_EQ(cut_by(kernel, Comes::short_pending), kSlice);
  EXPECT_EQ(cut_by(kernel, Comes::short_batch), 2 * kMsec);
}

// A at 2 ms, the batch task B at 0 with a slice of 1 ms: V = 1 ms. From 7.3 on A's lead is
// not given to it once more, and its protection may be over at once.
TEST(ProtectionIsCut, FromVIfTheTaskIsAheadOfIt) {
  const auto vprot = [](const char* kernel, Ns b) {
    KernelQueue q(kernel);
    q.runs(0, 9 * kMsec, 9 * kMsec);
    q.charge(2 * kMsec);
    q.waits(b, 20 * kMsec, kMsec);
    // Not eligible, so that it does not preempt; and too light to move V: (2 + b) / 2.
    EXPECT_FALSE(q.wakes(q.waits(4 * kMsec, 5 * kMsec, 2 * kMsec, 19)));
    return q.vprot();
  };
  EXPECT_EQ(vprot("7.2", kMsec), 3 * kMsec);
  // (1024 * 2 + 1024 * 1 + 15 * 4) / 2063 = 1.518177 ms, and 1 ms.
  EXPECT_EQ(vprot("7.3", kMsec), 2'518'177);
  // Behind V its own place counts: (1024 * 2 + 1024 * 3 + 15 * 4) / 2063 > 2.
  EXPECT_EQ(vprot("7.3", 3 * kMsec), 3 * kMsec);
}

TEST(ProtectionIsCut, ButNeverExtended) {
  for (const char* kernel : {"6.19", "7.2", "7.3"}) {
    KernelQueue q(kernel);
    q.waits(kMsec, 9 * kMsec, 200 * kUsec);
    q.runs(0, kSlice);
    const Ns before = q.vprot();  // 0.2 ms, or up to 1 ms
    q.charge(kMsec + 1);
    q.wakes(q.waits(5 * kMsec, 8 * kMsec));
    EXPECT_EQ(q.vprot(), before) << kernel;
  }
}

// --- cancelled -------------------------------------------------------------------------

// In 6.17 .. 7.2 by a shorter slice that is the pick; up to 6.16 also by one that is not.
TEST(ProtectionIsCancelled, ByAShortTaskThatPreempts) {
  for (const char* kernel : kWithVprot) {
    const bool eligible_is_enough = find_profile(kernel).first >= (KernelVersion{7, 3});
    KernelQueue best(kernel);
    const TaskId a = best.runs(0, 9 * kMsec);
    EXPECT_TRUE(best.wakes(best.waits(0, 8 * kMsec, kMsec))) << kernel;
    EXPECT_EQ(best.vprot(), best.vruntime(a)) << kernel;

    KernelQueue second(kernel);
    second.runs(0, 9 * kMsec);
    second.waits(0, 7 * kMsec);
    EXPECT_EQ(second.wakes(second.waits(0, 8 * kMsec, kMsec)), eligible_is_enough) << kernel;
    EXPECT_EQ(second.fair.is_protected(), !eligible_is_enough) << kernel;
  }
}

// An equal slice preempts only if the protection is of no use any more: A is ahead of V. Up
// to 7.2 it stays as it is; and A, if it were picked again, would go on under it.
TEST(ProtectionIsCancelled, ByAnEqualTaskOnlyFrom73On) {
  for (const char* kernel : kWithVprot) {
    KernelQueue q(kernel);
    q.runs(kMsec, 9 * kMsec);
    EXPECT_TRUE(q.wakes(q.waits(0, 8 * kMsec))) << kernel;
    EXPECT_EQ(q.vprot(), find_profile(kernel).first >= (KernelVersion{7, 3}) ? kMsec : 9 * kMsec)
        << kernel;
  }
}

// What is over is left as it is.
TEST(ProtectionIsCancelled, OnlyWhileItLasts) {
  for (const char* kernel : kWithVprot) {
    KernelQueue q(kernel);
    q.runs(0, kSlice);
    q.charge(4 * kMsec);
    q.fair.cancel_protection();
    EXPECT_EQ(q.vprot(), kSlice) << kernel;
  }
}

TEST(ProtectionIsCancelled, InASchedIdleTask) {
  for (const char* kernel : kWithVprot) {
    KernelQueue q(kernel);
    const TaskId a = q.of_policy(q.runs(5, 9 * kMsec), Policy::idle);
    EXPECT_TRUE(q.wakes(q.waits(100, 20 * kMsec))) << kernel;  // not even eligible
    EXPECT_EQ(q.vprot(), q.vruntime(a)) << kernel;
  }
}

// --- changes of the running task ----------------------------------------------------------

// Up to 6.19 set_next_entity() behind a change protects anew. From 7.0 on vprot stays where
// it is. A at 2 with a deadline of 3, B at 0: V = 1, A's lag is -1 ms. At weight 335 that is
// -1 * 1024 / 335 = -3.056716, and A's place, inflated by 1359 / 1024, is 4.056715. The
// millisecond that is left of its request is 3.056716.
TEST(AChangeOfTheRunningTask, LeavesProtectionWhereItWasFrom70On) {
  for (const char* kernel : kWithVprot) {
    KernelQueue q(kernel);
    q.waits(0, kSlice);
    const TaskId a = q.runs(kMsec, kSlice);
    q.charge(kMsec);
    q.changed([&](TaskId id) { q.fair.reweight(id, weight_of_nice(5)); });
    EXPECT_EQ(q.vruntime(a), 4'056'715) << kernel;
    EXPECT_EQ(q.deadline(a), 7'113'431) << kernel;
    const bool stays = find_profile(kernel).first >= (KernelVersion{7, 0});
    EXPECT_EQ(q.vprot(), stays ? kSlice : 7'113'431) << kernel;
    EXPECT_EQ(q.fair.is_protected(), !stays) << kernel;
  }
}

// Nice 5 to -5: what is left, 9.170149 of virtual time, is 9170149 * 335 / 3121 = 0.984299.
// vprot stays, far behind the deadline.
TEST(AChangeOfTheRunningTask, CanLeaveItProtectedBeyondItsRequest) {
  for (const char* kernel : {"7.0", "7.1", "7.2", "7.3"}) {
    KernelQueue q(kernel);
    q.waits(0, kSlice);
    const TaskId a = q.runs(0, 9'170'149, kSlice, 5);
    q.changed([&](TaskId id) { q.fair.reweight(id, weight_of_nice(-5)); });
    EXPECT_EQ(q.vruntime(a), 0) << kernel;
    EXPECT_EQ(q.deadline(a), 984'299) << kernel;
    EXPECT_EQ(q.vprot(), 9'170'149) << kernel;
    // Its request is served, and it is protected all the same, while it is eligible.
    q.at(1).vruntime = Checked(984'299);
    EXPECT_TRUE(q.fair.is_protected()) << kernel;
  }
}

// --- sched_yield() -------------------------------------------------------------------------

// In 6.17 and 6.18 the push of the deadline does not end protection: an eligible task that
// yields goes on until vprot. Before, the changed deadline ended it.
TEST(Yield, DoesNothingUntilTheEndOfProtectionIn617) {
  KernelQueue q("6.17");
  q.waits(0, kSlice);
  const TaskId b = q.runs(0, kSlice);
  q.fair.yield();
  EXPECT_EQ(q.deadline(b), 6 * kMsec);
  EXPECT_EQ(q.vprot(), kSlice);
  EXPECT_EQ(q.pick(), "B");
  EXPECT_TRUE(q.charge(kSlice));  // at vprot
  EXPECT_EQ(q.pick(), "A");
}

TEST(Yield, LetsAnEqualTaskRunInAllOthers) {
  for (const Profile& profile : all_profiles()) {
    if (profile.name == "6.17") continue;
    KernelQueue q(std::string(profile.name).c_str());
    q.waits(0, kSlice);
    q.runs(0, kSlice);
    q.fair.yield();
    EXPECT_EQ(q.pick(), "A") << profile.name;
  }
}

}  // namespace
}  // namespace tickproof
