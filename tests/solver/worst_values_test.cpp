// Worst values that are known from elsewhere: worked out by hand, found by another
// prototype (invariants grown by optimisation, for runs of any length), or argued in a
// commit message.
#include <gtest/gtest.h>

#include "tests/support/searches.hpp"

namespace tickproof {
namespace {

// --- hogs only, rules of 6.8 to 6.11 -------------------------------------------------

// The prototype proved these for runs of any length. A hog that renews its deadline just
// before its rival's runs two requests in a row: 2 * 10 ms.
TEST(WorstValues, TwoHogsAt100Hz) {
  expect_worst(search_for(two_hogs("6.8", 100, 3 * kMsec), PropertyKind::scheduling_delay, "h", 6),
               20 * kMsec);
}

TEST(WorstValues, ThreeHogsAt100Hz) {
  expect_worst(search_for(config_of("6.8", 100, 3 * kMsec, {hogs("h", 3)}),
                          PropertyKind::scheduling_delay, "h", 8),
               40 * kMsec);
}

TEST(WorstValues, TwoHogsAt1000Hz) {
  for (const Ns slice : {3 * kMsec, 2'800 * kUsec}) {
    expect_worst(search_for(two_hogs("6.8", 1000, slice), PropertyKind::scheduling_delay, "h", 8),
                 6 * kMsec);
  }
}

// --- hogs only, 6.12 and later --------------------------------------------------------

// The trigger looks at every tick whether an unprotected task is still eligible. In the
// golden trace of two hogs, B runs from 3.002 to 7.002.
TEST(WorstValues, TwoHogsWithTheLaterTrigger) {
  expect_worst(
      search_for(two_hogs("6.12.117", 1000, 2'800 * kUsec), PropertyKind::scheduling_delay, "h", 8),
      4 * kMsec);
}

// ... and the time from a tick to its switch comes on top.
TEST(WorstValues, TheSwitchDelayCounts) {
  Config config = two_hogs("6.12.117", 1000, 2'800 * kUsec);
  config.switch_delay = {0, 2 * kUsec};
  expect_worst(search_for(config, PropertyKind::scheduling_delay, "h", 6), 4'002 * kUsec);
}

// A hog that is picked just over a slice before a tick is not caught by it: a run is
// less than slice + tick. In four events (two starts, two ticks that act) none is longer;
// with more, one that started at a tick can run two requests.
TEST(WorstValues, TheFirstRunOfAHog) {
  expect_worst(search_for(two_hogs("6.12.117", 100, 3 * kMsec), PropertyKind::run_length, "h", 4),
               13 * kMsec);
  expect_worst(search_for(two_hogs("6.12.117", 100, 3 * kMsec), PropertyKind::run_length, "h", 6),
               20 * kMsec);
}

// The golden trace of 6.8: B runs from 3.002 to 9.002, 6 ticks.
TEST(WorstValues, TicksOfARun) {
  expect_worst(search_for(two_hogs("6.8", 1000, 2'800 * kUsec), PropertyKind::run_ticks, "h", 6),
               6);
}

// --- wake-ups ----------------------------------------------------------------------------

// The waker comes right as the hog starts, which is protected until its slice is served;
// the tick that sees that comes less than a period later.
TEST(WorstValues, AWakerBesideAHog) {
  for (const char* kernel : {"6.8", "6.12.117"}) {
    expect_worst(
        search_for(config_of(kernel, 100, 3 * kMsec, {hog("h"), sporadic("w", kMsec, 200 * kUsec)}),
                   PropertyKind::wakeup_latency, "w", 6),
        13 * kMsec);
    expect_worst(search_for(config_of(kernel, 1000, 2'800 * kUsec,
                                      {hog("h"), sporadic("w", kMsec, 200 * kUsec)}),
                            PropertyKind::wakeup_latency, "w", 6),
                 3'800 * kUsec);
  }
}

// A kernel section that can't be preempted delays the switch.
TEST(WorstValues, AStretchComesOnTop) {
  Config config = config_of("6.12.117", 100, 3 * kMsec, {hog("h"), sporadic("w", kMsec, kMsec)});
  config.stretch = 500 * kUsec;
  expect_worst(search_for(config, PropertyKind::wakeup_latency, "w", 5), 13'500 * kUsec);
}

TEST(WorstValues, AnIdleCpuServesAtOnce) {
  const SearchResult result =
      search_for(config_of("6.12.117", 100, 3 * kMsec, {sporadic("w", kMsec, kMsec)}),
                 PropertyKind::wakeup_latency, "w", 8);
  expect_worst(result, 0);
}

// --- a higher class ------------------------------------------------------------------------

TaskSpec fifo(std::string name, Ns period, Ns burst) {
  return with_policy(periodic(std::move(name), period, 0, burst), Policy::fifo);
}

// A hog that is alone in its class waits for the bursts, back to back if they can be.
TEST(WorstValues, AHogWaitsForFifoTasks) {
  const auto delay = [](std::vector<TaskSpec> tasks, std::size_t depth) {
    tasks.insert(tasks.begin(), hog("h"));
    return search_for(config_of("6.12.117", 1000, 2'800 * kUsec, std::move(tasks)),
                      PropertyKind::scheduling_delay, "h", depth);
  };
  expect_worst(delay({fifo("f", 10 * kMsec, 700 * kUsec)}, 5), 700 * kUsec);
  expect_worst(delay({fifo("f", 10 * kMsec, 700 * kUsec), fifo("g", 5 * kMsec, kMsec)}, 6),
               1'700 * kUsec);
}

// Beside a hog the waker's latency is 13 ms (above), if the hog is not interrupted: what
// is picked behind the burst is the waker. So the burst comes right before the tick that
// would have ended the hog's run, and adds its length.
TEST(WorstValues, AFifoTaskAddsItsBurst) {
  for (const char* kernel : {"6.8", "6.12.117"}) {
    const Config config = config_of(
        kernel, 100, 3 * kMsec,
        {hog("h"), sporadic("w", kMsec, 200 * kUsec), fifo("f", 40 * kMsec, 700 * kUsec)});
    expect_worst(search_for(config, PropertyKind::wakeup_latency, "w", 6), 13'700 * kUsec);
  }
}

TEST(WorstValues, AFifoTaskWaitsForAStretchOnly) {
  Config config = two_hogs("6.12.117", 100, 3 * kMsec);
  config.tasks.push_back(fifo("f", 10 * kMsec, kMsec));
  expect_worst(search_for(config, PropertyKind::wakeup_latency, "f", 5), 0);
  config.stretch = 400 * kUsec;
  expect_worst(search_for(config, PropertyKind::wakeup_latency, "f", 5), 400 * kUsec);
}

// --- smallest values of what has ended --------------------------------------------------

// Both start at 0. The first tick that finds A's 3 ms served comes at 3 ms at the
// earliest; later runs start at a tick, and take whole periods.
TEST(WorstValues, TheShortestRun) {
  Config config = two_hogs("6.8", 100, 3 * kMsec);
  config.tasks[0].start = 0;
  expect_worst(search_for(config, PropertyKind::run_length, "h", 8, Aim::smallest_ended),
               3 * kMsec);
}

// Commit 2ae891b82695 (a base slice of 0.70 instead of 0.75 ms): where ticks are charged
// a little less than their period, 3 ms at HZ=1000 take a fourth tick, 2.8 ms do not.
TEST(WorstValues, AFourthTick) {
  const auto fewest = [](Ns slice, Ns loss) {
    Config config = two_hogs("6.8", 1000, slice);
    config.tasks[0].start = 0;
    config.loss = {loss, loss};
    const SearchResult result =
        search_for(config, PropertyKind::run_ticks, "h", 8, Aim::smallest_ended);
    EXPECT_TRUE(result.witness && *result.bound == result.witness->value);
    return result.witness->value;
  };
  EXPECT_EQ(fewest(3 * kMsec, 0), 3);
  EXPECT_EQ(fewest(3 * kMsec, kUsec), 4);
  EXPECT_EQ(fewest(2'800 * kUsec, 0), 3);
  EXPECT_EQ(fewest(2'800 * kUsec, kUsec), 3);
}

TEST(WorstValues, NothingHasAValue) {
  Config config = config_of("6.8", 100, 3 * kMsec, {hog("h")});
  const TransitionSystem system =
      extract(make_system(config), property_of(PropertyKind::run_length, "h"));
  SearchLimits limits;
  limits.depth = 6;
  const SearchResult result = search(system, Aim::largest, limits);
  EXPECT_EQ(result.depth_covered, 6U);
  EXPECT_FALSE(result.bound);
  EXPECT_FALSE(result.witness);
}

}  // namespace
}  // namespace tickproof
