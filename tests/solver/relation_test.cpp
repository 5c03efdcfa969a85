// The extracted transition relation against the step function that it was extracted
// from: random runs in the kernel's arithmetic take transitions of the graph. Exactly one fits each
// step and leads to the state that the run goes to. Steps that the model does not allow take none.
#include "tests/support/relation.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "solver/control.hpp"
#include "tests/support/lift.hpp"
#include "tests/support/macro_run.hpp"

namespace tickproof {
namespace {

std::size_t index(int id) { return static_cast<std::size_t>(id); }

/// Follows a concrete run through the graph.
class Follower {
 public:
  Follower(Dice& dice, KernelDomain& d, const TransitionSystem& system)
      : dice_(dice),
        system_(system),
        relation_(system),
        run_(dice, d, system.spec),
        watch_(d, system.property.kind, system.watched),
        control_(system.initial) {
    for (std::size_t i = 0; i < system.spec.tasks.size(); ++i) {
      original_.push_back(static_cast<TaskId>(i));
    }
  }

  /// False: the run has ended.
  bool step() {
    check_control(in_fractions(run_.state()));
    const Rational watched = to_fraction(watch_.state.value);
    watch_.begin_step();
    std::optional<MacroStep> step = run_.next(watch_);
    watch_.end_step();
    if (!step) return false;
    const NamedValues before = values_of(system_.spec, step->before, original_, watched);
    step->move.task = in_graph(step->move.task);
    SCOPED_TRACE(system_.graph[control_].name + ", then " + name_of(step->move.kind) + " of task " +
                 std::to_string(step->move.task));
    if (dice_.one_in(2)) perturb(*step, before);
    const std::vector<TransitionId> possible =
        relation_.transitions(control_, before, step->move, effect_of(*step));
    EXPECT_GE(possible.size(), 1U);
    // With ties that go either way several ways may lead to the same.
    const bool is_unique = system_.spec.fair.rules.tie == Tie::insertion;
    EXPECT_TRUE(!is_unique || possible.size() <= 1);
    if (possible.empty() || (is_unique && possible.size() > 1)) return false;
    take(possible[0]);
    ++steps;
    merged += step->move.quiet[0].count > 0 ? 1 : 0;
    const MoveKind kind = step->move.kind;
    changes += kind == MoveKind::renice || kind == MoveKind::set_slice ? 1 : 0;
    above += step->before.cpus[0].fifo.empty() ? 0 : 1;
    return true;
  }

  int steps = 0;
  int merged = 0;     // steps with quiet ticks
  int changes = 0;    // steps that give a task something
  int above = 0;      // steps while a higher class runs or is to run
  int perturbed = 0;  // impossible steps that were tried

 private:
  TaskId in_graph(TaskId concrete) const {
    if (concrete == kNobody) return kNobody;
    return static_cast<TaskId>(std::find(original_.begin(), original_.end(), concrete) -
                               original_.begin());
  }

  /// The concrete state is in the control state, and its invariants hold.
  void check_control(const State<RationalDomain>& s) {
    State<SymbolicDomain> lifted = as_symbolic(s);
    canonicalize(system_.spec, lifted);
    const std::string name = describe_control(system_.spec, lifted, watch_.state.active);
    // In a control state that may be uncharged, the uncharged time may be 0.
    std::string expected = system_.graph[control_].name;
    if (const auto at = expected.find('@');
        at != std::string::npos && s.cpus[0].uncharged.is_zero()) {
      expected.erase(at, 1);
    }
    EXPECT_EQ(name, expected);
    const NamedValues values =
        values_of(system_.spec, s, original_, to_fraction(watch_.state.value));
    for (const Formula& fact : system_.graph[control_].invariants) {
      EXPECT_TRUE(relation_.holds(fact, values)) << expected;
    }
  }

  /// Where the step leads, in the numbering behind each transition. Virtual times on a
  /// queue that was empty start from anywhere.
  std::function<std::optional<Effect>(TransitionId)> effect_of(const MacroStep& step) const {
    return [this, &step](TransitionId id) {
      // One that is taken off it for a change may have been the last.
      const bool is_change =
          step.move.kind == MoveKind::renice || step.move.kind == MoveKind::set_slice;
      const bool was_empty =
          std::count_if(step.before.entities.begin(), step.before.entities.end(),
                        [](const auto& e) { return e.on_rq; }) <= (is_change ? 1 : 0);
      return Effect{
          values_of(system_.spec, step.after, renumbered(id), to_fraction(watch_.state.value)),
          was_empty, to_fraction(watch_.reading)};
    };
  }

  std::vector<TaskId> renumbered(TransitionId id) const {
    const std::vector<TaskId>& renamed = system_.graph[id].renamed;
    std::vector<TaskId> result(original_.size());
    for (std::size_t i = 0; i < original_.size(); ++i) result[index(renamed[i])] = original_[i];
    return result;
  }

  void take(TransitionId id) {
    const Transition& t = system_.graph[id];
    control_ = boost::target(id, system_.graph);
    original_ = renumbered(id);
    EXPECT_EQ(t.reads, watch_.has_reading());
    EXPECT_EQ(t.closes, watch_.closed);
  }

