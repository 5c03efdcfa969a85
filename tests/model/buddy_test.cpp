// Wake-ups of 6.17 and later beyond the plain test (check_preempt_wakeup_fair()): the next
// buddy, delayed tasks that stand in the way, children, sync wake-ups. Worked out by hand.
#include <gtest/gtest.h>

#include "tests/support/kernel_queue.hpp"

namespace tickproof {
namespace {

constexpr Ns kSlice = KernelQueue::kSlice;

bool is_since(const char* kernel, const KernelVersion& version) {
  return find_profile(kernel).first >= version;
}

Kernel with_next_buddy(const char* name) {
  Kernel kernel(name);
  kernel.features.next_buddy = true;
  return kernel;
}

std::string next(const KernelQueue& q) { return KernelQueue::name(q.rq.next); }

// --- the short buddy (7.3) -----------------------------------------------------------

// B's deadline is the earliest. The short C is eligible, so it preempts; the pick takes the
// buddy, and once C has run B's turn comes.
TEST(ShortBuddy, IsPickedBeforeTheBest) {
  KernelQueue q("7.3");
  q.runs(0, 9 * kMsec);
  q.waits(0, 7 * kMsec);
  const TaskId c = q.waits(0, 8 * kMsec, kMsec);
  EXPECT_TRUE(q.wakes(c));
  EXPECT_EQ(next(q), "C");
  EXPECT_EQ(q.pick(), "C");
  q.run(c);
  EXPECT_EQ(next(q), "-");
  // C is protected while B's and A's mean is not behind it: its slice is the smallest.
  EXPECT_EQ(q.vprot(), 8 * kMsec);
  q.fair.cancel_protection();
  EXPECT_EQ(q.pick(), "B");
}

TEST(ShortBuddy, MustBeEligible) {
  KernelQueue q("7.3");
  q.runs(0, 9 * kMsec);
  q.waits(0, 7 * kMsec);
  EXPECT_FALSE(q.wakes(q.waits(1, 6 * kMsec, kMsec)));
  EXPECT_EQ(next(q), "-");
  EXPECT_EQ(q.pick(), "A");
}

// ... also when it is picked: D comes and moves V below C.
TEST(ShortBuddy, IsPassedOverWhenItIsNotEligibleAnyMore) {
  KernelQueue q("7.3");
  q.runs(0, 9 * kMsec);
  q.waits(0, 7 * kMsec);
  EXPECT_TRUE(q.wakes(q.waits(0, 8 * kMsec, kMsec)));
  q.waits(-kMsec, 20 * kMsec);
  EXPECT_EQ(next(q), "C");
  EXPECT_EQ(q.pick(), "D");
}

// A buddy with a smaller slice stays; with an equal one the later task takes its place.
TEST(ShortBuddy, IsTheOneWithTheSmallestSlice) {
  const auto buddy_after = [](Ns first, Ns second) {
    KernelQueue q("7.3");
    q.runs(0, 9 * kMsec);
    EXPECT_TRUE(q.wakes(q.waits(0, 8 * kMsec, first)));
    EXPECT_TRUE(q.wakes(q.waits(0, 8 * kMsec, second)));
    return next(q);
  };
  EXPECT_EQ(buddy_after(kMsec, 2 * kMsec), "B");
  EXPECT_EQ(buddy_after(kMsec, kMsec), "C");
  EXPECT_EQ(buddy_after(kMsec, 500 * kUsec), "C");
}

TEST(ShortBuddy, NeedsPickBuddy) {
  Kernel kernel("7.3");
  kernel.features.pick_buddy = false;
  KernelQueue q(kernel);
  q.runs(0, 9 * kMsec);
  q.waits(0, 7 * kMsec);
  EXPECT_TRUE(q.wakes(q.waits(0, 8 * kMsec, kMsec)));
  EXPECT_EQ(q.pick(), "B");
}

TEST(ShortBuddy, IsForgottenWhenItSleeps) {
  KernelQueue q("7.3");
  q.runs(0, 9 * kMsec);
  const TaskId b = q.waits(0, 8 * kMsec, kMsec);
  EXPECT_TRUE(q.wakes(b));
  q.fair.dequeue_for_change(b);
  EXPECT_EQ(next(q), "-");
}

// --- NEXT_BUDDY ----------------------------------------------------------------------

// B, then C, whose deadline is later. Up to 6.18 the last one is the buddy, from 6.19 on the
// one with the earliest deadline; among equals the last.
TEST(NextBuddy, IsTheLastOrTheEarliest) {
  for (const Profile& profile : all_profiles()) {
    const std::string name(profile.name);
    const bool by_deadline = is_since(name.c_str(), {6, 19});
    KernelQueue q(with_next_buddy(name.c_str()));
    q.runs(0, 9 * kMsec);
    q.wakes(q.waits(1, 5 * kMsec));
    q.wakes(q.waits(1, 6 * kMsec));
    EXPECT_EQ(next(q), by_deadline ? "B" : "C") << name;
    q.wakes(q.waits(1, 5 * kMsec));
    EXPECT_EQ(next(q), "D") << name;
  }
}

TEST(NextBuddy, IsNoChild) {
  for (const Profile& profile : all_profiles()) {
    KernelQueue q(with_next_buddy(std::string(profile.name).c_str()));
    q.runs(0, 9 * kMsec);
    q.wakes(q.waits(1, 5 * kMsec), {.forked = true});
    // 6.19: `fork` returns before.
    EXPECT_EQ(next(q), "-") << profile.name;
  }
}

// Before 6.19 a buddy is made ahead of all tests: of a batch task, with a reschedule pending.
TEST(NextBuddy, NeedsATestedWakeUpFrom619On) {
  for (const char* kernel : {"6.6", "6.12", "6.17", "6.19", "7.2", "7.3"}) {
    const char* expected = is_since(kernel, {6, 19}) ? "-" : "B";
    KernelQueue batch(with_next_buddy(kernel));
    batch.runs(0, 9 * kMsec);
    batch.wakes(batch.of_policy(batch.waits(1, 5 * kMsec), Policy::batch));
    EXPECT_EQ(next(batch), expected) << kernel;
    if (is_since(kernel, {7, 3})) continue;  // goes on with a reschedule pending
    KernelQueue pending(with_next_buddy(kernel));
    pending.runs(0, 9 * kMsec);
    pending.wakes(pending.waits(1, 5 * kMsec), {.pending = true});
    EXPECT_EQ(next(pending), expected) << kernel;
  }
}

// The protected A is eligible, B is the buddy, C's deadline is the earliest. Which one a pick
// takes, and whether B's wake-up preempts, as its own test prefers it from 6.19 on.
TEST(NextBuddy, IsPreferredWhereItsKernelLooksAtIt) {
  struct Case {
    const char* kernel;
    bool pick_buddy;
    bool preempts;
    const char* picked;
  };
  const Case cases[] = {
      {"6.6", false, false, "B"},  {"6.12", false, false, "B"}, {"6.12.117", true, false, "B"},
      {"6.13", false, false, "B"}, {"6.15", true, false, "B"},  {"6.15", false, false, "A"},
      {"6.17", true, false, "B"},  {"6.17", false, false, "A"}, {"6.19", true, true, "B"},
      {"6.19", false, false, "A"}, {"7.0", true, true, "B"},    {"7.1", true, true, "B"},
      {"7.2", false, false, "A"},
  };
  for (const Case& c : cases) {
    Kernel kernel = with_next_buddy(c.kernel);
    kernel.features.pick_buddy = c.pick_buddy;
    KernelQueue q(kernel);
    q.runs(0, 9 * kMsec);
    const TaskId b = q.waits(0, 5 * kMsec);
    q.waits(0, 4 * kMsec);
    EXPECT_EQ(q.wakes(b), c.preempts) << c.kernel << c.pick_buddy;
    EXPECT_EQ(q.pick(), c.picked) << c.kernel << c.pick_buddy;
    // Not eligible, it is of no use.
    q.at(b).vruntime = Checked(kMsec);
    EXPECT_NE(q.pick(), "B") << c.kernel << c.pick_buddy;
  }
}

// WF_SYNC: the buddy is made, and that is all: no pick and no cut.
TEST(NextBuddy, EndsASyncWakeUpFrom619On) {
  for (const char* kernel : {"6.17", "6.19", "7.2", "7.3"}) {
    KernelQueue q(with_next_buddy(kernel));
    q.runs(0, 9 * kMsec);
    q.fair.update_curr(Checked(kMsec));
    // A at 1 ms is ahead of V, so that without WF_SYNC B would preempt.
    EXPECT_EQ(q.wakes(q.waits(0, 8 * kMsec), {.sync = true}), !is_since(kernel, {6, 19})) << kernel;
    EXPECT_EQ(next(q), "B") << kernel;
    EXPECT_EQ(q.vprot(), 9 * kMsec) << kernel;
  }
}

// update_curr() that asks for a reschedule clears a buddy that is the running task.
TEST(NextBuddy, IsForgottenWhenItRuns) {
  for (const char* kernel : {"6.12", "6.19", "7.3"}) {
    KernelQueue q(with_next_buddy(kernel));
    q.runs(0, 9 * kMsec);
    const TaskId b = q.waits(0, 5 * kMsec);
    q.wakes(b);
    ASSERT_EQ(next(q), "B");
    q.run(b);
    EXPECT_EQ(next(q), "-") << kernel;
  }
}

// --- delayed tasks in the way -----------------------------------------------------------

// A is ahead of V. B and C are delayed and would be picked before D.
KernelQueue& with_two_delayed(KernelQueue& q) {
  q.runs(4 * kMsec, 9 * kMsec);
  q.delayed(q.waits(kMsec, 5 * kMsec));
  q.delayed(q.waits(kMsec, 6 * kMsec));
  q.waits(kMsec, 7 * kMsec);
  return q;
}

TEST(DelayedInTheWay, AreDequeuedByAWakeUpFrom71On) {
  for (const char* kernel : {"6.12", "6.12.117", "6.15", "6.17", "6.19", "7.0", "7.1", "7.2"}) {
    const bool drains = is_since(kernel, {7, 1});
    KernelQueue q(kernel);
    with_two_delayed(q);
    EXPECT_EQ(q.wakes(3), drains) << kernel;
    for (const TaskId id : {1, 2}) {
      EXPECT_EQ(q.at(id).on_rq, !drains) << kernel;
      EXPECT_EQ(q.at(id).delayed, !drains) << kernel;
    }
    if (!drains) continue;
    EXPECT_EQ(q.rq.tree, std::vector<TaskId>{3}) << kernel;
    // DELAY_ZERO: the positive lag is cut off.
    EXPECT_EQ(q.lag(1), 0) << kernel;
  }
}

// 7.3 goes on to the pick even with a reschedule pending, 7.2 returns before.
TEST(DelayedInTheWay, AreDequeuedWithAReschedulePendingIn73) {
  for (const char* kernel : {"7.2", "7.3"}) {
    KernelQueue q(kernel);
    with_two_delayed(q);
    q.wakes(3, {.pending = true});
    EXPECT_EQ(q.at(1).on_rq, std::string(kernel) == "7.2");
  }
}

TEST(DelayedInTheWay, StayIfTheRunningTaskIsKept) {
  KernelQueue q("7.2");
  q.runs(0, 9 * kMsec);
  q.delayed(q.waits(kMsec, 5 * kMsec));
  EXPECT_FALSE(q.wakes(q.waits(kMsec, 7 * kMsec)));
  EXPECT_TRUE(q.at(1).delayed);
}

// --- children ------------------------------------------------------------------------------

// A is ahead of V: a child with A's slice takes the CPU up to 6.18, a shorter one always.
TEST(Children, WithNoShorterSliceDoNotPreemptFrom619On) {
  for (const Profile& profile : all_profiles()) {
    const std::string name(profile.name);
    KernelQueue q(name.c_str());
    q.runs(kMsec, 9 * kMsec);
    EXPECT_EQ(q.wakes(q.waits(0, 8 * kMsec), {.forked = true}), !is_since(name.c_str(), {6, 19}))
        << name;
    KernelQueue other(name.c_str());
    other.runs(kMsec, 9 * kMsec);
    EXPECT_TRUE(other.wakes(other.waits(0, 8 * kMsec, kMsec), {.forked = true})) << name;
  }
}

TEST(Children, OfASchedIdleTaskPreemptAlways) {
  for (const Profile& profile : all_profiles()) {
    KernelQueue q(std::string(profile.name).c_str());
    q.of_policy(q.runs(0, 9 * kMsec), Policy::idle);
    EXPECT_TRUE(q.wakes(q.waits(0, kSlice), {.forked = true})) << profile.name;
  }
}

}  // namespace
}  // namespace tickproof
