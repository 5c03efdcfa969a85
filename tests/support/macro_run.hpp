// A random run in exact fractions, in the steps that the solver knows: ticks at which
// nothing happens but that time is charged belong to the step of the event after them.
#pragma once

#include <optional>
#include <utility>

#include "model/rational_domain.hpp"
#include "tests/support/random_run.hpp"

namespace tickproof {

struct MacroStep {
  State<RationalDomain> before;
  Move<RationalDomain> move;
  State<RationalDomain> after;
};

class MacroRun {
 public:
  MacroRun(Dice& dice, const SystemSpec& spec) : dice_(dice), spec_(spec), system_(d_, spec) {
    state_ = system_.initial({d_.number(dice.between(1, spec.tick))});
  }
  MacroRun(const MacroRun&) = delete;
  MacroRun& operator=(const MacroRun&) = delete;

  const System<RationalDomain>& system() const { return system_; }
  const State<RationalDomain>& state() const { return state_; }

  /// Runs up to the next event that is more than a quiet tick, and through it. None if
  /// nothing happens for a long time.
  template <class Observer>
  std::optional<MacroStep> next(Observer& observer) {
    MacroStep step;
    step.before = state_;
    QuietTicks<RationalDomain> quiet;
    Rational elapsed = 0;
    for (int i = 0; i < 200; ++i) {
      const ScheduledMove chosen = random_move(dice_, spec_, system_, state_, now_);
      Move<RationalDomain> move = to_move(chosen);
      elapsed += move.elapsed;
      now_ = chosen.time;
      const State<RationalDomain> old = state_;
      const bool scheduled = system_.step(state_, move, observer);
      if (scheduled && move.kind == MoveKind::tick) now_ += chosen.delay;
      if (!scheduled && is_quiet(move, old)) {
        quiet.count += 1;
        quiet.time = elapsed;
        quiet.loss += move.loss;
        continue;
      }
      step.move = std::move(move);
      step.move.elapsed = elapsed;
      step.move.quiet = {quiet};
      step.after = state_;
      return step;
    }
    return std::nullopt;
  }

 private:
  Move<RationalDomain> to_move(const ScheduledMove& chosen) const {
    Move<RationalDomain> move;
    move.kind = chosen.kind;
    move.cpu = chosen.cpu;
    move.task = chosen.task;
    move.elapsed = chosen.time - now_;
    move.loss = chosen.loss;
    move.delay = chosen.delay;
    move.quiet.resize(1);
    return move;
  }

  bool is_quiet(const Move<RationalDomain>& move, const State<RationalDomain>& old) const {
    if (move.kind != MoveKind::tick) return false;
    const Cpu<RationalDomain>& before = old.cpus[0];
    const Cpu<RationalDomain>& after = state_.cpus[0];
    if (before.rq.curr == kNobody) return true;
    const auto curr = static_cast<std::size_t>(before.rq.curr);
    return before.resched == after.resched &&
           old.entities[curr].deadline == state_.entities[curr].deadline;
  }

  Dice& dice_;
  const SystemSpec& spec_;
  RationalDomain d_;
  System<RationalDomain> system_;
  State<RationalDomain> state_;
  Ns now_ = 0;
};

}  // namespace tickproof
