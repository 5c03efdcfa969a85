#include "solver/terms.hpp"

#include <string>

namespace tickproof {

z3::expr to_numeral(z3::context& ctx, const Rational& value) {
  return ctx.real_val(value.str().c_str());
}

z3::expr to_term(z3::context& ctx, const Linear& linear, const TermOf& term_of,
                 const Rational& unit) {
  z3::expr_vector summands(ctx);
  for (const auto& [variable, coefficient] : linear.terms()) {
    const z3::expr term = term_of(variable);
    summands.push_back(coefficient == 1 ? term : to_numeral(ctx, coefficient) * term);
  }
  if (!linear.constant().is_zero() || summands.empty()) {
    summands.push_back(to_numeral(ctx, linear.constant() / unit));
  }
  return summands.size() == 1 ? summands[0] : z3::sum(summands);
}

z3::expr to_term(z3::context& ctx, const Formula& formula, const TermOf& term_of,
                 const Rational& unit) {
  switch (formula.kind()) {
    case Formula::Kind::literal: return ctx.bool_val(formula.is_literal(true));
    case Formula::Kind::at_least: return to_term(ctx, formula.expression(), term_of, unit) >= 0;
    case Formula::Kind::above: return to_term(ctx, formula.expression(), term_of, unit) > 0;
    case Formula::Kind::equal: return to_term(ctx, formula.expression(), term_of, unit) == 0;
    case Formula::Kind::all:
    case Formula::Kind::any: break;
  }
  z3::expr_vector parts(ctx);
  for (const Formula& part : formula.parts()) parts.push_back(to_term(ctx, part, term_of, unit));
  return formula.kind() == Formula::Kind::all ? z3::mk_and(parts) : z3::mk_or(parts);
}

Rational to_rational(const z3::expr& numeral) {
  return Rational(numeral.numerator().get_decimal_string(0)) /
         Rational(numeral.denominator().get_decimal_string(0));
}

z3::solver make_solver(z3::context& ctx) {
  z3::solver solver(ctx, z3::solver::simple());
  z3::params params(ctx);
  params.set("arith.solver", 2U);
  params.set("arith.propagate_eqs", false);
  params.set("phase_selection", 0U);
  params.set("random_seed", 1U);
  // Else Z3 takes SIGINT for itself while it computes, and the program never hears of it.
  params.set("ctrl_c", false);
  solver.set(params);
  return solver;
}

}  // namespace tickproof
