// A transition system unrolled for Z3: which steps take a run from the initial
// state to a step at which the property has a large value.
//
// Step k has a Boolean for each control state it may start in (at@k) and for each
// transition it may take; the numbers of the state are reals x@k. Runs shorter
// than the unrolling begin late: the initial state may be repeated.
#pragma once

#include <z3++.h>

#include <vector>

#include "model/rational.hpp"
#include "solver/terms.hpp"
#include "solver/transition_system.hpp"

namespace tickproof {

/// A run through the graph: transitions in order from the initial state.
using Path = std::vector<TransitionId>;

/// Which value of the property is looked for at the end of a run.
enum class Aim {
  largest,         ///< a value above the given one, ended or not
  smallest_ended,  ///< a value below the given one, of a wait or run that has ended
};

class Unrolling {
 public:
  /// Of `depth` steps. Only parts from which the last step can yield a value are
  /// encoded.
  Unrolling(const TransitionSystem& system, std::size_t depth, Aim aim);

  /// Is there a run whose value is beyond `value` (in the direction of the aim)?
  z3::check_result beyond(Ns value);
  /// ... any run that has a value at all?
  z3::check_result any();

  /// After sat: the run that was found.
  Path path() const;
  /// Leaves that run's shape out of all further questions.
  void exclude(const Path& path);

  /// Stops a query that runs in another thread; it then answers unknown.
  void interrupt() { ctx_.interrupt(); }

 private:
  /// A transition that a step may take, and the Boolean that says it does.
  struct Choice {
    TransitionId transition;
    z3::expr taken;
  };

  void prune(std::size_t depth);
  void encode_step(std::size_t k);
  void encode_choice(std::size_t k, const Choice& choice);
  bool is_last(std::size_t k) const { return k + 1 == steps_.size(); }
  bool has_value(const Transition& transition) const;
  z3::expr at(std::size_t k, ControlId control);
  z3::expr state_term(std::size_t k, Variable variable);
  TermOf terms(std::size_t k, const Transition& transition);
  z3::expr scaled(const Linear& linear, const TermOf& term_of);

  const TransitionSystem& system_;
  Aim aim_;
  Rational unit_ = 1;
  z3::context ctx_;
  z3::solver solver_;
  z3::expr value_;
  std::vector<std::vector<char>> useful_;  ///< [step][control]: on the way to a value
  std::vector<std::vector<Choice>> steps_;
};

}  // namespace tickproof
