#include "model/symbolic_domain.hpp"

#include <utility>

namespace tickproof {

void SymbolicDomain::run_all_paths(const std::vector<SymbolInfo>& fixed,
                                   const std::vector<Formula>& assumptions,
                                   const Feasible& feasible,
                                   const std::function<void(SymbolicDomain&)>& step,
                                   const std::function<void(SymbolicDomain&)>& done) {
  SymbolicDomain domain(feasible);
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
    const bool can_fail = possible(condition.negation());
    if (!can_hold && !can_fail) throw DeadPath{};
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
  return {guard_.begin() + static_cast<std::ptrdiff_t>(assumed_), guard_.end()};
}

}  // namespace tickproof
