// The rules of the scheduler are written once, over a Domain: the numbers they
// compute with and the way they decide. Three domains run them:
//
//   KernelDomain    64-bit integers with the kernel's rounding; replays
//   RationalDomain  exact fractions: the same without rounding, for tests
//   SymbolicDomain  linear expressions; a decision forks the run, and the paths
//                   of a step are the transitions that the solver gets. What the
//                   kernel rounds off is a variable: its integers are covered
//
// A rule is ordinary C++ with an ordinary `if`; only a condition on numbers goes
// through the domain: `if (d.decide(v >= deadline))`.
#pragma once

#include <concepts>
#include <cstddef>

#include "model/units.hpp"
#include "model/weights.hpp"

namespace tickproof {

/// Num is a time, real or virtual, in ns; Bool a condition on Nums.
/// Comparisons of Nums give Bools, with C++'s operators.
template <class D>
concept Domain = requires(D& d, const typename D::Num& x, const typename D::Bool& b, Weight w,
                          Ns ns, std::int64_t n) {
  requires std::default_initializable<typename D::Num>;
  { x + x } -> std::convertible_to<typename D::Num>;
  { x - x } -> std::convertible_to<typename D::Num>;
  { x <= x } -> std::convertible_to<typename D::Bool>;
  { x < x } -> std::convertible_to<typename D::Bool>;
  { x == x } -> std::convertible_to<typename D::Bool>;
  /// Is a symbolic domain: one step may pass over many ticks.
  { D::kSymbolic } -> std::convertible_to<bool>;
  { d.number(ns) } -> std::same_as<typename D::Num>;
  /// x times a whole number.
  { d.times(x, n) } -> std::same_as<typename D::Num>;
  /// x and the product of x and a weight: a term of the sums over the queue.
  { d.add_weighted(x, x, w) } -> std::same_as<typename D::Num>;
  /// calc_delta_fair(): real time of a task of weight w as virtual time; not negative.
  { d.to_virtual(x, w) } -> std::same_as<typename D::Num>;
  /// The same for a sum x of so many charges, each rounded by itself. All but the
  /// first are `ns` long (0: it is not known how long).
  { d.to_virtual_in_parts(x, w, x, ns) } -> std::same_as<typename D::Num>;
  /// x / n, rounded toward minus infinity where the domain rounds.
  { d.divide_floor(x, n) } -> std::same_as<typename D::Num>;
  /// x * n / n, rounded toward zero where the domain rounds.
  { d.scale(x, n, n) } -> std::same_as<typename D::Num>;
  { d.min(x, x) } -> std::same_as<typename D::Num>;
  { d.max(x, x) } -> std::same_as<typename D::Num>;
  { d.both(b, b) } -> std::same_as<typename D::Bool>;
  { d.either(b, b) } -> std::same_as<typename D::Bool>;
  { d.negate(b) } -> std::same_as<typename D::Bool>;
  { d.decide(b) } -> std::same_as<bool>;
  /// Does b hold whatever the state? Only an answer "yes" says anything.
  { d.known(b) } -> std::same_as<bool>;
  /// x plus the least number of periods, none included, that makes it positive.
  { d.next_on_grid(x, ns) } -> std::same_as<typename D::Num>;
  /// The step is only possible if b holds; `what` says so in words.
  {d.require(b, "what")};
};

}  // namespace tickproof
