// The kernel's integers and exact fractions, side by side on random runs.
//
// Before each event the distance of every number between the two is known; the event
// then adds the roundings listed in tests/support/rounding_domain.hpp, no more. So as
// long as no decision is within those of its boundary, both go the same way, and every
// number stays in its enclosure. Where they do part, a decision was that close.
#include <gtest/gtest.h>

#include <array>

#include "model/rational_domain.hpp"
#include "tests/support/random_run.hpp"
#include "tests/support/rounding_domain.hpp"

namespace tickproof {
namespace {

/// The discrete part of a state, for comparison.
template <Domain D>
std::string discrete_part(const State<D>& s) {
  std::string text;
  for (const Entity<D>& e : s.entities) {
    text += fmt::format("{}{}{} ", int{e.on_rq}, int{e.delayed}, int{e.rel_deadline});
  }
  for (const Task<D>& t : s.tasks) text += std::to_string(static_cast<int>(t.life));
  for (const Cpu<D>& cpu : s.cpus) {
    text += fmt::format(" {} {} {} {} {} [{}]", cpu.rq.curr, cpu.rq.next,
                        int{cpu.rq.keeps_deadline}, static_cast<int>(cpu.resched),
                        int{cpu.hrtick_armed}, fmt::join(cpu.rq.tree, " "));
  }
  return text;
}

/// Calls visit(number of a, number of b, of c) for each virtual time.
template <class A, class B, class C, class Visit>
void for_each_virtual(A& a, B& b, C& c, const Visit& visit) {
  for (std::size_t i = 0; i < a.entities.size(); ++i) {
    visit(a.entities[i].vruntime, b.entities[i].vruntime, c.entities[i].vruntime);
    visit(a.entities[i].deadline, b.entities[i].deadline, c.entities[i].deadline);
    visit(a.entities[i].vlag, b.entities[i].vlag, c.entities[i].vlag);
  }
}

/// ... for those that are the least or largest of several, and may be another one of them
/// in each domain ...
template <class A, class B, class C, class Visit>
void for_each_extreme(A& a, B& b, C& c, const Visit& visit) {
  for (std::size_t i = 0; i < a.entities.size(); ++i) {
    visit(a.entities[i].vprot, b.entities[i].vprot, c.entities[i].vprot);
  }
  for (std::size_t i = 0; i < a.cpus.size(); ++i) {
    visit(a.cpus[i].rq.v0, b.cpus[i].rq.v0, c.cpus[i].rq.v0);
  }
}

/// ... and for each real time, which must be the same in all three.
template <class A, class B, class C, class Visit>
void for_each_real(A& a, B& b, C& c, const Visit& visit) {
  for (std::size_t i = 0; i < a.entities.size(); ++i) {
    visit(a.entities[i].slice, b.entities[i].slice, c.entities[i].slice);
    visit(a.tasks[i].left, b.tasks[i].left, c.tasks[i].left);
    visit(a.tasks[i].until, b.tasks[i].until, c.tasks[i].until);
  }
  for (std::size_t i = 0; i < a.cpus.size(); ++i) {
    visit(a.cpus[i].to_tick, b.cpus[i].to_tick, c.cpus[i].to_tick);
    visit(a.cpus[i].uncharged, b.cpus[i].uncharged, c.cpus[i].uncharged);
    visit(a.cpus[i].stretch, b.cpus[i].stretch, c.cpus[i].stretch);
    visit(a.cpus[i].hrtick, b.cpus[i].hrtick, c.cpus[i].hrtick);
    visit(a.cpus[i].ran, b.cpus[i].ran, c.cpus[i].ran);
  }
}

struct Statistics {
  int events = 0;
  int doubtful = 0;        // events with a decision within rounding
  int partings = 0;        // ... after which the states differed
  double largest = 0;      // deviation seen; virtual ns
  double largest_run = 0;  // ... as run time of the system's lightest task; real ns
  double widest = 0;       // enclosure of one event; virtual ns
  std::array<int, 8> of_kind{};
};

/// The same random moves in all domains.
class SideBySide {
 public:
  SideBySide(Dice& dice, const SystemSpec& spec, Statistics& statistics)
      : dice_(dice),
        spec_(spec),
        statistics_(statistics),
        kernel_domain_(spec.fair.rules.delta_fair),
        rounding_domain_(spec.fair.rules.delta_fair),
        first_tick_{dice.between(1, spec.tick)},
        kernel_(kernel_domain_, spec, first_tick_),
        rational_(rational_domain_, spec, first_tick_),
        rounding_system_(rounding_domain_, spec),
        rounding_(rounding_system_.initial({Enclosed(first_tick_.front())})) {
    rounding_move_.quiet.resize(1);
  }

