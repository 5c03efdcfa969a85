// Questions and their answers; the values are those of worst_values_test.cpp.
#include "solver/engine.hpp"

#include <gtest/gtest.h>

#include "solver/coverage.hpp"
#include "tests/support/systems.hpp"

namespace tickproof {
namespace {

/// The delay of one of two hogs: 20 ms at most, under the rules of 6.8.
Question delay_question() {
  Question question;
  question.spec = make_system(config_of("6.8", 100, 3 * kMsec, {hogs("h", 2)}));
  question.property = property_of(PropertyKind::scheduling_delay, "h");
  question.limits.depth = 6;
  return question;
}

TEST(Engine, ABoundThatHoldsIsBounded) {
  Question question = delay_question();
  question.property.at_most = 20 * kMsec;
  const Answer result = answer(question);
  EXPECT_EQ(result.status, Status::bounded);
  EXPECT_EQ(result.engine, "bounded search");
  EXPECT_EQ(result.depth, 6U);
  EXPECT_EQ(result.aim, Aim::largest);
  EXPECT_EQ(result.controls, 9U);
}

TEST(Engine, ABrokenBoundIsViolated) {
  Question question = delay_question();
  question.property.at_most = 20 * kMsec - 1;
  const Answer result = answer(question);
  EXPECT_EQ(result.status, Status::violated);
  ASSERT_TRUE(result.witness);
  EXPECT_EQ(result.witness->value, 20 * kMsec);
  EXPECT_EQ(result.reason, "");
}

TEST(Engine, WithoutABoundTheValueIsAskedFor) {
  const Answer result = answer(delay_question());
  EXPECT_EQ(result.status, Status::bounded);
  EXPECT_EQ(result.bound, 20 * kMsec);
  EXPECT_TRUE(is_exact(result, PropertyKind::scheduling_delay));
}

TEST(Engine, ALeastValueIsJudgedByWhatHasEnded) {
  Question question = delay_question();
  question.property.kind = PropertyKind::run_length;
  question.spec.tasks[0].spec.start = question.spec.tasks[1].spec.start = 0;
  question.property.at_least = 3 * kMsec;
  const Answer result = answer(question);
  EXPECT_EQ(result.status, Status::bounded);
  EXPECT_EQ(result.aim, Aim::smallest_ended);
  question.property.at_least = 3 * kMsec + 2;
  EXPECT_EQ(answer(question).status, Status::violated);
}

TEST(Engine, OutOfTimeIsUnknown) {
  Question question = delay_question();
  question.property.at_most = 20 * kMsec;
  question.limits.seconds = 1e-9;
  const Answer result = answer(question);
  EXPECT_EQ(result.status, Status::unknown);
  EXPECT_EQ(result.reason, "time limit");
}

TEST(Engine, ExactMeansWithinAMicrosecond) {
  Answer result;
  result.witness = Witness{{}, 5'000};
  EXPECT_FALSE(is_exact(result, PropertyKind::run_length));  // no bound
  result.bound = 6'000;
  EXPECT_TRUE(is_exact(result, PropertyKind::run_length));
  EXPECT_FALSE(is_exact(result, PropertyKind::run_ticks));
  result.bound = 6'001;
  EXPECT_FALSE(is_exact(result, PropertyKind::run_length));
  result.bound = 5'000;
  EXPECT_TRUE(is_exact(result, PropertyKind::run_ticks));
}

// The first `events` events of a run: of so many, how many can be in a time t? One more
// reads what then goes on. Ticks: t / T + 1.
TEST(Coverage, IsCountedByHand) {
  Config config = config_of("6.12", 100, 3 * kMsec, {hogs("h", 2)});
  // 5 ticks and 2 starts are less than 8.
  EXPECT_EQ(covered_time(make_system(config), 8), 50 * kMsec - 1);
  EXPECT_EQ(covered_time(make_system(config), 3), 0);
  config.stretch = kMsec;  // each may have a late reschedule
  EXPECT_EQ(covered_time(make_system(config), 8), 10 * kMsec - 1);
  config.stretch = 0;
  config.features.hrtick = true;  // a tick, 2 starts, and 4 times HRTICK, 10 us apart
  EXPECT_EQ(covered_time(make_system(config), 8), 40 * kUsec - 1);

  // 2 ticks, a start, 2 wake-ups and 2 sleeps.
  config = config_of("6.12", 1000, 3 * kMsec, {sporadic("s", kMsec, kMsec)});
  EXPECT_EQ(covered_time(make_system(config), 8), 2 * kMsec - 1);
  // 1 tick, a start; releases 10 ms apart, up to 1 ms late: 2 wake-ups and 2 sleeps from
  // 9 ms on.
  config = config_of("6.12", 100, 3 * kMsec, {periodic("p", 10 * kMsec, kMsec, kMsec)});
  EXPECT_EQ(covered_time(make_system(config), 6), 9 * kMsec - 1);

  for (const TaskSpec& task : {yielder("y", kMsec), unconstrained("u"), sporadic("s", 0, kMsec)}) {
    EXPECT_EQ(covered_time(make_system(config_of("6.12", 100, kMsec, {task})), 50), 0);
  }
}

}  // namespace
}  // namespace tickproof
