#include "model/symbolic_domain.hpp"

#include <utility>

namespace tickproof {
namespace {

/// The value of a constant that is a whole number.
std::optional<Ns> constant_ns(const Linear& x) {
  if (!x.is_constant() || denominator(x.constant()) != 1) return std::nullopt;
  return numerator(x.constant()).convert_to<Ns>();
}

}  // namespace

void SymbolicDomain::run_all_paths(DeltaFair delta_fair, const std::vector<SymbolInfo>& fixed,
                                   const std::vector<Formula>& assumptions,
                                   const Feasible& feasible,
                                   const std::function<void(SymbolicDomain&)>& step,
                                   const std::function<void(SymbolicDomain&)>& done) {
  SymbolicDomain domain(delta_fair, feasible);
  do {
    domain.restart(fixed, assumptions);
    try {
      step(domain);
      if (feasible(domain.guard_)) done(domain);
    } catch (const DeadPath&) {
      // Some requirement can't be met on this path: no transition.
    }
  } while (domain.next_path());
}

void SymbolicDomain::restart(const std::vector<SymbolInfo>& fixed,
                             const std::vector<Formula>& assumptions) {
  symbols_ = fixed;
  guard_ = assumptions;
  assumed_ = assumptions.size();
  rounding_at_.clear();
  position_ = 0;
}

bool SymbolicDomain::next_path() {
  // A run that ended early leaves no decisions behind the last one it made.
  script_.resize(position_);
  while (!script_.empty() && script_.back().taken + 1 == script_.back().options) {
    script_.pop_back();
  }
  if (script_.empty()) return false;
  ++script_.back().taken;
  return true;
}

std::size_t SymbolicDomain::choose(std::size_t options) {
  if (position_ == script_.size()) script_.push_back({0, options});
  return script_[position_++].taken;
}

SymbolicDomain::Num SymbolicDomain::fresh(std::string name, bool whole) {
  symbols_.push_back({std::move(name), whole});
  return Linear::of(static_cast<Variable>(symbols_.size() - 1));
}

void SymbolicDomain::assume_rounding(const Formula& fact) {
  if (fact.is_literal(true)) return;
  rounding_at_.push_back(guard_.size());
  guard_.push_back(fact);
}

/// What is rounded is cut by at most `most`. The same number is cut the same again.
SymbolicDomain::Num SymbolicDomain::round_down(const Num& exact, const Num& most) {
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    const auto& known = symbols_[i].rounding;
    if (!known || !known->exact.same_as(exact) || !known->most.same_as(most)) continue;
    return exact - Linear::of(static_cast<Variable>(i));
  }
  const Num off = fresh("rounding");
  symbols_.back().rounding = {exact, most};
  assume_rounding(off >= Num());
  assume_rounding(most.same_as(number(1)) ? off < most : off <= most);
  return exact - off;
}

/// A charge is never negative.
SymbolicDomain::Num SymbolicDomain::round_charge(const Num& exact, const Num& most) {
  const Num result = round_down(exact, most);
  assume_rounding(result >= Num());
  return result;
}

/// What calc_delta_fair() multiplies with before it rounds.
Rational SymbolicDomain::factor(const Weight& w) const {
  if (kernel_.delta_fair() == DeltaFair::exact) return Rational(kNice0Weight, w.value);
  const KernelDomain::InverseFactor kernels = KernelDomain::inverse_factor(w);
  return Rational(kernels.factor, std::int64_t{1} << kernels.shift);
}

SymbolicDomain::Num SymbolicDomain::to_virtual(const Num& delta, const Weight& w) {
  if (w.value == kNice0Weight) return delta;
  if (const auto ns = constant_ns(delta)) {
    return number(kernel_.to_virtual(Checked(*ns), w).value());
  }
  return round_charge(delta.scaled(factor(w)), number(1));
}

SymbolicDomain::Num SymbolicDomain::to_virtual_in_parts(const Num& delta, const Weight& w,
                                                        const Num& count, Ns each) {
  if (w.value == kNice0Weight) return delta;
  if (each == 0) return round_charge(delta.scaled(factor(w)), count);
  const Num later = count - number(1);
  const Num first = delta - later.scaled(each);
  const Ns charge = kernel_.to_virtual(Checked(each), w).value();
  const Num result = round_charge(first.scaled(factor(w)) + later.scaled(charge), number(1));
  assume_rounding(Formula::any({count >= number(1), result == Num()}));
  return result;
}

