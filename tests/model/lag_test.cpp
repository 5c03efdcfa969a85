// What a task keeps while it is off the queue, or only looks as if it were on it: the lag
// limit, delayed tasks, changes of a nice value. Worked out by hand.
#include <gtest/gtest.h>

#include "tests/support/kernel_queue.hpp"

namespace tickproof {
namespace {

constexpr Ns kSlice = KernelQueue::kSlice;

bool is_since(const Profile& profile, const KernelVersion& version) {
  return profile.first >= version;
}

// --- the limit -----------------------------------------------------------------------

/// What is kept of the lag of a task with this slice, nice 0 or 5, that is 50 ms behind or
/// ahead of V, where a task with the other slice is.
Ns kept(const Profile& profile, Ns slice, Ns other, int nice, Ns ahead) {
  KernelQueue q(std::string(profile.name).c_str());
  q.waits(0, other, other, -20);
  const TaskId a = q.runs(ahead, ahead + slice, slice, nice);
  q.fair.dequeue_for_change(a);
  return q.lag(a);
}

// Up to 6.19 twice the own slice, or a tick of 1 ms; from 7.0 on the largest slice in the
// queue, the own included, and a tick.
TEST(LagLimit, IsOfTheOwnOrOfTheLargestSlice) {
  constexpr Ns kFar = 50 * kMsec;
  for (const Profile& profile : all_profiles()) {
    SCOPED_TRACE(profile.name);
    const bool of_largest = is_since(profile, {7, 0});
    for (const Ns side : {-kFar, kFar}) {
      const Ns sign = side < 0 ? 1 : -1;
      EXPECT_EQ(kept(profile, kSlice, kSlice, 0, side), sign * (of_largest ? 4 : 6) * kMsec);
      EXPECT_EQ(kept(profile, kMsec, 8 * kMsec, 0, side), sign * (of_largest ? 9 : 2) * kMsec);
      EXPECT_EQ(kept(profile, 8 * kMsec, kMsec, 0, side), sign * (of_largest ? 9 : 16) * kMsec);
      EXPECT_EQ(kept(profile, 300 * kUsec, 300 * kUsec, 0, side),
                sign * (of_largest ? 1'300 : 1'000) * kUsec);
    }
    // In the task's own virtual time: 4 ms * 1024 / 335 = 12226865.7, 6 ms 18340298.5.
    EXPECT_EQ(kept(profile, kSlice, kSlice, 5, kFar), of_largest ? -12'226'865 : -18'340'298);
  }
}

// --- a delayed task --------------------------------------------------------------------

/// A, at 12 ms, fell asleep beside B at 10 ms: V = 11, and A owes 1 ms. Its deadline is 13.
struct Delayed {
  explicit Delayed(const Kernel& kernel) : q(kernel) {
    a = q.runs(12 * kMsec, 13 * kMsec);
    q.waits(10 * kMsec, 13 * kMsec);
    q.fair.dequeue_sleeper(a);
    q.run(1);
  }
  explicit Delayed(const Profile& profile) : Delayed(Kernel(std::string(profile.name).c_str())) {}
  KernelQueue q;
  TaskId a = 0;
};

std::vector<Profile> with_delay_dequeue() {
  std::vector<Profile> all;
  for (const Profile& profile : all_profiles()) {
    if (profile.features.delay_dequeue) all.push_back(profile);
  }
  return all;
}

// One that is stopped, traced or dead leaves at once, whatever it owes.
TEST(DelayedTask, IsNotOneThatStopsForGood) {
  for (const Profile& profile : with_delay_dequeue()) {
    KernelQueue q(std::string(profile.name).c_str());
    const TaskId a = q.runs(2 * kMsec, kSlice);
    q.waits(0, kSlice);
    q.fair.dequeue_sleeper(a, true);
    EXPECT_FALSE(q.at(a).on_rq) << profile.name;
    EXPECT_EQ(q.lag(a), -kMsec) << profile.name;
  }
}

// It wakes up before anything else happens: nothing has changed, and it keeps its place and
// what is left of its request, in all kernels.
TEST(DelayedTask, ThatWakesAtOnceIsWhereItWas) {
  for (const Profile& profile : with_delay_dequeue()) {
    Delayed s(profile);
    s.q.fair.requeue_delayed(s.a);
    EXPECT_EQ(s.q.vruntime(s.a), 12 * kMsec) << profile.name;
    EXPECT_EQ(s.q.deadline(s.a), 13 * kMsec) << profile.name;
  }
}

// B runs for 1 ms: V = 11.5, A owes 0.5. That is less, so it stays.
TEST(DelayedTask, PaysOffWhatItOwes) {
  for (const Profile& profile : with_delay_dequeue()) {
    Delayed s(profile);
    s.q.charge(kMsec);
    s.q.fair.requeue_delayed(s.a);
    EXPECT_EQ(s.q.vruntime(s.a), 12 * kMsec) << profile.name;
    EXPECT_EQ(s.q.deadline(s.a), 13 * kMsec) << profile.name;
  }
}

// B runs for 5 ms: V = 13.5, A is 1.5 ms behind it. DELAY_ZERO takes that away: it comes at
// B's 15 ms, with a new request.
TEST(DelayedTask, GainsNothing) {
  for (const Profile& profile : with_delay_dequeue()) {
    Delayed s(profile);
    s.q.charge(5 * kMsec);
    s.q.fair.requeue_delayed(s.a);
    EXPECT_EQ(s.q.vruntime(s.a), 15 * kMsec) << profile.name;
    EXPECT_EQ(s.q.deadline(s.a), 15 * kMsec + kSlice) << profile.name;
  }
}

// Without the feature it does gain; not one of the kernels places it anew.
TEST(DelayedTask, GainsWithoutDelayZero) {
  for (const Profile& profile : with_delay_dequeue()) {
    Kernel kernel(std::string(profile.name).c_str());
    kernel.features.delay_zero = false;
    Delayed s(kernel);
    s.q.charge(5 * kMsec);
    s.q.fair.requeue_delayed(s.a);
    EXPECT_EQ(s.q.vruntime(s.a), 12 * kMsec) << profile.name;
    EXPECT_EQ(s.q.deadline(s.a), 13 * kMsec) << profile.name;
  }
}

// C comes with a lag of 2 ms: at 11 - 2 * 3072 / 2048 = 8. V = 10, A owes 2 ms. Up to 7.0
// that is so; from 7.1 on it owes no more than when it fell asleep. V of B and C is 9, and
// A's place 9 + 1 * 3072 / 2048 = 10.5.
TEST(DelayedTask, OwesNoMoreThanBeforeFrom71On) {
  for (const Profile& profile : with_delay_dequeue()) {
    Delayed s(profile);
    s.q.fair.enqueue(s.q.sleeps(2 * kMsec), false);
    ASSERT_EQ(s.q.v(), 10 * kMsec);
    s.q.fair.requeue_delayed(s.a);
    const bool shrinks = is_since(profile, {7, 1});
    EXPECT_EQ(s.q.vruntime(s.a), shrinks ? 10'500 * kUsec : 12 * kMsec) << profile.name;
    EXPECT_EQ(s.q.deadline(s.a), shrinks ? 13'500 * kUsec : 13 * kMsec) << profile.name;
    EXPECT_FALSE(s.q.at(s.a).delayed);
  }
}

// The same if it is dequeued: by a pick, say.
TEST(DelayedTask, LeavesWithNoMoreDebtFrom71On) {
  for (const Profile& profile : with_delay_dequeue()) {
    Delayed s(profile);
    s.q.fair.enqueue(s.q.sleeps(2 * kMsec), false);
    s.q.fair.dequeue_delayed(s.a);
    EXPECT_EQ(s.q.lag(s.a), is_since(profile, {7, 1}) ? -kMsec : -2 * kMsec) << profile.name;
    EXPECT_FALSE(s.q.at(s.a).on_rq);
    Delayed late(profile);
    late.q.charge(5 * kMsec);
    late.q.fair.dequeue_delayed(late.a);
    EXPECT_EQ(late.q.lag(late.a), 0) << profile.name;
  }
}

// --- renice ---------------------------------------------------------------------------

// A at 1 ms, B at 2: V = 1.5. A, with 1 ms left of its request, becomes nice 5. Its lag of
// 0.5 ms is 0.5 * 1024 / 335 = 1.528358 in the new weight; its place is B's less that times
// 1359 / 1024 = 2.028357: it is behind V by as much again, but for the rounding.
TEST(Renice, KeepsTheWorthOfTheLag) {
  for (const Profile& profile : all_profiles()) {
    SCOPED_TRACE(profile.name);
    KernelQueue q(std::string(profile.name).c_str());
    const TaskId a = q.waits(kMsec, 2 * kMsec);
    q.waits(2 * kMsec, 9 * kMsec);
    q.fair.dequeue_for_change(a);
    EXPECT_EQ(q.lag(a), 500 * kUsec);
    q.fair.reweight(a, weight_of_nice(5));
    EXPECT_EQ(q.lag(a), 1'528'358);
    q.fair.enqueue(a, false);
    EXPECT_EQ(q.vruntime(a), 2 * kMsec - 2'028'357);
    EXPECT_EQ(q.v() - q.vruntime(a), 1'528'357);  // 2028357 * 1024 / 1359 = 1528357.3
    // What is left of the request: a new slice, 3 * 1024 / 335 = 9.170149; the old 1 ms of
    // virtual time; or that in the new weight, 3.056716.
    const Ns left = q.deadline(a) - q.vruntime(a);
    EXPECT_EQ(left, is_since(profile, {6, 13})   ? 3'056'716
                    : is_since(profile, {6, 12}) ? kMsec
                                                 : 9'170'149);
  }
}

}  // namespace
}  // namespace tickproof
