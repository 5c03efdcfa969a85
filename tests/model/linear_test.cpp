#include "model/linear.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tickproof {
namespace {

const Linear kX = Linear::of(0);
const Linear kY = Linear::of(1);
const Linear kZ = Linear::of(2);

Linear number(std::int64_t n) { return Linear(Rational(n)); }

std::string name_of(Variable v) { return std::string(1, static_cast<char>('x' + v)); }
std::string text(const Linear& linear) { return to_string(linear, name_of); }
std::string text(const Formula& formula) { return to_string(formula, name_of); }

auto values(std::vector<Rational> all) {
  return [all = std::move(all)](Variable v) { return all[static_cast<std::size_t>(v)]; };
}

TEST(Linear, AddsAndScales) {
  EXPECT_EQ(text(kX + kY), "x + y");
  EXPECT_EQ(text(kY + kX), "x + y");
  EXPECT_EQ(text(kX - kX), "0");
  EXPECT_TRUE((kX - kX).is_constant());
  EXPECT_TRUE((kX - kX).terms().empty());
  EXPECT_EQ(text(kX + kY - kX + number(3)), "y + 3");
  EXPECT_EQ(text((kX - kY).scaled(Rational(-1, 2)) - number(1)), "-1/2*x + 1/2*y - 1");
  EXPECT_EQ(text(kX.plus(kX, 2)), "3*x");
  EXPECT_EQ(text(kX.scaled(0)), "0");
  EXPECT_EQ(text(Linear()), "0");
}

TEST(Linear, IsTheSameWhateverTheOrder) {
  EXPECT_TRUE((kX + kY + kZ).same_as(kZ + kX + kY));
  EXPECT_FALSE(kX.same_as(kY));
  EXPECT_FALSE(kX.same_as(kX + number(1)));
  EXPECT_FALSE(kX.same_as(kX.scaled(2)));
}

TEST(Linear, EvaluatesAndSubstitutes) {
  const Linear e = kX.scaled(2) - kY + number(5);
  EXPECT_EQ(e.evaluate(values({3, 4})), 7);
  // x := y + 1, y := 2 x
  const auto replaced = [](Variable v) { return v == 0 ? kY + number(1) : kX.scaled(2); };
  EXPECT_EQ(text(e.substitute(replaced)), "-2*x + 2*y + 7");
}

TEST(Formula, ConstraintsWithoutVariablesAreDecided) {
  EXPECT_TRUE((number(1) > number(0)).is_literal(true));
  EXPECT_TRUE((number(0) > number(0)).is_literal(false));
  EXPECT_TRUE((kX - kX >= number(0)).is_literal(true));
  EXPECT_TRUE((kX == kX).is_literal(true));
  EXPECT_FALSE((kX == kY).is_literal(false));
}

TEST(Formula, LiteralsVanishInCombinations) {
  const Formula a = kX > kY;
  EXPECT_TRUE(Formula::all({}).is_literal(true));
  EXPECT_TRUE(Formula::any({}).is_literal(false));
  EXPECT_TRUE(Formula::all({a, false}).is_literal(false));
  EXPECT_TRUE(Formula::any({a, true}).is_literal(true));
  EXPECT_TRUE(Formula::all({a, true}).same_as(a));
  EXPECT_TRUE(Formula::any({false, a}).same_as(a));
  // Nested combinations of one kind are one.
  EXPECT_EQ(Formula::all({a, Formula::all({a, a})}).parts().size(), 3U);
  EXPECT_EQ(Formula::all({a, Formula::any({a, a})}).parts().size(), 2U);
}

TEST(Formula, ReadsLikeMathematics) {
  EXPECT_EQ(text(kX <= kY), "-x + y >= 0");
  EXPECT_EQ(text(kX < number(3)), "-x + 3 > 0");
  EXPECT_EQ(text(kX == kY), "x - y = 0");
  EXPECT_EQ(text(Formula::any({kX > kY, Formula::all({kX == kY, kZ >= number(0)})})),
            "x - y > 0 or (x - y = 0 and z >= 0)");
  EXPECT_EQ(text(Formula(true)), "true");
}

TEST(Formula, NegationsAreConstraints) {
  EXPECT_EQ(text((kX >= kY).negation()), "-x + y > 0");
  EXPECT_EQ(text((kX > kY).negation()), "-x + y >= 0");
  EXPECT_EQ(text((kX == kY).negation()), "x - y > 0 or -x + y > 0");
  EXPECT_TRUE(Formula(true).negation().is_literal(false));
}

/// A formula over x, y, z, drawn at random.
Formula any_formula(std::mt19937& random, int depth) {
  const auto below = [&](unsigned n) { return random() % n; };
  const auto linear = [&] {
    Linear result = number(static_cast<int>(below(7)) - 3);
    for (Variable v = 0; v < 3; ++v) {
      result = result.plus(Linear::of(v), static_cast<int>(below(5)) - 2);
    }
    return result;
  };
  switch (depth == 0 ? below(3) : below(6)) {
    case 0: return linear() >= Linear();
    case 1: return linear() > Linear();
    case 2: return linear() == Linear();
    case 3: return Formula(below(2) == 0);
    case 4: return Formula::all({any_formula(random, depth - 1), any_formula(random, depth - 1)});
    default: return Formula::any({any_formula(random, depth - 1), any_formula(random, depth - 1)});
  }
}

// Laws that hold for every formula, on small whole numbers, where ties are frequent.
TEST(Formula, KeepsTheLaws) {
  std::mt19937 random(7);
  for (int i = 0; i < 3'000; ++i) {
    const Formula f = any_formula(random, 3);
    std::vector<Rational> point;
    for (int v = 0; v < 3; ++v) point.emplace_back(static_cast<int>(random() % 5) - 2);
    const bool value = f.evaluate(values(point));
    EXPECT_EQ(f.negation().evaluate(values(point)), !value) << text(f);
    EXPECT_EQ(f.negation().negation().evaluate(values(point)), value) << text(f);
    // Substituting numbers is evaluating.
    const Formula constant =
        f.substitute([&](Variable v) { return Linear(point[std::size_t(v)]); });
    EXPECT_TRUE(constant.is_literal(value)) << text(f);
    // Substituting, then evaluating, is evaluating at the substituted point.
    const auto shift = [](Variable v) { return Linear::of((v + 1) % 3) + number(1); };
    const std::vector<Rational> shifted{point[1] + 1, point[2] + 1, point[0] + 1};
    EXPECT_EQ(f.substitute(shift).evaluate(values(point)), f.evaluate(values(shifted))) << text(f);
  }
}

}  // namespace
}  // namespace tickproof
