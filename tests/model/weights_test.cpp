#include "model/weights.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tickproof {
namespace {

// kernel/sched/core.c, sched_prio_to_weight[] and sched_prio_to_wmult[].
TEST(Weights, AreTheKernelsTable) {
  EXPECT_EQ(weight_of_nice(-20), (Weight{88761, 48388}));
  EXPECT_EQ(weight_of_nice(-15), (Weight{29154, 147320}));
  EXPECT_EQ(weight_of_nice(-10), (Weight{9548, 449829}));
  EXPECT_EQ(weight_of_nice(-5), (Weight{3121, 1376151}));
  EXPECT_EQ(weight_of_nice(-1), (Weight{1277, 3363326}));
  EXPECT_EQ(weight_of_nice(0), (Weight{1024, 4194304}));
  EXPECT_EQ(weight_of_nice(1), (Weight{820, 5237765}));
  EXPECT_EQ(weight_of_nice(5), (Weight{335, 12820798}));
  EXPECT_EQ(weight_of_nice(10), (Weight{110, 39045157}));
  EXPECT_EQ(weight_of_nice(15), (Weight{36, 119304647}));
  EXPECT_EQ(weight_of_nice(19), (Weight{15, 286331153}));
  EXPECT_EQ(weight_of_nice(0), Weight());
}

// set_load_weight(): WEIGHT_IDLEPRIO and WMULT_IDLEPRIO.
TEST(Weights, OfTheIdlePolicy) { EXPECT_EQ(weight_of_idle_policy(), (Weight{3, 1431655765})); }

// The comment on the kernel's table: it is a precalculated 2^32 / weight. It is not
// always the nearest whole number, but never further off than one.
TEST(Weights, InversesFitTheirWeights) {
  for (int nice = kLeastNice; nice <= kMostNice; ++nice) {
    const Weight w = weight_of_nice(nice);
    const std::int64_t off = w.value * w.inverse - (std::int64_t{1} << 32);
    EXPECT_LE(std::abs(off), w.value) << "nice " << nice;
  }
}

// ... and of the table itself: a nice level is about 10 % of CPU, a factor of 1.25.
TEST(Weights, FallByAQuarterANiceLevel) {
  for (int nice = kLeastNice; nice < kMostNice; ++nice) {
    const double ratio = static_cast<double>(weight_of_nice(nice).value) /
                         static_cast<double>(weight_of_nice(nice + 1).value);
    EXPECT_NEAR(ratio, 1.25, 0.06) << "nice " << nice;
  }
}

}  // namespace
}  // namespace tickproof
