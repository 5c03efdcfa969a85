// Worst values that are known from elsewhere: worked out by hand, found by another
// prototype (invariants grown by optimisation, for runs of any length), or argued in a
// commit message. Each witness is replayed, and a second engine looks for worse.
#include "solver/search.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "tests/support/runner.hpp"
#include "tests/support/systems.hpp"

namespace tickproof {
namespace {

/// Searches, and checks what holds for every result.
SearchResult search_for(const Config& config, PropertyKind kind, const std::string& task,
                        std::size_t depth, Aim aim = Aim::largest) {
  const TransitionSystem system = extract(make_system(config), property_of(kind, task));
  SearchLimits limits;
  limits.depth = depth;
  const SearchResult result = search(system, aim, limits);
  EXPECT_EQ(result.depth_covered, depth);
  EXPECT_EQ(result.reason, "");
  EXPECT_EQ(result.controls, boost::num_vertices(system.graph));
  EXPECT_EQ(result.transitions, boost::num_edges(system.graph));
  if (result.witness) {
    EXPECT_EQ(measure(system.spec, result.witness->schedule, kind, system.watched, aim),
              result.witness->value);
    const auto beyond = [&](Ns a, Ns b) { return aim == Aim::largest ? a > b : a < b; };
    EXPECT_FALSE(beyond(result.witness->value, *result.bound)) << "the witness is beyond the bound";
  }
  return result;
}

/// The value is `worst`, up to the nanosecond that a strict inequality costs.
void expect_worst(const SearchResult& result, Ns worst) {
  ASSERT_TRUE(result.bound);
  EXPECT_EQ(*result.bound, worst);
  ASSERT_TRUE(result.witness);
  EXPECT_LE(std::abs(result.witness->value - worst), 1);
}

Config two_hogs(const char* kernel, int hz, Ns slice) {
  return config_of(kernel, hz, slice, {hogs("h", 2)});
}

// --- hogs only, rules of 6.8 to 6.11 -------------------------------------------------

// The prototype proved these for runs of any length. A hog that renews its deadline just
// before its rival's runs two requests in a row: 2 * 10 ms.
TEST(Search, TwoHogsAt100Hz) {
  expect_worst(search_for(two_hogs("6.8", 100, 3 * kMsec), PropertyKind::scheduling_delay, "h", 6),
               20 * kMsec);
}

TEST(Search, ThreeHogsAt100Hz) {
  expect_worst(search_for(config_of("6.8", 100, 3 * kMsec, {hogs("h", 3)}),
                          PropertyKind::scheduling_delay, "h", 8),
               40 * kMsec);
}

TEST(Search, TwoHogsAt1000Hz) {
  for (const Ns slice : {3 * kMsec, 2'800 * kUsec}) {
    expect_worst(search_for(two_hogs("6.8", 1000, slice), PropertyKind::scheduling_delay, "h", 8),
                 6 * kMsec);
  }
}

// --- hogs only, 6.12 and later --------------------------------------------------------

// The trigger looks at every tick whether an unprotected task is still eligible. In the
// golden trace of two hogs, B runs from 3.002 to 7.002.
TEST(Search, TwoHogsWithTheLaterTrigger) {
  expect_worst(
      search_for(two_hogs("6.12.117", 1000, 2'800 * kUsec), PropertyKind::scheduling_delay, "h", 8),
      4 * kMsec);
}

// ... and the time from a tick to its switch comes on top.
TEST(Search, TheSwitchDelayCounts) {
  Config config = two_hogs("6.12.117", 1000, 2'800 * kUsec);
  config.switch_delay = {0, 2 * kUsec};
  expect_worst(search_for(config, PropertyKind::scheduling_delay, "h", 6), 4'002 * kUsec);
}

// A hog that is picked just over a slice before a tick is not caught by it: a run is
// less than slice + tick. In four events (two starts, two ticks that act) none is longer;
// with more, one that started at a tick can run two requests.
TEST(Search, TheFirstRunOfAHog) {
  expect_worst(search_for(two_hogs("6.12.117", 100, 3 * kMsec), PropertyKind::run_length, "h", 4),
               13 * kMsec);
  expect_worst(search_for(two_hogs("6.12.117", 100, 3 * kMsec), PropertyKind::run_length, "h", 6),
               20 * kMsec);
}

// The golden trace of 6.8: B runs from 3.002 to 9.002, 6 ticks.
TEST(Search, TicksOfARun) {
  expect_worst(search_for(two_hogs("6.8", 1000, 2'800 * kUsec), PropertyKind::run_ticks, "h", 6),
               6);
}

// --- wake-ups ----------------------------------------------------------------------------

// The waker comes right as the hog starts, which is protected until its slice is served;
// the tick that sees that comes less than a period later.
TEST(Search, AWakerBesideAHog) {
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
TEST(Search, AStretchComesOnTop) {
  Config config = config_of("6.12.117", 100, 3 * kMsec, {hog("h"), sporadic("w", kMsec, kMsec)});
  config.stretch = 500 * kUsec;
  expect_worst(search_for(config, PropertyKind::wakeup_latency, "w", 5), 13'500 * kUsec);
}

TEST(Search, AnIdleCpuServesAtOnce) {
  const SearchResult result =
      search_for(config_of("6.12.117", 100, 3 * kMsec, {sporadic("w", kMsec, kMsec)}),
                 PropertyKind::wakeup_latency, "w", 8);
  expect_worst(result, 0);
}

// --- smallest values of what has ended --------------------------------------------------

// Both start at 0. The first tick that finds A's 3 ms served comes at 3 ms at the
// earliest; later runs start at a tick, and take whole periods.
TEST(Search, TheShortestRun) {
  Config config = two_hogs("6.8", 100, 3 * kMsec);
  config.tasks[0].start = 0;
  expect_worst(search_for(config, PropertyKind::run_length, "h", 8, Aim::smallest_ended),
               3 * kMsec);
}

// Commit 2ae891b82695 (a base slice of 0.70 instead of 0.75 ms): where ticks are charged
// a little less than their period, 3 ms at HZ=1000 take a fourth tick, 2.8 ms do not.
TEST(Search, AFourthTick) {
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

TEST(Search, NothingHasAValue) {
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

// --- limits --------------------------------------------------------------------------------

class Limits : public testing::Test {
 protected:
  TransitionSystem system_ = extract(make_system(two_hogs("6.8", 100, 3 * kMsec)),
                                     property_of(PropertyKind::scheduling_delay, "h"));
  SearchLimits limits_;
};

TEST_F(Limits, ShallowSearchesCoverWhatTheySay) {
  for (const std::size_t depth : {1U, 2U, 3U, 5U}) {
    limits_.depth = depth;
    const SearchResult result = search(system_, Aim::largest, limits_);
    EXPECT_EQ(result.depth_covered, depth);
    // Four events: 13 ms, as for a hog's first run.
    EXPECT_LE(*result.bound, depth <= 4 ? 13 * kMsec : 20 * kMsec);
  }
}

TEST_F(Limits, TimeRunsOut) {
  limits_.depth = 100;
  limits_.seconds = 1e-9;  // over before the first question
  const SearchResult result = search(system_, Aim::largest, limits_);
  EXPECT_EQ(result.reason, "time limit");
  EXPECT_EQ(result.depth_covered, 0U);
}

TEST_F(Limits, AQueryIsInterrupted) {
  limits_.depth = 100;
  limits_.seconds = 0.5;
  const SearchResult result = search(system_, Aim::largest, limits_);
  EXPECT_EQ(result.reason, "time limit");
  EXPECT_LT(result.depth_covered, 100U);
}

TEST_F(Limits, TheUserStopsIt) {
  const std::atomic<bool> stop = true;
  limits_.stop = &stop;
  const SearchResult result = search(system_, Aim::largest, limits_);
  EXPECT_EQ(result.reason, "interrupted");
  EXPECT_EQ(result.depth_covered, 0U);
}

TEST_F(Limits, TheFirstWitnessBeyondALimitIsEnough) {
  limits_.depth = 8;
  const SearchResult result = search(system_, Aim::largest, limits_, 11 * kMsec);
  ASSERT_TRUE(result.witness);
  EXPECT_GT(result.witness->value, 11 * kMsec);
  EXPECT_LT(result.depth_covered, 8U);
  EXPECT_EQ(result.reason, "");
  // One that is not broken is no reason to stop.
  EXPECT_EQ(search(system_, Aim::largest, limits_, 20 * kMsec).depth_covered, 8U);
}

TEST_F(Limits, ProgressIsReported) {
  limits_.depth = 8;
  std::vector<std::size_t> depths;
  std::optional<Ns> last;
  search(system_, Aim::largest, limits_, std::nullopt,
         [&](std::size_t depth, const std::optional<Witness>& witness) {
           if (depths.empty() || depths.back() != depth) depths.push_back(depth);
           if (!witness) return;
           EXPECT_TRUE(!last || witness->value >= *last);
           last = witness->value;
         });
  EXPECT_EQ(depths, (std::vector<std::size_t>{4, 6, 8}));
  EXPECT_EQ(last, 20 * kMsec);
}

// --- every kind of path replays ------------------------------------------------------------

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

// --- a second engine ---------------------------------------------------------------------

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

}  // namespace
}  // namespace tickproof
