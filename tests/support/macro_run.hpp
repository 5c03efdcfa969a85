// A random run in a concrete domain, in the steps that the solver knows: ticks at which
// nothing happens but that time is charged belong to the step of the event after them.
// The steps are told in exact fractions.
#pragma once

#include <optional>
#include <utility>

#include "tests/support/lift.hpp"
#include "tests/support/random_run.hpp"

namespace tickproof {

struct MacroStep {
  State<RationalDomain> before;
  Move<RationalDomain> move;
  State<RationalDomain> after;
};

template <Domain D>
class MacroRun {
 public:
  MacroRun(Dice& dice, D& d, const SystemSpec& spec)
      : dice_(dice), d_(d), spec_(spec), system_(d, spec) {
    state_ = system_.initial({d_.number(dice.between(1, spec.tick))});
  }
  MacroRun(const MacroRun&) = delete;
  MacroRun& operator=(const MacroRun&) = delete;

  const System<D>& system() const { return system_; }
  const State<D>& state() const { return state_; }

  /// Runs up to the next event that is more than a quiet tick, and through it. None if
  /// nothing happens for a long time.
  template <class Observer>
  std::optional<MacroStep> next(Observer& observer) {
    MacroStep step;
    step.before = in_fractions(state_);
    QuietTicks<RationalDomain> quiet;
    Rational elapsed = 0;
    for (int i = 0; i < 200; ++i) {
      const ScheduledMove chosen = random_move(dice_, spec_, system_, state_, now_);
      const Move<D> move = to_move(chosen);
      elapsed += chosen.time - now_;
      now_ = chosen.time;
      const State<D> old = state_;
      const bool scheduled = system_.step(state_, move, observer);
      if (scheduled && move.kind == MoveKind::tick) now_ += chosen.delay;
      if (!scheduled && is_quiet(move, old)) {
        quiet.count += 1;
        quiet.time = elapsed;
        quiet.loss += chosen.loss;
        continue;
      }
      step.move = {chosen.kind, chosen.cpu,   chosen.task, elapsed,
                   chosen.loss, chosen.delay, {quiet},     chosen.value};
      step.after = in_fractions(state_);
      return step;
    }
    return std::nullopt;
  }

 private:
  Move<D> to_move(const ScheduledMove& chosen) const {
    return {chosen.kind,
            chosen.cpu,
            chosen.task,
            d_.number(chosen.time - now_),
            d_.number(chosen.loss),
            d_.number(chosen.delay),
            std::vector<QuietTicks<D>>(1),
            chosen.value};
  }

  bool is_quiet(const Move<D>& move, const State<D>& old) const {
    if (move.kind != MoveKind::tick) return false;
    const Cpu<D>& before = old.cpus[0];
    const Cpu<D>& after = state_.cpus[0];
    if (before.rq.curr == kNobody) return true;
    const auto curr = static_cast<std::size_t>(before.rq.curr);
    return before.resched == after.resched &&
           old.entities[curr].deadline == state_.entities[curr].deadline;
  }

  Dice& dice_;
  D& d_;
  const SystemSpec& spec_;
  System<D> system_;
  State<D> state_;
  Ns now_ = 0;
};

}  // namespace tickproof
