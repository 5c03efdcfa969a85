// A bound covers the kernel's rounding. The kernel rounds each charge of a task that is
// not nice 0 down, so that such a task may be a nanosecond short of its deadline at a tick
// (or HRTICK) at which it would meet it exactly: where all times are whole slices and
// ticks, that is not a rare coincidence but the rule, and costs a tick.
#include <gtest/gtest.h>

#include <utility>

#include "model/kernel_domain.hpp"
#include "solver/search.hpp"
#include "tests/support/systems.hpp"

namespace tickproof {
namespace {

ScheduledMove wake(TaskId task) { return {0, MoveKind::wake, 0, task, 0, 0}; }

/// All tasks start at 0 in order; then come ticks and HRTICK, as they are due, up to so
/// many events. Ticks at which nothing happens are none.
Schedule play(const SystemSpec& spec, Ns first_tick, std::size_t events) {
  KernelDomain d(spec.fair.rules.delta_fair);
  Simulation<KernelDomain> simulation(d, spec, {first_tick});
  NoObserver<KernelDomain> nobody;
  Schedule schedule{{first_tick}, {}};
  const auto served_until = [&] {
    const TaskId curr = simulation.state().cpus[0].rq.curr;
    return std::pair(curr, simulation.state().entities[static_cast<std::size_t>(curr)].deadline);
  };
  const auto make = [&](const ScheduledMove& move) {
    schedule.moves.push_back(move);
    simulation.apply(move, nobody);
  };
  for (TaskId id = 0; id < static_cast<TaskId>(spec.tasks.size()); ++id) make(wake(id));
  for (std::size_t made = spec.tasks.size(); made < events;) {
    const Cpu<KernelDomain>& cpu = simulation.state().cpus[0];
    const Ns tick = simulation.next_tick(0);
    const Ns hrtick = simulation.now() + cpu.hrtick.value();
    const bool fires = cpu.hrtick_armed && hrtick <= tick;
    const auto before = served_until();
    make({fires ? hrtick : tick, fires ? MoveKind::hrtick : MoveKind::tick, 0, kNobody, 0, 0});
    if (fires || served_until() != before) ++made;
  }
  return schedule;
}

/// Is what the kernel's arithmetic does within the bound for as many events?
void expect_within_bound(const Config& config, Ns first_tick, std::size_t events) {
  SearchLimits limits;
  limits.depth = events;
  const TransitionSystem system = extract(
      make_system(config), property_of(PropertyKind::scheduling_delay, config.tasks[0].name));
  const SearchResult found = search(system, Aim::largest, limits);
  const std::optional<Ns> value =
      measure(system.spec, play(system.spec, first_tick, limits.depth),
              PropertyKind::scheduling_delay, system.watched, Aim::largest);
  ASSERT_TRUE(value && found.bound);
  EXPECT_LE(*value, *found.bound);
}

// 3 ms are three ticks of nice 0. For nice -5 three ticks are 3 * floor(1 ms * 1024 / 3121)
// = 984297 against a request of floor(3 ms * 1024 / 3121) = 984299.
TEST(Rounding, ASliceOfWholeTicks) {
  expect_within_bound(config_of("6.8", 1000, 3 * kMsec, {hog("a"), hog("b", -5)}), 975'562, 8);
}

// A tick within the slice splits the charge: at its end HRTICK finds it not yet served.
TEST(Rounding, HrtickAtTheEndOfASlice) {
  TaskSpec pair = hogs("h", 2);
  pair.nice = 5;
  Config config = config_of("6.12.117", 100, 2'800 * kUsec, {pair});
  config.features.hrtick = true;
  for (const Ns first_tick : {5 * kMsec, 9'900 * kUsec}) {
    expect_within_bound(config, first_tick, 6);
  }
}

}  // namespace
}  // namespace tickproof