  void run(int events) {
    for (int i = 0; i < events; ++i) {
      const ScheduledMove move =
          random_move(dice_, spec_, kernel_.system(), kernel_.state(), kernel_.now());
      SCOPED_TRACE(fmt::format("event {}: {} at {} of task {}", i, name_of(move.kind), move.time,
                               move.task));
      if (!make(move) || testing::Test::HasFatalFailure()) return;
    }
  }

 private:
  /// False: the two have parted.
  bool make(const ScheduledMove& move) {
    ++statistics_.events;
    ++statistics_.of_kind[static_cast<std::size_t>(move.kind)];
    const Ns elapsed = move.time - kernel_.now();
    kernel_.apply(move, kernel_observer_);
    rational_.apply(move, rational_observer_);
    Verdict::in_doubt = false;
    rounding_domain_.forget_unknowns();
    rounding_move_.kind = move.kind;
    rounding_move_.cpu = move.cpu;
    rounding_move_.task = move.task;
    rounding_move_.elapsed = Enclosed(elapsed);
    rounding_move_.loss = Enclosed(move.loss);
    rounding_move_.delay = Enclosed(move.delay);
    rounding_move_.value = move.value;
    rounding_system_.step(rounding_, rounding_move_, rounding_observer_);
    statistics_.doubtful += Verdict::in_doubt ? 1 : 0;
    if (!compare(move.kind)) return false;
    anchor();
    return true;
  }

  /// A change saves the lag and places the task in one event: what was rounded is inflated
  /// by the weights.
  static bool inflates(MoveKind kind) {
    return kind == MoveKind::renice || kind == MoveKind::set_slice;
  }

  bool compare(MoveKind kind) {
    const State<RationalDomain>& rational = rational_.state();
    const State<KernelDomain>& kernel = kernel_.state();
    // The enclosures' centres are computed like the fractions.
    EXPECT_EQ(discrete_part(rational), discrete_part(rounding_));
    for_each_virtual(rational, rounding_, rounding_,
                     [](const Rational& exact, const Enclosed& enclosed, const Enclosed&) {
                       EXPECT_EQ(exact, enclosed.value());
                     });
    bool same = discrete_part(kernel) == discrete_part(rational);
    if (same) {
      for_each_extreme(kernel, rational, rounding_,
                       [&](const Checked& k, const Rational& exact, const Enclosed& enclosed) {
                         const auto [shift, radius] = enclosed.enclosure();
                         const auto off = Rational(k.value() - exact).convert_to<double>();
                         if (std::abs(off - shift) > radius + 1e-6) same = false;
                       });
      for_each_virtual(kernel, rational, rounding_,
                       [&](const Checked& k, const Rational& exact, const Enclosed& enclosed) {
                         const auto [shift, radius] = enclosed.enclosure();
                         const auto off = Rational(k.value() - exact).convert_to<double>();
                         if (!inflates(kind)) {
                           statistics_.widest = std::max(statistics_.widest, radius);
                         }
                         if (std::abs(off - shift) > radius + 1e-6) same = false;
                       });
    }
    if (!same) {
      ++statistics_.partings;
      EXPECT_TRUE(Verdict::in_doubt)
          << "kernel   " << discrete_part(kernel) << "\nrational " << discrete_part(rational);
      return false;
    }
    for_each_real(kernel, rational, rounding_,
                  [](const Checked& k, const Rational& exact, const Enclosed& enclosed) {
                    EXPECT_EQ(exact, k.value());
                    EXPECT_EQ(enclosed.value(), k.value());
                  });
    return true;
  }

