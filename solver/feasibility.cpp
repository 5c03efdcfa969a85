#include "solver/feasibility.hpp"

#include <utility>

#include "solver/terms.hpp"

namespace tickproof {

Feasibility::Feasibility(std::function<bool(Variable)> whole)
    : solver_(make_solver(ctx_)), whole_(std::move(whole)) {}

z3::expr Feasibility::term_of(Variable variable) {
  // A variable may be whole on one path and real on another: two names.
  const std::string name = std::to_string(variable);
  return whole_(variable) ? z3::to_real(ctx_.int_const(("n" + name).c_str()))
                          : ctx_.real_const(("x" + name).c_str());
}

bool Feasibility::possible(const std::vector<Formula>& formulas) {
  std::size_t shared = 0;
  while (shared < formulas.size() && shared < stack_.size() &&
         formulas[shared].same_as(stack_[shared])) {
    ++shared;
  }
  if (stack_.size() > shared) {
    solver_.pop(static_cast<unsigned>(stack_.size() - shared));
    stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(shared), stack_.end());
  }
  for (std::size_t i = shared; i < formulas.size(); ++i) {
    solver_.push();
    solver_.add(to_term(ctx_, formulas[i], [this](Variable v) { return term_of(v); }));
    stack_.push_back(formulas[i]);
  }
  return solver_.check() != z3::unsat;
}

}  // namespace tickproof
