#include "model/units.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "model/setting.hpp"

namespace tickproof {
namespace {

template <class Parse>
std::string bad_value(Parse&& parse) {
  try {
    parse();
  } catch (const BadValue& error) {
    return error.what();
  }
  ADD_FAILURE() << "no BadValue";
  return "";
}

const std::string kHint = "; write a number and a unit: 3ms, 2.8ms, 700us, 0";

TEST(Units, DurationsAreRead) {
  const std::vector<std::pair<std::string, Ns>> good{
      {"0", 0},
      {"0ns", 0},
      {"0.0ms", 0},
      {"1ns", 1},
      {"700us", 700'000},
      {"2.8ms", 2'800'000},
      {"3 ms", 3'000'000},
      {".5ms", 500'000},
      {"0.000001ms", 1},
      {"0.000000001s", 1},
      {"2.8000000ms", 2'800'000},  // zeros below a nanosecond do no harm
      {"003ms", 3'000'000},
      {"4294967295ns", 4'294'967'295},
      {"1000s", kLongestTime},
      {"1000000ms", kLongestTime},
  };
  for (const auto& [text, ns] : good) EXPECT_EQ(parse_duration(text), ns) << text;
}

TEST(Units, DurationsAreRefused) {
  for (const std::string text :
       {"",         "3",     "ms",      " ms",   "3 m",   "3MS",  "3min", "ms3",
        "3.ms",     ".ms",   "1.2.3ms", "1e3us", "0x3ms", "+3ms", "3ms ", " 3ms",
        "three ms", "3,5ms", "--3ms",   "3µs",   "00",    "inf s"}) {
    const std::string why = text.starts_with('-') ? " is negative" : " is not a time";
    EXPECT_EQ(bad_value([&] { parse_duration(text); }), "'" + text + "'" + why + kHint) << text;
  }
  for (const std::string text : {"-3ms", "-0", "-1ns"}) {
    EXPECT_EQ(bad_value([&] { parse_duration(text); }), "'" + text + "' is negative" + kHint);
  }
  for (const std::string text : {"0.5ns", "1.0000005ms", "0.0000000001s"}) {
    EXPECT_EQ(bad_value([&] { parse_duration(text); }),
              "'" + text + "' is finer than a nanosecond" + kHint);
  }
}

TEST(Units, NoTimeIsBeyondTheLongest) {
  for (const std::string text :
       {"1001s", "1000000000001ns", "99999999999999999999999999999999999999s"}) {
    EXPECT_EQ(bad_value([&] { parse_duration(text); }),
              "'" + text + "' is longer than 1000s" + kHint);
  }
}

TEST(Units, IntervalsAreRead) {
  EXPECT_EQ(parse_interval("3us"), (Interval{3'000, 3'000}));
  EXPECT_EQ(parse_interval("0"), (Interval{0, 0}));
  EXPECT_EQ(parse_interval("0..3.6us"), (Interval{0, 3'600}));
  EXPECT_EQ(parse_interval("1us..2ms"), (Interval{1'000, 2'000'000}));
  EXPECT_EQ(parse_interval("1us..1000ns"), (Interval{1'000, 1'000}));
}

TEST(Units, IntervalsAreRefused) {
  EXPECT_EQ(bad_value([] { parse_interval("3us..1us"); }),
            "'3us..1us' ends before it starts; write low..high");
  EXPECT_EQ(bad_value([] { parse_interval("1us.."); }), "'' is not a time" + kHint);
  EXPECT_EQ(bad_value([] { parse_interval("..1us"); }), "'' is not a time" + kHint);
  EXPECT_EQ(bad_value([] { parse_interval("1..2us"); }), "'1' is not a time" + kHint);
  EXPECT_EQ(bad_value([] { parse_interval("0..-1us"); }), "'-1us' is negative" + kHint);
  EXPECT_EQ(bad_value([] { parse_interval("1us..2us..3us"); }), "'2us..3us' is not a time" + kHint);
}

TEST(Units, DurationsAreShownInTheLargestUnitThatFits) {
  const std::vector<std::pair<Ns, std::string>> shown{
      {0, "0"},
      {1, "1ns"},
      {999, "999ns"},
      {1'000, "1us"},
      {700'000, "700us"},
      {999'999, "999.999us"},
      {1'000'000, "1ms"},
      {2'800'000, "2.8ms"},
      {1'000'001, "1.000001ms"},
      {10'000'000, "10ms"},
      {kSec, "1s"},
      {kLongestTime, "1000s"},
      {-2'800'000, "-2.8ms"},
      {std::numeric_limits<Ns>::max(), "9223372036.854775807s"},
      {std::numeric_limits<Ns>::min(), "-9223372036.854775808s"},
  };
  for (const auto& [ns, text] : shown) EXPECT_EQ(format_duration(ns), text);
}

TEST(Units, IntervalsAreShown) {
  EXPECT_EQ(format_interval({0, 0}), "0");
  EXPECT_EQ(format_interval({3'000, 3'000}), "3us");
  EXPECT_EQ(format_interval({0, 3'600}), "0..3.6us");
}

TEST(Units, WhatIsShownReadsBackTheSame) {
  // Steps that are no multiple of a power of ten visit every length of a fraction.
  for (Ns ns = 0; ns <= kLongestTime; ns = ns * 7 / 3 + 1) {
    EXPECT_EQ(parse_duration(format_duration(ns)), ns);
    EXPECT_EQ(parse_interval(format_interval({ns / 2, ns})), (Interval{ns / 2, ns}));
  }
}

}  // namespace
}  // namespace tickproof