  /// From here on the distances are known.
  void anchor() {
    const auto lighter = [](const auto& a, const auto& b) {
      return a.weight.value < b.weight.value;
    };
    const std::vector<Entity<KernelDomain>>& all = kernel_.state().entities;
    const auto least =
        static_cast<double>(std::min_element(all.begin(), all.end(), lighter)->weight.value);
    for_each_virtual(kernel_.state(), rational_.state(), rounding_,
                     [&](const Checked& k, const Rational& exact, Enclosed& enclosed) {
                       const auto off = Rational(k.value() - exact).convert_to<double>();
                       statistics_.largest = std::max(statistics_.largest, std::abs(off));
                       statistics_.largest_run =
                           std::max(statistics_.largest_run, std::abs(off) * least / kNice0Weight);
                       enclosed = Enclosed(exact).with_unknown(0, off, 0);
                     });
    for_each_extreme(kernel_.state(), rational_.state(), rounding_,
                     [](const Checked& k, const Rational& exact, Enclosed& enclosed) {
                       const auto off = Rational(k.value() - exact).convert_to<double>();
                       enclosed = Enclosed(exact).with_unknown(0, off, 0);
                     });
  }

  Dice& dice_;
  const SystemSpec& spec_;
  Statistics& statistics_;
  KernelDomain kernel_domain_;
  RationalDomain rational_domain_;
  RoundingDomain rounding_domain_;
  std::vector<Ns> first_tick_;
  Simulation<KernelDomain> kernel_;
  Simulation<RationalDomain> rational_;
  System<RoundingDomain> rounding_system_;
  State<RoundingDomain> rounding_;
  Move<RoundingDomain> rounding_move_;
  NoObserver<KernelDomain> kernel_observer_;
  NoObserver<RationalDomain> rational_observer_;
  NoObserver<RoundingDomain> rounding_observer_;
};

void check(const Variety& variety, int systems, int events_each) {
  Statistics statistics;
  for (int seed = 1; seed <= systems && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(static_cast<std::uint64_t>(seed));
    SystemSpec spec = random_system(dice, variety);
    // HRTICK that is set for a deadline fires at another ns in each domain.
    if (spec.fair.rules.hrtick == Hrtick::deadline) spec.fair.features.hrtick = false;
    SideBySide(dice, spec, statistics).run(events_each);
  }
  for (std::size_t kind = 0; kind < statistics.of_kind.size(); ++kind) {
    const auto move = static_cast<MoveKind>(kind);
    if (move == MoveKind::renice && !variety.weights) continue;
    EXPECT_GT(statistics.of_kind[kind], 100) << name_of(move);
  }
  EXPECT_GT(statistics.events, systems * events_each * 3 / 4);
  // Doubt is rare: the test would show nothing if every decision were excused.
  EXPECT_LT(statistics.doubtful, statistics.events / 20);
  // A number takes up at most three charges in one event (+-0.5 each: before a wake-up,
  // before its test, at the switch), V (+-0.5), an inflated lag (+-1) and the length of
  // a request (+-0.5). A lag that may be at its limit is as far off as the two are apart.
  EXPECT_LE(statistics.widest, 2 * 3.5 + 1e-6);
  const auto record = [](const char* name, const auto& value) {
    testing::Test::RecordProperty(name, fmt::format("{}", value));
  };
  record("events", statistics.events);
  record("events_in_doubt", statistics.doubtful);
  record("partings", statistics.partings);
  record("largest_deviation_ns", statistics.largest);
  record("largest_deviation_as_run_time_ns", statistics.largest_run);
  record("widest_enclosure_of_an_event_ns", statistics.widest);
}

TEST(DomainsAgree, OnRandomRuns) { check({}, 300, 120); }

// With equal weights, roundings are not amplified by much: a task that is placed takes
// (W + w) / W times its saved lag, and 2 at most. With nice -20 beside nice 0 it is 88.
TEST(DomainsAgree, OnRandomRunsOfNiceZero) { check({.weights = false}, 150, 120); }

}  // namespace
}  // namespace tickproof
