// Second engines: all start phases and wake-up times of a grid, and random runs, played in
// kernel arithmetic. None is beyond the bound of the search.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/support/macro_run.hpp"
#include "tests/support/runner.hpp"
#include "tests/support/searches.hpp"

namespace tickproof {
namespace {

/// Plays a system in kernel arithmetic, tick by tick, and counts its events as the solver
/// does: ticks at which nothing happens are none.
class Player {
 public:
  Player(KernelDomain& d, const SystemSpec& spec, PropertyKind kind, TaskId task, Ns first_tick)
      : watch_(d, kind, task), simulation_(d, spec, {first_tick}) {}

  std::size_t events() const { return events_; }
  Ns worst() const { return worst_; }
  bool is_running(TaskId task) const { return simulation_.state().is_running(task); }
  Ns now() const { return simulation_.now(); }
  Ns next_tick() const { return simulation_.next_tick(0); }

  void make(Ns time, MoveKind kind, TaskId task) {
    const Checked deadline = current_deadline();
    const TaskId before = simulation_.state().cpus[0].rq.curr;
    watch_.begin_step();
    simulation_.apply({time, kind, 0, task, 0, 0}, watch_);
    watch_.end_step();
    const bool quiet = kind == MoveKind::tick && deadline == current_deadline() &&
                       before == simulation_.state().cpus[0].rq.curr;
    if (!quiet) ++events_;
    if (watch_.has_reading()) worst_ = std::max(worst_, watch_.reading.value());
  }

 private:
  Checked current_deadline() const {
    const State<KernelDomain>& s = simulation_.state();
    const TaskId curr = s.cpus[0].rq.curr;
    return curr == kNobody ? Checked(0) : s.entities[static_cast<std::size_t>(curr)].deadline;
  }

