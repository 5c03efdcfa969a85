// One path through the graph as a small linear problem: with the discrete choices
// fixed, what remains are the times at which the environment acts. Maximising over
// them jumps from any run that was found to the best run of the same shape; asking
// for whole nanoseconds, and for conditions that hold however the kernel rounds,
// gives a schedule that replays.
#pragma once

#include <optional>
#include <vector>

#include "model/schedule.hpp"
#include "solver/unrolling.hpp"

namespace tickproof {

class PathProblem {
 public:
  PathProblem(const TransitionSystem& system, const Path& path, Aim aim);

  /// The supremum of the property's value over all runs of this shape (the infimum
  /// for Aim::smallest_ended), if some of them is beyond the given value; ns or
  /// ticks, cut to a whole number, as values are. None if not, or if there is no
  /// bound, or if the solver gives up.
  std::optional<Ns> best(const std::optional<Ns>& beyond);

  /// A run in whole nanoseconds whose value is within `distance` of best(), which is
  /// at most `room` ns longer than the shortest with that value, and of whose
  /// conditions as many as possible hold however the kernel rounds.
  std::optional<Schedule> schedule(Ns distance, Ns room);

  /// From another thread: the query that runs gives up.
  void interrupt() { ctx_.interrupt(); }

 private:
  Variable add_variable(SymbolInfo unknown);
  z3::expr term(Variable variable);
  int sign() const { return aim_ == Aim::largest ? 1 : -1; }
  bool choose_corner(const std::optional<Ns>& beyond);
  std::optional<Rational> maximize(const Linear& goal);
  void choose_branches(const Formula& formula, const std::vector<Rational>& values);
  Formula hardened(const Formula& constraint) const;
  std::vector<bool> in_whole_ns() const;
  std::vector<Formula> whole_roundings(std::vector<bool>& whole) const;
  Schedule to_schedule(const std::vector<Rational>& values) const;
  std::vector<Rational> values_in(const z3::model& model);

  const TransitionSystem& system_;
  Aim aim_;
  z3::context ctx_;
  std::vector<SymbolInfo> unknowns_;  ///< the path's variables
  std::vector<Formula> conditions_;   ///< over the path's variables
  std::vector<Formula> roundings_;    ///< the ranges of those that are roundings
  Linear value_;
  std::vector<Linear> first_tick_;  ///< per CPU
  struct PathMove {
    Move<SymbolicDomain> move;    ///< numbers over the path's variables
    std::vector<Linear> to_tick;  ///< per CPU, before the move
    std::vector<bool> busy;       ///< per CPU
  };
  std::vector<PathMove> moves_;
  Linear duration_;  ///< of the whole run
  std::optional<Ns> best_;
  Rational shortest_ = 0;        ///< duration of the shortest best run
  std::vector<Formula> corner_;  ///< the constraints left with alternatives settled
};

}  // namespace tickproof
