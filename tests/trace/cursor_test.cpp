#include "trace/cursor.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>

namespace tickproof {
namespace {

std::optional<std::int64_t> number_of(std::string_view text) {
  Cursor at(text);
  std::int64_t value = 0;
  if (!at.take_number(value)) {
    EXPECT_EQ(at.rest(), text) << "a refusal must not move";
    return std::nullopt;
  }
  return value;
}

TEST(Cursor, NumbersOfEveryLength) {
  EXPECT_EQ(number_of("0"), 0);
  EXPECT_EQ(number_of("-1"), -1);
  EXPECT_EQ(number_of("007 x"), 7);
  EXPECT_EQ(number_of("999999999999999999"), 999'999'999'999'999'999);
  EXPECT_EQ(number_of("1000000000000000000"), 1'000'000'000'000'000'000);
  EXPECT_EQ(number_of("0000000000000000000000001"), 1);
  EXPECT_EQ(number_of(std::to_string(std::numeric_limits<std::int64_t>::max())),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(number_of(std::to_string(std::numeric_limits<std::int64_t>::min())),
            std::numeric_limits<std::int64_t>::min());
}

TEST(Cursor, WhatIsNoNumber) {
  for (const char* text : {"", "-", "x", "+1", " 1", "--1", "9223372036854775808",
                           "-9223372036854775809", "99999999999999999999"}) {
    EXPECT_FALSE(number_of(text)) << text;
  }
}

TEST(Cursor, StopsBehindTheNumber) {
  Cursor at("12 34");
  std::int64_t value = 0;
  ASSERT_TRUE(at.take_number(value));
  EXPECT_TRUE(at.at_gap());
  EXPECT_EQ(at.rest(), " 34");
}

TEST(Cursor, AsManyDigitsAsAreAllowed) {
  std::int64_t value = 0;
  std::size_t count = 0;
  Cursor six("123456]");
  ASSERT_TRUE(six.take_digits(6, value, count));
  EXPECT_EQ(value, 123'456);
  EXPECT_EQ(count, 6U);
  EXPECT_TRUE(six.take(']'));
  EXPECT_FALSE(Cursor("1234567").take_digits(6, value, count));
  EXPECT_FALSE(Cursor("-1").take_digits(6, value, count));
}

TEST(Cursor, Text) {
  Cursor at("lost 3");
  EXPECT_FALSE(at.take("lost 34"));
  EXPECT_FALSE(at.take("last"));
  EXPECT_TRUE(at.take("lost "));
  EXPECT_EQ(at.word(), "3");
  EXPECT_TRUE(at.at_end());
  EXPECT_FALSE(at.take('3'));
}

}  // namespace
}  // namespace tickproof
