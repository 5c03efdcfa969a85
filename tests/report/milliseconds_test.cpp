#include "report/milliseconds.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tickproof {
namespace {

TEST(Milliseconds, AreExactAndShort) {
  EXPECT_EQ(in_ms(0), "0");
  EXPECT_EQ(in_ms(1), "0.000001");
  EXPECT_EQ(in_ms(3'002'000), "3.002");
  EXPECT_EQ(in_ms(10 * kMsec), "10");
  EXPECT_EQ(in_ms(-1'501'000), "-1.501");
  EXPECT_EQ(in_ms(-1), "-0.000001");
  EXPECT_EQ(in_ms(INT64_MIN), "-9223372036854.775808");
}

TEST(Milliseconds, LineUpAtThePoint) {
  const std::array<Ns, 3> times{0, 3'002'000, 9 * kMsec};
  const int decimals = decimals_of(times);
  EXPECT_EQ(decimals, 3);
  EXPECT_EQ(in_ms(times[0], decimals), "0.000");
  EXPECT_EQ(in_ms(times[1], decimals), "3.002");
  EXPECT_EQ(in_ms(times[2], decimals), "9.000");
  EXPECT_EQ(decimals_of(std::array<Ns, 1>{kMsec}), 0);
  EXPECT_EQ(decimals_of({}), 0);
}

}  // namespace
}  // namespace tickproof