  /// Steps that the model does not allow have no transition.
  void perturb(const MacroStep& step, const NamedValues& before) {
    const auto impossible = [&](const Move<RationalDomain>& move, const char* what) {
      ++perturbed;
      EXPECT_TRUE(relation_.transitions(control_, before, move).empty()) << what;
    };
    const Cpu<RationalDomain>& cpu = step.before.cpus[0];
    const bool busy = cpu.rq.curr != kNobody;
    const QuietTicks<RationalDomain>& quiet = step.move.quiet[0];
    const Rational tick = system_.spec.tick;
    Move<RationalDomain> move = step.move;

    move.elapsed -= step.move.elapsed + 1;
    impossible(move, "time goes backward");

    if (step.move.kind == MoveKind::tick) {
      move = step.move;
      move.elapsed += dice_.one_of({-1, 1});
      impossible(move, "a tick off the grid");

      move = step.move;
      move.elapsed += tick;
      move.quiet[0] = {quiet.count + 1, step.move.elapsed, quiet.loss + step.move.loss};
      impossible(move, "a tick that acts is passed over");

      move = step.move;
      move.loss = system_.spec.loss.hi + 1;
      impossible(move, "more is lost than a tick may lose");
    } else {
      move = step.move;
      move.elapsed = cpu.to_tick + quiet.count * tick + 1;
      impossible(move, "a tick is missed");
    }
    if (quiet.count > 0) {
      if (quiet.time > 0) {  // one that is due at once may come behind the event
        move = step.move;
        move.quiet[0].count -= 1;
        impossible(move, "a quiet tick does not count");
      }

      move = step.move;
      move.quiet[0].time += 1;
      impossible(move, "a quiet tick off the grid");

      move = step.move;
      move.quiet[0].loss += tick * (quiet.count + 1);
      impossible(move, "quiet ticks lose all time and more");

      if (busy && cpu.resched == Resched::none) {
        move = Move<RationalDomain>();
        move.elapsed = cpu.to_tick;
        // It has lost no more than that, and found nothing.
        move.loss = std::min<Rational>(system_.spec.loss.hi, cpu.uncharged + cpu.to_tick);
        move.delay = system_.spec.switch_delay.lo;
        move.quiet.resize(1);
        impossible(move, "a quiet tick acts");
      }
    }
    const TaskId task = step.move.task;
    if (step.move.kind == MoveKind::wake) {
      const Task<RationalDomain>& t = step.before.tasks[index(original_[index(task)])];
      const Workload::Kind kind = system_.spec.tasks[index(task)].spec.workload.kind;
      if (t.life == Life::asleep && t.until > 0 && kind != Workload::Kind::unconstrained) {
        move = step.move;
        move.elapsed = t.until - 1;
        impossible(move, "a wake-up comes too early");
      }
    }
    if (step.move.kind == MoveKind::block || step.move.kind == MoveKind::yield) {
      const Task<RationalDomain>& t = step.before.tasks[index(original_[index(task)])];
      if (system_.spec.tasks[index(task)].spec.workload.kind != Workload::Kind::unconstrained) {
        move = step.move;
        move.elapsed = t.left + 1;
        impossible(move, "a burst is overrun");
      }
    }
    // The right step to a wrong state.
    if (busy) {
      MacroStep wrong = step;
      const auto elsewhere = [&](const char* what) {
        ++perturbed;
        EXPECT_TRUE(relation_.transitions(control_, before, step.move, effect_of(wrong)).empty())
            << what;
        wrong.after = step.after;
      };
      wrong.after.cpus[0].to_tick += 1;
      elsewhere("the tick moves");
      const TaskId queued = some_queued(wrong.after);
      if (queued == kNobody) return;
      wrong.after.entities[index(queued)].vruntime += Rational(1, 1000);
      elsewhere("a task's virtual time is off");
    }
  }

  static TaskId some_queued(const State<RationalDomain>& s) {
    for (std::size_t i = 0; i < s.entities.size(); ++i) {
      if (s.entities[i].on_rq) return static_cast<TaskId>(i);
    }
    return kNobody;
  }

  Dice& dice_;
  const TransitionSystem& system_;
  Relation relation_;
  MacroRun<KernelDomain> run_;
  Watch<KernelDomain> watch_;
  ControlId control_;
  std::vector<TaskId> original_;
};

Property random_property(Dice& dice, const SystemSpec& spec) {
  const auto task =
      static_cast<std::size_t>(dice.between(0, static_cast<Ns>(spec.tasks.size()) - 1));
  return property_of(random_kind(dice), spec.tasks[task].spec.name);
}

class RandomRuns : public testing::TestWithParam<int> {};

TEST_P(RandomRuns, TakeTransitions) {
  const int most_tasks = GetParam();
  const std::uint64_t seeds = most_tasks == 3 ? 24 : 60;
  constexpr int kRuns = 3;
  constexpr int kSteps = 25;
  int steps = 0;
  int merged = 0;
  int changes = 0;
  int above = 0;
  int perturbed = 0;
  for (std::uint64_t seed = 1; seed <= seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const SystemSpec spec = random_system(dice, {.most_tasks = most_tasks, .extremes = false});
    std::optional<TransitionSystem> system;
    try {
      system = extract(spec, random_property(dice, spec), 70);
    } catch (const std::length_error&) {
      continue;  // too large to be quick
    }
    KernelDomain d(spec.fair.rules.delta_fair);
    for (int run = 0; run < kRuns && !HasFailure(); ++run) {
      Follower follower(dice, d, *system);
      while (follower.steps < kSteps && follower.step()) {
      }
      steps += follower.steps;
      merged += follower.merged;
      changes += follower.changes;
      above += follower.above;
      perturbed += follower.perturbed;
    }
  }
  EXPECT_GT(steps, 1'000);
  EXPECT_GT(merged, steps / 10);
  EXPECT_GT(changes, steps / 20);
  EXPECT_GT(above, steps / 50);
  EXPECT_GT(perturbed, steps);
}

INSTANTIATE_TEST_SUITE_P(Relation, RandomRuns, testing::Values(2, 3));

}  // namespace
}  // namespace tickproof