  Watch<KernelDomain> watch_;
  Simulation<KernelDomain> simulation_;
  std::size_t events_ = 0;
  Ns worst_ = 0;
};

constexpr Ns kGrid = 100 * kUsec;

TEST(BruteForce, TwoHogs) {
  constexpr std::size_t kEvents = 8;
  for (const char* kernel : {"6.8", "6.12.117"}) {
    const Config config = config_of(kernel, 1000, 2'800 * kUsec, {hog("a"), hog("b")});
    const SearchResult found = search_for(config, PropertyKind::scheduling_delay, "a", kEvents);
    const SystemSpec spec = make_system(config);
    KernelDomain d(spec.fair.rules.delta_fair);
    Ns worst = 0;
    for (Ns phase = kGrid; phase <= spec.tick; phase += kGrid) {
      for (Ns late = 0; late <= 7 * kMsec; late += kGrid) {
        for (const TaskId first : {0, 1}) {
          Player player(d, spec, PropertyKind::scheduling_delay, 0, phase);
          player.make(0, MoveKind::wake, first);
          while (player.next_tick() < late && player.events() < kEvents) {
            player.make(player.next_tick(), MoveKind::tick, kNobody);
          }
          if (player.events() < kEvents) player.make(late, MoveKind::wake, 1 - first);
          while (player.events() < kEvents) {
            player.make(player.next_tick(), MoveKind::tick, kNobody);
          }
          worst = std::max(worst, player.worst());
        }
      }
    }
    EXPECT_LE(worst, *found.bound) << kernel;
    EXPECT_GE(worst, *found.bound - 2 * kGrid) << kernel;
  }
}

// The waker wakes, sleeps at the end of a burst or before, and wakes again, all on the
// grid.
TEST(BruteForce, AWakerBesideAHog) {
  constexpr std::size_t kEvents = 7;
  const Config config =
      config_of("6.12.117", 1000, 2'800 * kUsec, {hog("h"), sporadic("w", kMsec, 200 * kUsec)});
  const SearchResult found = search_for(config, PropertyKind::wakeup_latency, "w", kEvents);
  const SystemSpec spec = make_system(config);
  KernelDomain d(spec.fair.rules.delta_fair);
  Ns worst = 0;
  for (Ns phase = kGrid; phase <= spec.tick; phase += kGrid) {
    for (Ns first = 0; first <= 4 * kMsec; first += kGrid) {
      for (const Ns burst : {kGrid, 2 * kGrid}) {
        for (Ns sleep = kMsec; sleep <= 4 * kMsec; sleep += kGrid) {
          Player player(d, spec, PropertyKind::wakeup_latency, 1, phase);
          player.make(0, MoveKind::wake, 0);
          Ns next = first;  // what the waker does next, and when
          MoveKind kind = MoveKind::wake;
          Ns left = burst;
          while (player.events() < kEvents) {
            if (player.next_tick() < next) {
              const Ns before = player.now();
              const bool ran = player.is_running(1);
              player.make(player.next_tick(), MoveKind::tick, kNobody);
              // It computes only while it runs.
              if (kind == MoveKind::block) left -= ran ? player.now() - before : 0;
            } else {
              player.make(next, kind, 1);
              next += kind == MoveKind::wake ? 0 : sleep;
              left = burst;
              kind = kind == MoveKind::wake ? MoveKind::block : MoveKind::wake;
            }
            if (kind == MoveKind::block) {
              next = player.is_running(1) ? player.now() + left : kLongestTime;
            }
          }
          worst = std::max(worst, player.worst());
        }
      }
    }
  }
  EXPECT_LE(worst, *found.bound);
  EXPECT_GE(worst, *found.bound - 2 * kGrid);
}

// A task of a higher class comes between two hogs, for a burst of 500 us.
TEST(BruteForce, AFifoTaskBesideTwoHogs) {
  constexpr std::size_t kEvents = 7;
  constexpr Ns kStep = 2 * kGrid;
  const Config config = config_of(
      "6.12.117", 1000, 2'800 * kUsec,
      {hog("a"), hog("b"), with_policy(periodic("f", 50 * kMsec, 0, 500 * kUsec), Policy::fifo)});
  const SearchResult found = search_for(config, PropertyKind::scheduling_delay, "a", kEvents);
  const SystemSpec spec = make_system(config);
  KernelDomain d(spec.fair.rules.delta_fair);
  Ns worst = 0;
  for (Ns phase = kStep; phase <= spec.tick; phase += kStep) {
    for (Ns late = 0; late <= 4 * kMsec; late += kStep) {
      for (Ns burst = 0; burst <= 12 * kMsec; burst += kStep) {
        for (const TaskId first : {0, 1}) {
          Player player(d, spec, PropertyKind::scheduling_delay, 0, phase);
          player.make(0, MoveKind::wake, first);
          std::vector<std::pair<Ns, MoveKind>> todo{{late, MoveKind::tick},
                                                    {burst, MoveKind::wake},
                                                    {burst + 500 * kUsec, MoveKind::block}};
          std::stable_sort(todo.begin(), todo.end());
          for (const auto& [time, kind] : todo) {
            while (player.next_tick() < time && player.events() < kEvents) {
              player.make(player.next_tick(), MoveKind::tick, kNobody);
            }
            if (player.events() == kEvents) break;
            if (kind == MoveKind::tick) {
              player.make(time, MoveKind::wake, 1 - first);
            } else {
              player.make(time, kind, 2);
            }
          }
          while (player.events() < kEvents) {
            player.make(player.next_tick(), MoveKind::tick, kNobody);
          }
          worst = std::max(worst, player.worst());
        }
      }
    }
  }
  EXPECT_LE(worst, *found.bound);
  EXPECT_GE(worst, *found.bound - 2 * kStep);
}

// --- random systems, random runs ----------------------------------------------------------

/// The worst value of random runs of so many events, or fewer.
std::optional<Ns> worst_of_random_runs(Dice& dice, const TransitionSystem& system, Aim aim,
                                       std::size_t events) {
  KernelDomain d(system.spec.fair.rules.delta_fair);
  std::optional<Ns> worst;
  for (int i = 0; i < 200; ++i) {
    MacroRun<KernelDomain> run(dice, d, system.spec);
    Watch<KernelDomain> watch(d, system.property.kind, system.watched);
    for (std::size_t event = 0; event < events; ++event) {
      watch.begin_step();
      if (!run.next(watch)) break;
      watch.end_step();
      if (aim == Aim::largest ? !watch.has_reading() : !watch.closed) continue;
      const Ns value = watch.reading.value();
      if (!worst) worst = value;
      worst = aim == Aim::largest ? std::max(*worst, value) : std::min(*worst, value);
    }
  }
  return worst;
}

TEST(RandomRuns, AreNeverBeyondTheBound) {
  constexpr std::size_t kEvents = 5;
  int compared = 0;
  int met = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const SystemSpec spec = random_system(dice, {.most_tasks = 2, .extremes = false});
    const PropertyKind kind = random_kind(dice);
    std::optional<TransitionSystem> system;
    try {
      system = extract(spec, property_of(kind, spec.tasks[0].spec.name), 40);
    } catch (const std::length_error&) {
      continue;  // too large to be quick
    }
    const Aim aim = dice.one_in(3) ? Aim::smallest_ended : Aim::largest;
    SearchLimits limits;
    limits.depth = kEvents;
    const SearchResult found = search(*system, aim, limits);
    ASSERT_EQ(found.depth_covered, kEvents) << found.reason;
    const std::optional<Ns> worst = worst_of_random_runs(dice, *system, aim, kEvents);
    if (!worst) continue;
    ASSERT_TRUE(found.bound);
    ++compared;
    if (aim == Aim::largest) {
      EXPECT_LE(*worst, *found.bound);
    } else {
      EXPECT_GE(*worst, *found.bound);
    }
    met += *worst == *found.bound ? 1 : 0;
  }
  EXPECT_GT(compared, 25);
  EXPECT_GT(met, 5);  // they do get there
}

}  // namespace
}  // namespace tickproof
