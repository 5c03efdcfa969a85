// What a path is turned into is a run that replays in the kernel's arithmetic, with the
// value that was promised.
#include "solver/path_problem.hpp"

#include <gtest/gtest.h>

#include "solver/search.hpp"
#include "tests/support/random_run.hpp"

namespace tickproof {
namespace {

std::string moves_of(const Schedule& schedule) {
  std::string text = fmt::format("first tick {}", schedule.first_tick[0]);
  for (const ScheduledMove& m : schedule.moves) {
    text += fmt::format("\n{} {} task {} loss {} delay {}", m.time, name_of(m.kind), m.task, m.loss,
                        m.delay);
  }
  return text;
}

class Paths {
 public:
  Paths(const TransitionSystem& system, Aim aim) : system_(system), aim_(aim) {}

  /// From one path to a better one, a few times.
  void check(std::size_t depth) {
    Unrolling unrolling(system_, depth, aim_);
    std::optional<Ns> beyond;
    for (int i = 0; i < 4; ++i) {
      if ((beyond ? unrolling.beyond(*beyond) : unrolling.any()) != z3::sat) return;
      PathProblem problem(system_, unrolling.path(), aim_);
      const std::optional<Ns> best = problem.best(beyond);
      if (!best) return;
      if (beyond) {
        EXPECT_TRUE(aim_ == Aim::largest ? *best > *beyond : *best < *beyond);
      }
      for (const auto& [distance, room] : {std::pair<Ns, Ns>{1, 10 * kUsec}, {2'000, kMsec}}) {
        const std::optional<Schedule> schedule = problem.schedule(distance, room);
        if (schedule) check(*schedule, *best, distance);
      }
      beyond = best;
    }
  }

  int schedules = 0;
  int missed = 0;  ///< that the kernel's rounding makes another run of

 private:
  void check(const Schedule& schedule, Ns best, Ns distance) {
    ++schedules;
    SCOPED_TRACE(moves_of(schedule));
    const std::optional<Ns> value =
        measure(system_.spec, schedule, system_.property.kind, system_.watched, aim_);
    // A worse value may come up on the way.
    const bool reached =
        value && (aim_ == Aim::largest ? best - *value : *value - best) <= distance;
    missed += reached ? 0 : 1;
  }

  const TransitionSystem& system_;
  Aim aim_;
};

TEST(PathProblem, SchedulesAreRuns) {
  int schedules = 0;
  int missed = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    SystemSpec spec = random_system(dice, {.most_tasks = 2, .weights = false, .extremes = false});
    // A path may break a tie otherwise than the kernel domain does.
    spec.fair.rules.tie = Tie::insertion;
    const auto task =
        static_cast<std::size_t>(dice.between(0, static_cast<Ns>(spec.tasks.size()) - 1));
    const PropertyKind kind = random_kind(dice);
    const TransitionSystem system =
        extract(spec, property_of(kind, spec.tasks[task].spec.name), 200);
    for (const Aim aim : {Aim::largest, Aim::smallest_ended}) {
      Paths paths(system, aim);
      paths.check(6);
      schedules += paths.schedules;
      missed += paths.missed;
    }
  }
  EXPECT_GT(schedules, 100);
  // Where conditions can't be met however the kernel rounds, it may round another way.
  EXPECT_LT(missed, schedules / 20);
}

}  // namespace
}  // namespace tickproof