SymbolicDomain::Num SymbolicDomain::divide_floor(const Num& x, std::int64_t n) {
  if (n == 1) return x;
  if (const auto ns = constant_ns(x)) return number(kernel_.divide_floor(Checked(*ns), n).value());
  return round_down(x.scaled(Rational(1, n)), Num(Rational(n - 1, n)));
}

void SymbolicDomain::rounds_past(const Num& x, std::int64_t n, const Num& landmark) {
  const Num exact = x.scaled(Rational(1, n));
  const Num rounded = divide_floor(x, n);
  assume_rounding(
      Formula::any({Formula::all({exact >= landmark, rounded >= landmark}),
                    Formula::all({exact < landmark, rounded <= landmark - number(1)})}));
}

SymbolicDomain::Num SymbolicDomain::scale(const Num& x, std::int64_t n, std::int64_t m) {
  if (n == m) return x;  // it is a whole number
  if (const auto ns = constant_ns(x)) return number(kernel_.scale(Checked(*ns), n, m).value());
  const Num exact = x.scaled(Rational(n, m));
  const Num most(Rational(m - 1, m));
  const Num result = round_down(exact + most, most.scaled(2));
  // Toward zero; x is a whole number, so a negative one is at most -1.
  const Num below = number(n < m ? 0 : -1);
  assume_rounding(Formula::any({Formula::all({exact >= Num(), result >= Num(), result <= exact}),
                                Formula::all({exact <= below, result <= below, result >= exact})}));
  return result;
}

SymbolicDomain::Num SymbolicDomain::min(const Num& a, const Num& b) {
  if (const Formula first = a <= b; first.kind() == Formula::Kind::literal) {
    return first.is_literal(true) ? a : b;
  }
  const Num least = fresh("min");
  require(Formula::any({Formula::all({least == a, a <= b}), Formula::all({least == b, b <= a})}),
          "the lesser of two");
  return least;
}

SymbolicDomain::Num SymbolicDomain::max(const Num& a, const Num& b) {
  return min(a.scaled(-1), b.scaled(-1)).scaled(-1);
}

SymbolicDomain::Num SymbolicDomain::next_on_grid(const Num& x, Ns period) {
  const Num periods = fresh("periods", true);
  const Num next = x + periods.scaled(period);
  const Num zero;
  require(Formula::any({Formula::all({x > zero, periods == zero}),
                        Formula::all({x <= zero, next > zero, next <= number(period)})}),
          "the next point of the grid");
  return next;
}

bool SymbolicDomain::decide(const Bool& condition) {
  if (condition.kind() == Formula::Kind::literal) return condition.is_literal(true);
  if (position_ == script_.size()) {
    const auto possible = [&](const Formula& branch) {
      guard_.push_back(branch);
      const bool result = feasible_(guard_);
      guard_.pop_back();
      return result;
    };
    const bool can_hold = possible(condition);
    // If it can't hold, its negation is implied; a path that is dead shows at its end.
    const bool can_fail = !can_hold || possible(condition.negation());
    const bool implied = can_hold != can_fail;
    script_.push_back({can_hold ? 0U : 1U,
                       can_hold && can_fail ? 2U
                       : can_hold           ? 1U
                                            : 2U,
                       implied});
  }
  const Fork& fork = script_[position_++];
  const bool value = fork.taken == 0;
  if (!fork.implied) guard_.push_back(value ? condition : condition.negation());
  return value;
}

void SymbolicDomain::require(const Bool& condition, const char* /*what*/) {
  if (condition.is_literal(true)) return;
  if (condition.is_literal(false)) throw DeadPath{};
  guard_.push_back(condition);
}

std::vector<Formula> SymbolicDomain::guard() const {
  std::vector<Formula> result;
  auto rounding = rounding_at_.begin();
  for (std::size_t i = assumed_; i < guard_.size(); ++i) {
    if (rounding != rounding_at_.end() && *rounding == i) {
      ++rounding;
    } else {
      result.push_back(guard_[i]);
    }
  }
  return result;
}

std::vector<Formula> SymbolicDomain::roundings() const {
  std::vector<Formula> result;
  for (const std::size_t i : rounding_at_) result.push_back(guard_[i]);
  return result;
}

}  // namespace tickproof
