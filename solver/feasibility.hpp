// Can these constraints hold at once? Asked for each branch of each path while a
// system is extracted, so the solver keeps what consecutive questions share.
#pragma once

#include <z3++.h>

#include <vector>

#include "model/linear.hpp"
#include "model/symbolic_domain.hpp"

namespace tickproof {

class Feasibility {
 public:
  /// `whole(v)`: does variable v take whole numbers only?
  explicit Feasibility(std::function<bool(Variable)> whole);

  /// False only if it is certain that they can't.
  bool possible(const std::vector<Formula>& formulas);

 private:
  z3::expr term_of(Variable variable);

  z3::context ctx_;
  z3::solver solver_;
  std::function<bool(Variable)> whole_;
  std::vector<Formula> stack_;
};

}  // namespace tickproof
