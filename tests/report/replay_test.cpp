#include "report/replay.hpp"

#include <gtest/gtest.h>

#include "tests/report/documents.hpp"

namespace tickproof {
namespace {

/// What replay() has to say against the document.
std::string difference(const ScheduleDocument& document) {
  const ReplayResult result = replay(document);
  EXPECT_EQ(result.conforms, result.difference.empty());
  return result.difference;
}

TEST(Replay, ATrueDocumentConforms) {
  for (const ScheduleDocument& document : {two_hogs(), everything()}) {
    const ReplayResult result = replay(document);
    EXPECT_TRUE(result.conforms);
    EXPECT_EQ(result.difference, "");
    ASSERT_TRUE(result.recording);
    EXPECT_EQ(result.recording->events, document.events);
  }
}

TEST(Replay, RefusesAClaimThatIsOffByOneNs) {
  ScheduleDocument document = two_hogs();
  document.claim.value += 1;
  EXPECT_EQ(difference(document), "claim.value: the document says 6000001, the replay 6000000");
  document.claim.value -= 2;
  EXPECT_EQ(difference(document), "claim.value: the document says 5999999, the replay 6000000");
}

TEST(Replay, ChecksTheSmallestWhereThatIsClaimed) {
  ScheduleDocument document = two_hogs();
  // A arrives on the idle CPU.
  document.claim = {Extreme::smallest, 0};
  EXPECT_EQ(difference(document), "");
  document.claim.value = 1;
  EXPECT_EQ(difference(document), "claim.value: the document says 1, the replay 0");
  // It never leaves the CPU by itself: no run of it ends.
  document.schedule.moves.resize(3);
  document.property.kind = PropertyKind::run_length;
  document.events.reset();
  EXPECT_EQ(difference(document), "claim.value: the document says 1, the replay null");
}

TEST(Replay, RefusesAMissingTick) {
  ScheduleDocument document = two_hogs();
  document.schedule.moves.erase(document.schedule.moves.begin() + 3);
  document.events.reset();
  const ReplayResult result = replay(document);
  EXPECT_FALSE(result.conforms);
  EXPECT_EQ(result.difference, "moves[3] (tick at 3ms): no tick is missed");
  EXPECT_FALSE(result.recording);
}

TEST(Replay, NamesTheFirstEventThatDiffers) {
  ScheduleDocument document = two_hogs();
  document.claim.value = 0;  // a difference too, but events come first
  (*document.events)[9].after = kNobody;
  EXPECT_EQ(difference(document), "events[9].after: the document says null, the replay 1");
  (*document.events)[8].tasks[1].queued.reset();
  EXPECT_TRUE(difference(document).starts_with(
      "events[8].tasks[1].queued: the document says null, the replay {\"vruntime_ns\":3998000,"))
      << difference(document);
  (*document.events)[4].tasks[0].queued->lag += 1;
  EXPECT_EQ(difference(document),
            "events[4].tasks[0].queued.lag_ns: the document says -1500999, the replay -1501000");
  (*document.events)[2].kind = MoveKind::wake;
  (*document.events)[2].task = 0;
  EXPECT_EQ(difference(document),
            "events[2].kind: the document says \"wake\", the replay \"tick\"");
}

// The same moves under the rules of 6.12: A gets the CPU at tick 7 already.
TEST(Replay, OtherRulesAreAnotherRun) {
  ScheduleDocument document = two_hogs();
  document.system.fair.rules.trigger = Trigger::expiry_or_ineligible;
  document.system.fair.features.preempt_short = true;
  EXPECT_EQ(difference(document),
            "events[8].settled_ns: the document says 7000000, the replay 7002000");
}

TEST(Replay, RefusesArithmeticThatLeaves64Bits) {
  ScheduleDocument document = two_hogs();
  document.system.fair.base_slice = INT64_MAX;
  document.system.tasks[1].spec.nice = 19;  // 68 times as much virtual time
  EXPECT_EQ(difference(document), "64-bit overflow in scheduler arithmetic");
}

}  // namespace
}  // namespace tickproof
