// Sums that leave the kernel's 64 bits: there it wraps, and a pick may find nobody; here it
// is an error. The distances are set by hand: how a kernel gets there (bugs of the weights of
// groups, mostly) is not modelled.
#include <gtest/gtest.h>

#include "tests/support/kernel_queue.hpp"

namespace tickproof {
namespace {

/// 2^63 / (88761 + 15) = 1.0389 * 10^14: further apart, a key times the load of a task of nice
/// -20 and one of 19 is too large. 29 hours of virtual time, 26 minutes of a task of nice 19.
constexpr Ns kFar = 105'000 * kSec;

template <class Act>
bool overflows(const Act& act) {
  try {
    act();
  } catch (const Overflow&) {
    return true;
  }
  return false;
}

bool is_since(const Profile& profile, const KernelVersion& version) {
  return profile.first >= version;
}

/// Its zero where the rule has it: at the least vruntime, or at V, here next to the heavy task.
KernelQueue& with_zero(KernelQueue& q, const Profile& profile, Ns least, Ns heavy) {
  q.rq.v0 = Checked(profile.rules.zero == Zero::min_vruntime ? least : heavy);
  return q;
}

// The light B is ahead. V's sum is small: 15 * 1.05 * 10^14. But is B eligible? Up to 7.0 its
// key times the load is a product of 64 bits (b6eee96843e8 gave it 128).
TEST(Overflow64, OfTheProductUpTo70) {
  for (const Profile& profile : all_profiles()) {
    KernelQueue q(std::string(profile.name).c_str());
    const TaskId heavy = q.waits(0, kFar + 2, KernelQueue::kSlice, -20);
    const TaskId light = q.waits(kFar, kFar + 1, KernelQueue::kSlice, 19);
    with_zero(q, profile, 0, 0);
    EXPECT_FALSE(overflows([&] { q.v(); })) << profile.name;
    const bool up_to_70 = !is_since(profile, {7, 1});
    EXPECT_EQ(overflows([&] { q.fair.eligible(light); }), up_to_70) << profile.name;
    EXPECT_EQ(overflows([&] { q.fair.pick_next(); }), up_to_70) << profile.name;
    if (up_to_70) continue;
    EXPECT_EQ(q.fair.pick_next(), heavy) << profile.name;
  }
}

// The heavy B is ahead. With zero at the least vruntime, 88761 * 1.05 * 10^14 is too large even
// for V; with zero at V (79f3f9bedd14) it is not.
TEST(Overflow64, OfTheSumWhereZeroIsTheLeastVruntime) {
  for (const Profile& profile : all_profiles()) {
    KernelQueue q(std::string(profile.name).c_str());
    q.waits(0, 1, KernelQueue::kSlice, 19);
    q.waits(kFar, kFar + 1, KernelQueue::kSlice, -20);
    with_zero(q, profile, 0, kFar);
    EXPECT_EQ(overflows([&] { q.v(); }), profile.rules.zero == Zero::min_vruntime) << profile.name;
    // The test of the light one, far behind, has a large product again.
    EXPECT_EQ(overflows([&] { q.fair.eligible(0); }), !is_since(profile, {7, 1})) << profile.name;
  }
}

/// A SCHED_IDLE task runs; one of nice -20 wakes up with all the lag that it may have kept:
/// a base slice of a second and a tick, 1001 ms * 1024 / 88761 = 11.548 ms, which is inflated by
/// 88764 / 3 to 341.7 s.
void heavy_wakes_beside_idle(const Rules& rules, Ns base_slice) {
  Kernel kernel("7.1");
  kernel.rules = rules;
  KernelQueue q(kernel);
  q.settings.base_slice = base_slice;
  const TaskId idle = q.of_policy(q.waits(0, base_slice, base_slice), Policy::idle);
  q.at(idle).weight = weight_of_idle_policy();
  q.run(idle);
  const Ns lag = (base_slice + kMsec) * 1024 / 88'761;
  q.fair.enqueue(q.sleeps(lag, base_slice, -20), false);
  q.fair.pick_next();
}

// In the full weights of 7.1, 88761 * 1024 * 3.417 * 10^11 is too large, if zero stays at the
// idle task. 556146ce5e94 moves it to where the heavy one is placed. In the weights of before
// it is a thousandth of that. With the largest slice that a task can ask for, 100 ms, it would
// be 3.1 * 10^18, a third of what there is room for.
TEST(Overflow64, OfAHeavyTaskThatIsPlacedFarFromZero) {
  Rules rules = find_profile("7.1").rules;
  EXPECT_FALSE(overflows([&] { heavy_wakes_beside_idle(rules, kSec); }));
  rules.zero = Zero::average;
  EXPECT_TRUE(overflows([&] { heavy_wakes_beside_idle(rules, kSec); }));
  EXPECT_FALSE(overflows([&] { heavy_wakes_beside_idle(rules, 100 * kMsec); }));
  EXPECT_FALSE(overflows([&] { heavy_wakes_beside_idle(find_profile("7.0").rules, kSec); }));
}

// It moves for one that is heavier than all others together, not for an equal one.
TEST(Overflow64, ZeroMovesForAHeavierTaskOnly) {
  const auto zero = [](int nice) {
    KernelQueue q("7.1");
    q.waits(kSec, kSec + 1);
    const TaskId b = q.sleeps(kMsec, KernelQueue::kSlice, nice);
    q.fair.enqueue(b, false);
    EXPECT_NE(q.vruntime(b), kSec);
    return q.rq.v0.value() == q.vruntime(b);
  };
  EXPECT_FALSE(zero(0));
  EXPECT_TRUE(zero(-1));
}

}  // namespace
}  // namespace tickproof
