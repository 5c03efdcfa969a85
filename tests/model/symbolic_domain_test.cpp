#include "model/symbolic_domain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "solver/feasibility.hpp"

namespace tickproof {
namespace {

using Symbolic = SymbolicDomain;

/// Is there a point of the grid -4, -3.5, .. 4 in each variable at which all hold? Good
/// enough a solver for constraints with small whole coefficients.
class GridSolver {
 public:
  explicit GridSolver(int variables) : variables_(variables) {}
  bool operator()(const std::vector<Formula>& formulas) const {
    std::vector<Rational> point(static_cast<std::size_t>(variables_), Rational(-4));
    do {
      const auto value = [&](Variable v) {
        return static_cast<std::size_t>(v) < point.size() ? point[static_cast<std::size_t>(v)]
                                                          : Rational(0);
      };
      if (std::all_of(formulas.begin(), formulas.end(),
                      [&](const Formula& f) { return f.evaluate(value); })) {
        return true;
      }
    } while (next(point));
    return false;
  }

 private:
  static bool next(std::vector<Rational>& point) {
    for (Rational& x : point) {
      x += Rational(1, 2);
      if (x <= 4) return true;
      x = -4;
    }
    return false;
  }
  int variables_;
};

const std::vector<SymbolInfo> kTwo{{"x", false}, {"y", false}};
const Linear kX = Linear::of(0);
const Linear kY = Linear::of(1);

Linear number(int n) { return Linear(Rational(n)); }

/// What each path of `step` left behind: its guard in words, " => ", its result.
std::vector<std::string> paths_of(const std::vector<Formula>& assumptions,
                                  const Symbolic::Feasible& feasible,
                                  const std::function<std::string(Symbolic&)>& step) {
  std::vector<std::string> paths;
  std::string result;
  Symbolic::run_all_paths(
      DeltaFair::exact, kTwo, assumptions, feasible, [&](Symbolic& d) { result = step(d); },
      [&](Symbolic& d) {
        std::string text;
        for (const Formula& f : d.guard()) {
          const auto name = [&](Variable v) { return d.symbols()[std::size_t(v)].name; };
          text += (text.empty() ? "" : "; ") + to_string(f, name);
        }
        paths.push_back(text + " => " + result);
      });
  return paths;
}

const Symbolic::Feasible kAlways = [](const std::vector<Formula>&) { return true; };

using Paths = std::vector<std::string>;

TEST(SymbolicDomain, ADecisionForks) {
  EXPECT_EQ(
      paths_of({}, kAlways, [](Symbolic& d) { return d.decide(kX > kY) ? "greater" : "not"; }),
      (Paths{"x - y > 0 => greater", "-x + y >= 0 => not"}));
}

TEST(SymbolicDomain, ADecisionOnNumbersDoesNot) {
  EXPECT_EQ(paths_of({}, kAlways,
                     [](Symbolic& d) { return d.decide(number(2) > number(1)) ? "y" : "n"; }),
            (Paths{" => y"}));
}

// What the guard already settles is neither asked again nor added to it.
TEST(SymbolicDomain, ADecisionThatFollowsIsNotAFork) {
  const auto step = [](Symbolic& d) {
    std::string text = d.decide(kX > number(2)) ? "a" : "b";
    text += d.decide(kX > number(1)) ? "c" : "d";
    return text;
  };
  EXPECT_EQ(
      paths_of({}, GridSolver(2), step),
      (Paths{"x - 2 > 0 => ac", "-x + 2 >= 0; x - 1 > 0 => bc", "-x + 2 >= 0; -x + 1 >= 0 => bd"}));
  // Nor is what the assumptions settle; they are not part of the guard.
  EXPECT_EQ(paths_of({kX > number(3)}, GridSolver(2), step), (Paths{" => ac"}));
}

TEST(SymbolicDomain, ForksNest) {
  EXPECT_EQ(paths_of({}, kAlways,
                     [](Symbolic& d) -> std::string {
                       if (d.choose(3) == 1) return d.decide(kX > kY) ? "1>" : "1<";
                       return "-";
                     }),
            (Paths{" => -", "x - y > 0 => 1>", "-x + y >= 0 => 1<", " => -"}));
}

TEST(SymbolicDomain, ARequirementPrunes) {
  EXPECT_EQ(paths_of({}, GridSolver(2),
                     [](Symbolic& d) -> std::string {
                       const bool above = d.decide(kX > kY);
                       d.require(kY >= kX + number(1), "y is greater");
                       return above ? "above" : "below";
                     }),
            (Paths{"-x + y >= 0; -x + y - 1 >= 0 => below"}));
  EXPECT_EQ(paths_of({}, kAlways,
                     [](Symbolic& d) -> std::string {
                       d.require(number(0) > number(1), "never");
                       ADD_FAILURE() << "went on";
                       return "";
                     }),
            Paths());
}

TEST(SymbolicDomain, MinAndMaxAreOnePath) {
  std::vector<Formula> guard;
  Linear least;
  Linear most;
  int paths = 0;
  Symbolic::run_all_paths(
      DeltaFair::exact, kTwo, {}, kAlways,
      [&](Symbolic& d) {
        least = d.min(kX, kY);
        most = d.max(kX, kY);
        EXPECT_TRUE(d.min(kX, kX + number(1)).same_as(kX));
        EXPECT_TRUE(d.max(kX, kX + number(1)).same_as(kX + number(1)));
      },
      [&](Symbolic& d) {
        ++paths;
        guard = d.guard();
      });
  EXPECT_EQ(paths, 1);
  const Formula all = Formula::all(guard);
  // The guard fixes both auxiliary numbers, whatever x and y are.
  for (int x = -1; x <= 1; ++x) {
    for (int y = -1; y <= 1; ++y) {
      for (int a = -2; a <= 2; ++a) {
        for (int b = -2; b <= 2; ++b) {
          const std::vector<int> point{x, y, a, b};
          const auto value = [&](Variable v) { return Rational(point[std::size_t(v)]); };
          const bool right =
              least.evaluate(value) == std::min(x, y) && most.evaluate(value) == std::max(x, y);
          EXPECT_EQ(all.evaluate(value), right) << x << " " << y << " " << a << " " << b;
        }
      }
    }
  }
}

TEST(SymbolicDomain, TheNextPointOfTheGridIsThatOfTheConcreteDomains) {
  Formula guard = true;
  Linear next;
  Symbolic::run_all_paths(
      DeltaFair::exact, {{"x", false}}, {}, kAlways,
      [&](Symbolic& d) { next = d.next_on_grid(kX, 10); },
      [&](Symbolic& d) {
        ASSERT_EQ(d.symbols().size(), 2U);
        EXPECT_TRUE(d.symbols()[1].whole);
        guard = Formula::all(d.guard());
      });
  for (int x = -25; x <= 25; ++x) {
    int right = x;
    while (right <= 0) right += 10;
    std::set<Rational> allowed;
    for (int periods = -5; periods <= 5; ++periods) {
      const auto value = [&](Variable v) { return Rational(v == 0 ? x : periods); };
      if (guard.evaluate(value)) allowed.insert(next.evaluate(value));
    }
    EXPECT_EQ(allowed, std::set<Rational>{Rational(right)}) << x;
  }
}

// One path for each candidate that can win; the losers' are not even begun.
TEST(SymbolicDomain, AWinnerIsChosen) {
  const std::vector<Formula> wins{kX > kY, kX == kY, kX < kY};
  const auto step = [&](Symbolic& d) {
    return std::to_string(d.choose_winner(3, [&](std::size_t i) { return wins[i]; }));
  };
  EXPECT_EQ(paths_of({}, GridSolver(2), step),
            (Paths{"x - y > 0 => 0", "x - y = 0 => 1", "-x + y > 0 => 2"}));
  EXPECT_EQ(paths_of({kX >= kY}, GridSolver(2), step), (Paths{"x - y > 0 => 0", "x - y = 0 => 1"}));
}

TEST(SymbolicDomain, KnowsOnlyWhatIsWrittenDown) {
  Symbolic::run_all_paths(
      DeltaFair::exact, kTwo, {kX > kY}, kAlways,
      [](Symbolic& d) {
        EXPECT_TRUE(d.known(kX == kX));
        EXPECT_FALSE(d.known(kX > kY));
      },
      [](Symbolic&) {});
}

TEST(SymbolicDomain, SymbolsAreNumberedBehindTheFixedOnes) {
  Symbolic::run_all_paths(
      DeltaFair::exact, kTwo, {}, kAlways,
      [](Symbolic& d) {
        EXPECT_TRUE(d.fresh("a").same_as(Linear::of(2)));
        EXPECT_TRUE(d.fresh("b", true).same_as(Linear::of(3)));
        d.choose(2);
      },
      [](Symbolic& d) {
        // Every path starts with the fixed ones again.
        ASSERT_EQ(d.symbols().size(), 4U);
        EXPECT_EQ(d.symbols()[2].name, "a");
        EXPECT_TRUE(d.symbols()[3].whole);
      });
}

// --- rounding ----------------------------------------------------------------------------

// By hand: floor(2.8 ms * 1024 / 335) = 8558805 exactly, and 8558806 with the kernel's
// inverse weight (the vectors of the kernel domain's test); floor(-7 / 2), trunc(-14 / 4).
TEST(SymbolicDomain, RoundsConstantsAsTheKernel) {
  for (const auto& [rule, expected] :
       {std::pair{DeltaFair::exact, 8'558'805}, {DeltaFair::inverse, 8'558'806}}) {
    Symbolic::run_all_paths(
        rule, {}, {}, kAlways,
        [&](Symbolic& d) {
          const Linear slice = d.number(2'800 * kUsec);
          EXPECT_TRUE(d.to_virtual(slice, weight_of_nice(5)).same_as(d.number(expected)));
          EXPECT_TRUE(d.divide_floor(d.number(-7), 2).same_as(d.number(-4)));
          EXPECT_TRUE(d.scale(d.number(-7), 2, 4).same_as(d.number(-3)));
        },
        [](Symbolic& d) { EXPECT_TRUE(d.roundings().empty()); });
  }
}

/// Can `result` be `value` where x is `x`?
bool can_be(Symbolic& d, const Linear& x, Ns at, const Linear& result, const Rational& value) {
  std::vector<Formula> facts = d.roundings();
  facts.push_back(x == d.number(at));
  facts.push_back(result == Linear(value));
  return Feasibility([](Variable) { return false; }).possible(facts);
}

// 7 * 1024 / 335 = 21.4, -7 / 2 = -3.5, 7 * 4 / 3 = 9.3: the kernel's 21, -4 and 9 are
// among the values, and so is what lies between; what is beyond is not.
TEST(SymbolicDomain, RoundsVariablesByLessThanOne) {
  Symbolic::run_all_paths(
      DeltaFair::exact, kTwo, {}, kAlways,
      [](Symbolic& d) {
        const Linear charge = d.to_virtual(kX, weight_of_nice(5));
        EXPECT_TRUE(can_be(d, kX, 7, charge, 21));
        EXPECT_FALSE(can_be(d, kX, 7, charge, 20));
        EXPECT_FALSE(can_be(d, kX, 7, charge, 22));
        EXPECT_FALSE(can_be(d, kX, 0, charge, -1));
        const Linear half = d.divide_floor(kY, 2);
        EXPECT_TRUE(can_be(d, kY, -7, half, -4));
        EXPECT_FALSE(can_be(d, kY, -7, half, -3));
        EXPECT_FALSE(can_be(d, kY, -6, half, -4));
        const Linear scaled = d.scale(kY, 4, 3);
        EXPECT_TRUE(can_be(d, kY, 7, scaled, 9));
        EXPECT_FALSE(can_be(d, kY, 7, scaled, 10));
        EXPECT_TRUE(can_be(d, kY, -7, scaled, -9));
        EXPECT_FALSE(can_be(d, kY, -7, scaled, -10));
        EXPECT_FALSE(can_be(d, kY, 0, scaled, Rational(1, 2)));
        EXPECT_FALSE(can_be(d, kY, -1, scaled, Rational(-1, 2)));
      },
      [](Symbolic&) {});
}

// Three charges, of which the last two take 10 ns each: 7 * 1024 / 335 = 21.4, and twice
// floor(10 * 1024 / 335) = 30.
TEST(SymbolicDomain, RoundsEachPartOfASum) {
  Symbolic::run_all_paths(
      DeltaFair::exact, kTwo, {}, kAlways,
      [](Symbolic& d) {
        const Linear sum = d.to_virtual_in_parts(kX, weight_of_nice(5), d.number(3), 10);
        EXPECT_TRUE(can_be(d, kX, 27, sum, 81));
        EXPECT_FALSE(can_be(d, kX, 27, sum, 80));
        EXPECT_FALSE(can_be(d, kX, 27, sum, 82));
        // Not knowing how long each takes: 27 * 1024 / 335 = 82.5, less up to 3.
        const Linear parts = d.to_virtual_in_parts(kX, weight_of_nice(5), d.number(3), 0);
        EXPECT_TRUE(can_be(d, kX, 27, parts, 80));
        EXPECT_FALSE(can_be(d, kX, 27, parts, 79));
        EXPECT_FALSE(can_be(d, kX, 27, parts, 83));
      },
      [](Symbolic&) {});
}

// What is compared twice must not be rounded twice.
TEST(SymbolicDomain, RoundsTheSameNumberOnce) {
  Symbolic::run_all_paths(
      DeltaFair::inverse, kTwo, {}, kAlways,
      [](Symbolic& d) {
        const Linear once = d.to_virtual(kX, weight_of_nice(5));
        EXPECT_TRUE(d.to_virtual(kX, weight_of_nice(5)).same_as(once));
        EXPECT_FALSE(d.to_virtual(kX, weight_of_nice(6)).same_as(once));
        EXPECT_FALSE(d.to_virtual(kY, weight_of_nice(5)).same_as(once));
        EXPECT_TRUE(d.to_virtual(kX, weight_of_nice(0)).same_as(kX));
      },
      [](Symbolic&) {});
}

// The mean of 2 and 3 is 2.5; rounded down it may be 2, but not less.
TEST(SymbolicDomain, RoundsNotPastAWholeNumber) {
  Symbolic::run_all_paths(
      DeltaFair::exact, kTwo, {}, kAlways,
      [](Symbolic& d) {
        const Linear mean = d.divide_floor(kX + kY, 2);
        d.rounds_past(kX + kY, 2, kX);
        std::vector<Formula> facts = d.roundings();
        facts.push_back(kY > kX);
        facts.push_back(mean < kX);
        EXPECT_FALSE(Feasibility([](Variable) { return false; }).possible(facts));
      },
      [](Symbolic&) {});
}

}  // namespace
}  // namespace tickproof
