#include "trace/one_cpu.hpp"

#include <gtest/gtest.h>

#include "model/setting.hpp"

namespace tickproof {
namespace {

TraceEvent event_of(int cpu) { return {cpu, 0, "x", ""}; }

TEST(OneCpu, TheOnlyOne) {
  OneCpu one(std::nullopt);
  EXPECT_TRUE(one.wants(LostEvents{1, 5}));  // not known yet
  EXPECT_TRUE(one.wants(event_of(3)));
  EXPECT_TRUE(one.wants(event_of(3)));
  EXPECT_FALSE(one.wants(LostEvents{1, 5}));
  EXPECT_TRUE(one.wants(LostEvents{1, 3}));
  EXPECT_TRUE(one.wants(LostEvents{1, -1}));
  EXPECT_NO_THROW(one.check_found());
}

TEST(OneCpu, SeveralNeedAChoice) {
  OneCpu one(std::nullopt);
  EXPECT_TRUE(one.wants(event_of(3)));
  try {
    one.wants(event_of(1));
    FAIL() << "taken";
  } catch (const BadValue& error) {
    EXPECT_STREQ(error.what(),
                 "is of CPU 1, the lines before of CPU 3; only traces of one CPU can be replayed: "
                 "choose one with --cpu");
  }
}

TEST(OneCpu, TheChosenOne) {
  OneCpu one(1);
  EXPECT_FALSE(one.wants(event_of(3)));
  EXPECT_FALSE(one.wants(event_of(0)));
  try {
    one.check_found();
    FAIL() << "found";
  } catch (const BadValue& error) {
    EXPECT_STREQ(error.what(), "holds no event of CPU 1 (--cpu); it has events of CPU 0, 3");
  }
  EXPECT_TRUE(one.wants(event_of(1)));
  EXPECT_NO_THROW(one.check_found());
}

}  // namespace
}  // namespace tickproof
