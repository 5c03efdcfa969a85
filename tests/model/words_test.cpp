#include "model/words.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tickproof {
namespace {

const std::vector<std::string> kKeys{"kernel", "hz", "base_slice", "tick.irq_time"};
const std::string kAll = "there are kernel, hz, base_slice, tick.irq_time";

TEST(Words, WholeNumbers) {
  EXPECT_EQ(whole_number("12", 12, 13), 12);
  EXPECT_EQ(whole_number("-20", -20, 19), -20);
  for (const char* text : {"11", "14", "", " 12", "12 ", "+12", "12.0", "0xc", "1e1", "twelve",
                           "99999999999999999999"}) {
    EXPECT_EQ(whole_number(text, 12, 13), std::nullopt) << text;
  }
}

TEST(Words, ShownIsShortAndHarmless) {
  EXPECT_EQ(shown("a b"), "'a b'");
  EXPECT_EQ(shown("\x1b[31m\n"), "'?[31m?'");
  EXPECT_EQ(shown(std::string(50, 'x')), "'" + std::string(40, 'x') + "...'");
}

TEST(Words, TheNearestWordIsSuggested) {
  EXPECT_EQ(no_such("key", "base_slise", kKeys),
            "no key 'base_slise'; did you mean base_slice? " + kAll);
  for (const char* slip : {"HZ", "hx", "zh", "hzz"}) {
    EXPECT_EQ(no_such("key", slip, kKeys),
              "no key '" + std::string(slip) + "'; did you mean hz? " + kAll);
  }
  EXPECT_EQ(no_such("key", "tick-irq-time", kKeys),
            "no key 'tick-irq-time'; did you mean tick.irq_time? " + kAll);
  EXPECT_EQ(no_such("key", "kenrel", kKeys), "no key 'kenrel'; did you mean kernel? " + kAll);
}

TEST(Words, NothingIsSuggestedForAnotherWord) {
  EXPECT_EQ(no_such("key", "slice_of_bread", kKeys), "no key 'slice_of_bread'; " + kAll);
  EXPECT_EQ(no_such("key", "", kKeys), "no key ''; " + kAll);
  EXPECT_EQ(no_such("key", std::string(100'000, 'k'), kKeys),
            "no key '" + std::string(40, 'k') + "...'; " + kAll);
  EXPECT_EQ(no_such("task", "hog", {}), "no task 'hog'; there is none");
}

TEST(Words, Names) {
  for (const char* good : {"a", "Z9", "hog-2", "a_b"}) EXPECT_TRUE(is_name(good)) << good;
  for (const char* bad : {"", "9a", "-a", "_a", "a.b", "a b", "a=", "\xc3\xa4"}) {
    EXPECT_FALSE(is_name(bad)) << bad;
  }
}

}  // namespace
}  // namespace tickproof
