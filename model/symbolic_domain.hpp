// Linear expressions as numbers. A run of the model in this domain follows one
// path: each decision takes the branch that the script names and adds it to the
// path's guard. run_all_paths() runs it again for every branch that is possible,
// and so turns the code of a step into a finite list of guarded linear updates.
//
// Where the kernel's integers round, the result is the exact one less a variable of
// its own that lies between 0 and the most that this rounding can cut off; constants
// are rounded as there. So each run in the kernel's arithmetic is a solution.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/domain.hpp"
#include "model/kernel_domain.hpp"
#include "model/linear.hpp"

namespace tickproof {

/// A variable of one step.
struct SymbolInfo {
  std::string name;
  bool whole = false;  ///< takes whole numbers only
  /// Is it what a rounding cuts off? Then it lies between 0 and `most`, and the
  /// kernel's number is the whole one `exact` less this symbol.
  struct Rounding {
    Linear exact;
    Linear most;
  };
  std::optional<Rounding> rounding = std::nullopt;
};

class SymbolicDomain {
 public:
  using Num = Linear;
  using Bool = Formula;
  static constexpr bool kSymbolic = true;

  /// Says whether all these formulas can hold at once; true if it does not know.
  using Feasible = std::function<bool(const std::vector<Formula>&)>;

  /// Thrown to leave a path that is impossible.
  struct DeadPath {};

  /// Runs `step` once for each possible path. Before each run the symbols
  /// `fixed` are there (numbered from 0) and `assumptions` hold; `done` may then
  /// read guard(), roundings() and symbols().
  static void run_all_paths(DeltaFair delta_fair, const std::vector<SymbolInfo>& fixed,
                            const std::vector<Formula>& assumptions, const Feasible& feasible,
                            const std::function<void(SymbolicDomain&)>& step,
                            const std::function<void(SymbolicDomain&)>& done);

  /// A fresh variable, for what the environment chooses.
  Num fresh(std::string name, bool whole = false);
  /// One of 0 .. options-1; the run forks.
  std::size_t choose(std::size_t options);

  Num number(Ns ns) const { return Linear(Rational(ns)); }
  Num times(const Num& x, std::int64_t n) const { return x.scaled(n); }
  Num add_weighted(const Num& sum, const Num& key, const Weight& w) const {
    return sum + key.scaled(w.value);
  }
  Num to_virtual(const Num& delta, const Weight& w);
  Num to_virtual_in_parts(const Num& delta, const Weight& w, const Num& count, Ns each);
  Num divide_floor(const Num& x, std::int64_t n);
  /// Says of divide_floor(x, n) that it is below the whole number `landmark` only if
  /// x / n is: where ties are decided, between one and the next matters.
  void rounds_past(const Num& x, std::int64_t n, const Num& landmark);
  Num scale(const Num& x, std::int64_t n, std::int64_t m);
  Num min(const Num& a, const Num& b);
  Num max(const Num& a, const Num& b);
  Bool both(const Bool& a, const Bool& b) const { return Formula::all({a, b}); }
  Bool either(const Bool& a, const Bool& b) const { return Formula::any({a, b}); }
  Bool negate(const Bool& a) const { return a.negation(); }
  bool decide(const Bool& condition);
  bool known(const Bool& condition) const { return condition.is_literal(true); }
  Num next_on_grid(const Num& x, Ns period);
  void require(const Bool& condition, const char* what);

  /// The index of the first candidate that is eligible and has the earliest
  /// deadline among the eligible: one path for each possible winner.
  template <class Wins>
  std::size_t choose_winner(std::size_t candidates, const Wins& wins) {
    const std::size_t winner = choose(candidates);
    require(wins(winner), "the winner of the pick");
    if (!feasible_(guard_)) throw DeadPath{};
    return winner;
  }

  /// All that holds on this path: assumptions, guard and roundings as they came.
  const std::vector<Formula>& conditions() const { return guard_; }
  /// What must hold for this path, the assumptions and roundings() not included.
  std::vector<Formula> guard() const;
  /// What is known of the variables that stand for roundings.
  std::vector<Formula> roundings() const;
  const std::vector<SymbolInfo>& symbols() const { return symbols_; }

 private:
  /// A choice made on the current path.
  struct Fork {
    std::size_t taken;
    std::size_t options;
    bool implied = false;  ///< a decision that the guard had already settled
  };

  SymbolicDomain(DeltaFair delta_fair, const Feasible& feasible)
      : kernel_(delta_fair), feasible_(feasible) {}
  Rational factor(const Weight& w) const;
  Num round_down(const Num& exact, const Num& most);
  Num round_charge(const Num& exact, const Num& most);
  void assume_rounding(const Formula& fact);
  void restart(const std::vector<SymbolInfo>& fixed, const std::vector<Formula>& assumptions);
  bool next_path();

  KernelDomain kernel_;  ///< computes with constants
  const Feasible& feasible_;
  std::vector<SymbolInfo> symbols_;
  std::vector<Formula> guard_;
  std::vector<std::size_t> rounding_at_;  ///< which formulas of guard_ are roundings
  std::size_t assumed_ = 0;
  std::vector<Fork> script_;
  std::size_t position_ = 0;
};

static_assert(Domain<SymbolicDomain>);

}  // namespace tickproof
