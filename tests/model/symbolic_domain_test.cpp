#include "model/symbolic_domain.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

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
      kTwo, assumptions, feasible, [&](Symbolic& d) { result = step(d); },
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
      kTwo, {}, kAlways,
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
      {{"x", false}}, {}, kAlways, [&](Symbolic& d) { next = d.next_on_grid(kX, 10); },
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
      kTwo, {kX > kY}, kAlways,
      [](Symbolic& d) {
        EXPECT_TRUE(d.known(kX == kX));
        EXPECT_FALSE(d.known(kX > kY));
      },
      [](Symbolic&) {});
}

TEST(SymbolicDomain, SymbolsAreNumberedBehindTheFixedOnes) {
  Symbolic::run_all_paths(
      kTwo, {}, kAlways,
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

// 1024 / 335 = weight of nice 0 / weight of nice 5.
TEST(SymbolicDomain, DoesNotRound) {
  Symbolic::run_all_paths(
      kTwo, {}, kAlways,
      [](Symbolic& d) {
        EXPECT_TRUE(d.to_virtual(kX, weight_of_nice(5)).same_as(kX.scaled(Rational(1024, 335))));
        EXPECT_TRUE(d.divide_floor(kX, 3).same_as(kX.scaled(Rational(1, 3))));
        EXPECT_TRUE(d.scale(kX, 4, 3).same_as(kX.scaled(Rational(4, 3))));
      },
      [](Symbolic&) {});
}

}  // namespace
}  // namespace tickproof
