// What the solver's model reaches, a replay in kernel arithmetic reaches, too.
#include <gtest/gtest.h>

#include "tests/support/searches.hpp"

namespace tickproof {
namespace {

/// What the solver's model reaches, a replay reaches to within a microsecond.
void expect_replays(const Config& config, PropertyKind kind, const std::string& task) {
  const SearchResult result = search_for(config, kind, task, 6);
  ASSERT_TRUE(result.bound && result.witness);
  const Ns off = *result.bound - result.witness->value;
  EXPECT_LE(off, info_of(kind).counts_ticks ? 0 : kUsec)
      << *result.bound << " against " << result.witness->value;
}

// The request is pending when the tick is over: no switch, and no time for one.
TEST(Replay, ATickWithoutASwitchTakesNoTime) {
  Config config = two_hogs("6.12", 1000, 2'800 * kUsec);
  config.switch_delay = {2 * kUsec, 2 * kUsec};
  config.stretch = 50 * kUsec;
  expect_replays(config, PropertyKind::wakeup_latency, "h");
}

// A task that wakes up right before a tick leaves it less to lose than ticks lose. Here
// most ticks fall into a run that starts at one.
TEST(Replay, TicksLoseWhatTheyCan) {
  TaskSpec task = with_slice(yielder("y", 4 * kMsec), 6 * kMsec);
  task.count = 2;
  task.start = kMsec;
  task.arrival = Arrival::fork;
  Config config = config_of("6.12.117", 1000, 2'800 * kUsec, {task});
  config.loss = {5 * kUsec, 20 * kUsec};
  expect_replays(config, PropertyKind::run_ticks, "y");
}

// What the kernel rounds off a heavy or light task's charge matters, and is met.
TEST(Replay, WeightsAreRoundedAsTheKernelDoes) {
  Config config = config_of("6.12.117", 100, 2'800 * kUsec, {hog("h"), hog("n", 5)});
  expect_replays(config, PropertyKind::scheduling_delay, "h");
  config.loss = {0, 30 * kUsec};
  expect_replays(config, PropertyKind::scheduling_delay, "h");
  config.hz = 1000;
  expect_replays(config, PropertyKind::scheduling_delay, "n");
  config.tasks[1].nice = -5;
  expect_replays(config, PropertyKind::scheduling_delay, "h");
}

TEST(Replay, MeasuresWhatCanBe) {
  const SystemSpec spec = make_system(two_hogs("6.8", 1000, 2'800 * kUsec));
  const ScheduledMove a{0, MoveKind::wake, 0, 0, 0, 0};
  const ScheduledMove b{0, MoveKind::wake, 0, 1, 0, 0};
  const auto delay = [&](std::vector<ScheduledMove> moves) {
    return measure(spec, {{kMsec}, std::move(moves)}, PropertyKind::scheduling_delay, 1,
                   Aim::largest);
  };
  EXPECT_EQ(delay({a}), std::nullopt);  // no value
  const auto tick = [](Ns time) { return ScheduledMove{time, MoveKind::tick, 0, kNobody, 0, 0}; };
  EXPECT_EQ(delay({a, b, tick(kMsec)}), kMsec);
  EXPECT_EQ(delay({a, b, tick(2 * kMsec)}), std::nullopt);  // impossible
}

}  // namespace
}  // namespace tickproof
