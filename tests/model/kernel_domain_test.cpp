#include "model/kernel_domain.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace tickproof {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

Ns to_virtual(DeltaFair delta_fair, Ns delta, const Weight& w) {
  return KernelDomain(delta_fair).to_virtual(Checked(delta), w).value();
}

// calc_delta_fair() of 6.8 and of 7.2, worked out in arbitrary precision from the
// kernel's two tables, apart from this program.
struct Vector {
  Weight weight;
  Ns inverse;
  Ns exact;
};

TEST(KernelDomain, VirtualTimeOfABaseSlice) {
  const Vector vectors[] = {
      {weight_of_nice(-20), 32302, 32302},        {weight_of_nice(-10), 300293, 300293},
      {weight_of_nice(-5), 918679, 918679},       {weight_of_nice(-1), 2245262, 2245262},
      {weight_of_nice(0), 2800000, 2800000},      {weight_of_nice(1), 3496585, 3496585},
      {weight_of_nice(5), 8558806, 8558805},      {weight_of_nice(9), 20928466, 20928467},
      {weight_of_nice(10), 26065454, 26065454},   {weight_of_nice(13), 51199999, 51200000},
      {weight_of_nice(19), 191146666, 191146666}, {weight_of_idle_policy(), 955733333, 955733333},
  };
  for (const Vector& v : vectors) {
    EXPECT_EQ(to_virtual(DeltaFair::inverse, 2'800'000, v.weight), v.inverse) << v.weight.value;
    EXPECT_EQ(to_virtual(DeltaFair::exact, 2'800'000, v.weight), v.exact) << v.weight.value;
  }
}

TEST(KernelDomain, VirtualTimeOfANanosecond) {
  for (const DeltaFair rule : {DeltaFair::inverse, DeltaFair::exact}) {
    EXPECT_EQ(to_virtual(rule, 1, weight_of_nice(19)), 68);
    EXPECT_EQ(to_virtual(rule, 1, weight_of_nice(1)), 1);
    EXPECT_EQ(to_virtual(rule, 1, weight_of_nice(0)), 1);
    // Progress below a nanosecond is lost.
    EXPECT_EQ(to_virtual(rule, 1, weight_of_nice(-1)), 0);
    EXPECT_EQ(to_virtual(rule, 0, weight_of_nice(5)), 0);
  }
}

// __calc_delta() as it is written in kernel/sched/fair.c: with a loop that halves the
// factor until it fits, and its mul_u64_u32_shr().
Ns calc_delta(Ns delta, const Weight& w) {
  __extension__ using Wide = unsigned __int128;
  std::uint64_t factor = 1024;
  factor *= static_cast<std::uint64_t>(w.inverse);
  int shift = 32;
  while ((factor >> 32) != 0) {
    factor >>= 1;
    --shift;
  }
  return static_cast<Ns>((static_cast<Wide>(delta) * factor) >> shift);
}

TEST(KernelDomain, VirtualTimeIsCalcDeltasForAnyDelta) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<Ns> delta(0, kSec);
  for (int i = 0; i < 10'000; ++i) {
    for (int nice = kLeastNice; nice <= kMostNice; ++nice) {
      const Ns d = delta(random) >> (i % 30);
      const Weight w = weight_of_nice(nice);
      ASSERT_EQ(to_virtual(DeltaFair::inverse, d, w), calc_delta(d, w)) << nice << " " << d;
      ASSERT_EQ(to_virtual(DeltaFair::exact, d, w), d * 1024 / w.value) << nice << " " << d;
    }
  }
}

// avg_vruntime(): "sign flips effective floor / ceiling".
TEST(KernelDomain, DivideFloorRoundsDown) {
  const KernelDomain d(DeltaFair::inverse);
  const auto floor = [&](std::int64_t x, std::int64_t n) {
    return d.divide_floor(Checked(x), n).value();
  };
  EXPECT_EQ(floor(7, 2), 3);
  EXPECT_EQ(floor(6, 2), 3);
  EXPECT_EQ(floor(0, 2), 0);
  EXPECT_EQ(floor(-1, 2), -1);
  EXPECT_EQ(floor(-6, 2), -3);
  EXPECT_EQ(floor(-7, 2), -4);
  EXPECT_EQ(floor(-1, 88761), -1);
  EXPECT_EQ(floor(kLeast, 1), kLeast);
  EXPECT_EQ(floor(kMost, kMost), 1);
}

// place_entity(): div_s64() of lag times load, toward zero.
TEST(KernelDomain, ScaleRoundsTowardZero) {
  const KernelDomain d(DeltaFair::inverse);
  const auto scale = [&](std::int64_t x, std::int64_t n, std::int64_t m) {
    return d.scale(Checked(x), n, m).value();
  };
  EXPECT_EQ(scale(10, 3, 2), 15);
  EXPECT_EQ(scale(5, 3, 2), 7);
  EXPECT_EQ(scale(-5, 3, 2), -7);
  EXPECT_EQ(scale(-1, 1, 2), 0);
  EXPECT_EQ(scale(-3'000'000, 1024 + 335, 1024), -3'981'445);  // -3981445.3125
}

TEST(KernelDomain, OverflowIsAnError) {
  const KernelDomain d(DeltaFair::inverse);
  EXPECT_THROW(Checked(kMost) + Checked(1), Overflow);
  EXPECT_THROW(Checked(kLeast) + Checked(-1), Overflow);
  EXPECT_THROW(Checked(kLeast) - Checked(1), Overflow);
  EXPECT_THROW(Checked(0) - Checked(kLeast), Overflow);
  EXPECT_THROW(d.times(Checked(kMost / 2), 3), Overflow);
  EXPECT_THROW(d.scale(Checked(kMost / 1000), 88761, 15), Overflow);
  EXPECT_THROW(d.to_virtual(Checked(kMost), weight_of_nice(19)), Overflow);
  EXPECT_EQ((Checked(kMost) + Checked(kLeast)).value(), -1);
  EXPECT_EQ(d.times(Checked(kMost), 1).value(), kMost);
  // The product needs 128 bits, the result does not.
  EXPECT_EQ(d.to_virtual(Checked(kMost), weight_of_nice(-20)).value(),
            calc_delta(kMost, weight_of_nice(-20)));
}

TEST(KernelDomain, TheNextPointOfTheGrid) {
  const KernelDomain d(DeltaFair::inverse);
  const auto next = [&](Ns x) { return d.next_on_grid(Checked(x), 10).value(); };
  EXPECT_EQ(next(3), 3);
  EXPECT_EQ(next(13), 13);
  EXPECT_EQ(next(0), 10);
  EXPECT_EQ(next(-3), 7);
  EXPECT_EQ(next(-30), 10);
}

TEST(KernelDomain, RefusesWhatCanNotBe) {
  const KernelDomain d(DeltaFair::inverse);
  EXPECT_NO_THROW(d.require(true, "fine"));
  try {
    d.require(false, "no tick is missed");
    FAIL();
  } catch (const IllegalStep& error) {
    EXPECT_STREQ(error.what(), "no tick is missed");
  }
}

}  // namespace
}  // namespace tickproof
