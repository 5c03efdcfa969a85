// Linear expressions and formulas as Z3 terms.
#pragma once

#include <z3++.h>

#include <functional>

#include "model/linear.hpp"

namespace tickproof {

using TermOf = std::function<z3::expr(Variable)>;

/// A rational number as a real numeral.
z3::expr to_numeral(z3::context& ctx, const Rational& value);

/// `term_of` gives a real term for each variable: its value divided by `unit`. The
/// result is the expression divided by `unit`. Small numbers are fast in Z3, so a
/// unit that divides all constants is worth having.
z3::expr to_term(z3::context& ctx, const Linear& linear, const TermOf& term_of,
                 const Rational& unit = 1);
z3::expr to_term(z3::context& ctx, const Formula& formula, const TermOf& term_of,
                 const Rational& unit = 1);

/// The exact value of a numeral of a model.
Rational to_rational(const z3::expr& numeral);

/// A solver with parameters that suit this tool's queries. Measured on Z3 4.8.12,
/// three tasks, 7 events: arith.solver=6 takes 10.6s, 2 takes 9.6s, without
/// propagation of equalities 7.4s, with a fixed phase as well 5.9s.
z3::solver make_solver(z3::context& ctx);

}  // namespace tickproof
