#include "solver/path_problem.hpp"

#include <algorithm>

#include "solver/terms.hpp"

namespace tickproof {
namespace {

/// Strict constraints made non-strict: the closure, on which a maximum exists.
Formula closed(const Formula& formula) {
  std::vector<Formula> parts;
  for (const Formula& part : formula.parts()) parts.push_back(closed(part));
  switch (formula.kind()) {
    case Formula::Kind::above: return Formula::at_least_zero(formula.expression());
    case Formula::Kind::all: return Formula::all(std::move(parts));
    case Formula::Kind::any: return Formula::any(std::move(parts));
    default: return formula;
  }
}

/// Rounded down; times are far below 2^63.
Ns floor_of(const Rational& value) {
  auto quotient = numerator(value) / denominator(value);
  if (numerator(value) < 0 && quotient * denominator(value) != numerator(value)) quotient -= 1;
  return quotient.convert_to<Ns>();
}

}  // namespace

PathProblem::PathProblem(const TransitionSystem& system, const Path& path, Aim aim)
    : system_(system), aim_(aim) {
  const std::size_t state_size = system.variables.size();
  std::vector<Linear> state(state_size);
  for (const Variable v : system.graph[system.initial].live) {
    state[static_cast<std::size_t>(v)] = Linear::of(add_variable({}));
  }
  const auto in_state = [&](Variable v) { return state[static_cast<std::size_t>(v)]; };
  for (const Formula& fact : system.graph[system.initial].invariants) {
    conditions_.push_back(fact.substitute(in_state));
  }
  for (const Formula& fact : system.start) conditions_.push_back(fact.substitute(in_state));
  // Task i of the graph's current numbering is task original[i] of the system.
  std::vector<TaskId> original(system.spec.tasks.size());
  for (std::size_t i = 0; i < original.size(); ++i) original[i] = static_cast<TaskId>(i);

  for (const TransitionId id : path) {
    const Transition& t = system.graph[id];
    const ControlState& source = system.graph[boost::source(id, system.graph)];
    std::vector<Linear> values = state;
    const auto value_of = [&](Variable v) { return values[static_cast<std::size_t>(v)]; };
    for (std::size_t s = state_size; s < t.symbols.size(); ++s) {
      SymbolInfo unknown = t.symbols[s];
      if (auto& rounding = unknown.rounding) {
        *rounding = {rounding->exact.substitute(value_of), rounding->most.substitute(value_of)};
      }
      values.push_back(Linear::of(add_variable(std::move(unknown))));
    }
    for (const Formula& guard : t.guard) conditions_.push_back(guard.substitute(value_of));
    for (const Formula& fact : t.roundings) roundings_.push_back(fact.substitute(value_of));

    PathMove move;
    move.move = t.move;
    if (move.move.task != kNobody) {
      move.move.task = original[static_cast<std::size_t>(move.move.task)];
    }
    move.move.elapsed = t.move.elapsed.substitute(value_of);
    move.move.loss = t.move.loss.substitute(value_of);
    // A tick without a switch takes no time.
    move.move.delay = t.schedules ? t.move.delay.substitute(value_of) : Linear();
    for (QuietTicks<SymbolicDomain>& quiet : move.move.quiet) {
      quiet.count = quiet.count.substitute(value_of);
      quiet.loss = quiet.loss.substitute(value_of);
    }
    for (const Cpu<SymbolicDomain>& cpu : source.skeleton.cpus) {
      move.to_tick.push_back(cpu.to_tick.substitute(value_of));
      move.busy.push_back(cpu.rq.curr != kNobody);
    }
    if (moves_.empty()) first_tick_ = move.to_tick;
    moves_.push_back(std::move(move));

    value_ = t.reading.substitute(value_of);
    duration_ = duration_ + moves_.back().move.elapsed + moves_.back().move.delay;
    std::vector<Linear> next(state_size);
    for (const auto& [variable, value] : t.update) {
      next[static_cast<std::size_t>(variable)] = value.substitute(value_of);
    }
    state = std::move(next);
    std::vector<TaskId> renumbered(original.size());
    for (std::size_t i = 0; i < original.size(); ++i) {
      renumbered[static_cast<std::size_t>(t.renamed[i])] = original[i];
    }
    original = std::move(renumbered);
  }
  value_ = value_.scaled(sign());
}

Variable PathProblem::add_variable(SymbolInfo unknown) {
  unknowns_.push_back(std::move(unknown));
  return static_cast<Variable>(unknowns_.size() - 1);
}

z3::expr PathProblem::term(Variable variable) {
  const std::string name = "x" + std::to_string(variable);
  return unknowns_[static_cast<std::size_t>(variable)].whole
             ? z3::to_real(ctx_.int_const(name.c_str()))
             : ctx_.real_const(name.c_str());
}

std::vector<Rational> PathProblem::values_in(const z3::model& model) {
  std::vector<Rational> values;
  for (std::size_t v = 0; v < unknowns_.size(); ++v) {
    values.push_back(to_rational(model.eval(term(static_cast<Variable>(v)), true).simplify()));
  }
  return values;
}

bool PathProblem::choose_corner(const std::optional<Ns>& beyond) {
  const TermOf term_of = [this](Variable v) { return term(v); };
  z3::solver solver = make_solver(ctx_);
  for (const Formula& condition : conditions_) {
    solver.add(to_term(ctx_, condition, term_of));
  }
  for (const Formula& fact : roundings_) solver.add(to_term(ctx_, fact, term_of));
  if (beyond) solver.add(to_term(ctx_, value_, term_of) >= to_numeral(ctx_, *beyond + 1));
  if (solver.check() != z3::sat) return false;
  const std::vector<Rational> values = values_in(solver.get_model());
  corner_.clear();
  for (const Formula& condition : conditions_) choose_branches(condition, values);
  for (std::size_t v = 0; v < unknowns_.size(); ++v) {
    if (!unknowns_[v].whole) continue;
    corner_.push_back(Linear::of(static_cast<Variable>(v)) == Linear(values[v]));
  }
  return true;
}

/// The largest value of `goal` on the closure of the corner. Whole numbers are
/// fixed there: Z3 4.8.12 optimises reals exactly, mixed problems not always.
std::optional<Rational> PathProblem::maximize(const Linear& goal) {
  const TermOf term_of = [this](Variable v) { return term(v); };
  z3::optimize optimize(ctx_);
  z3::params params(ctx_);
  params.set("ctrl_c", false);  // as in make_solver()
  optimize.set(params);
  for (const Formula& constraint : corner_) {
    optimize.add(to_term(ctx_, closed(constraint), term_of));
  }
  for (const Formula& fact : roundings_) optimize.add(to_term(ctx_, closed(fact), term_of));
  const z3::optimize::handle handle = optimize.maximize(to_term(ctx_, goal, term_of));
  if (optimize.check() != z3::sat || !optimize.upper(handle).is_numeral()) return std::nullopt;
  const std::vector<Rational> values = values_in(optimize.get_model());
  return goal.evaluate([&](Variable v) { return values[static_cast<std::size_t>(v)]; });
}

std::optional<Ns> PathProblem::best(const std::optional<Ns>& beyond) {
  std::optional<Ns> least = beyond;
  if (least) *least *= sign();
  // From corner to corner, each better than the last, until there is none.
  while (choose_corner(least)) {
    const std::optional<Rational> most = maximize(value_);
    if (!most) return std::nullopt;
    best_ = least = floor_of(*most);
  }
  if (!best_) return std::nullopt;
  // Of the best runs the shortest: it is read by people.
  corner_.push_back(value_ >= Linear(*best_));
  const std::optional<Rational> shortest = maximize(duration_.scaled(-1));
  corner_.pop_back();
  if (!shortest) return std::nullopt;
  shortest_ = -*shortest;
  return sign() * *best_;
}

/// Adds to corner_ the constraints of `formula`; of alternatives, those of the
/// first that the values satisfy.
void PathProblem::choose_branches(const Formula& formula, const std::vector<Rational>& values) {
  const auto value_of = [&](Variable v) { return values[static_cast<std::size_t>(v)]; };
  switch (formula.kind()) {
    case Formula::Kind::literal: return;
    case Formula::Kind::all:
      for (const Formula& part : formula.parts()) choose_branches(part, values);
      return;
    case Formula::Kind::any:
      for (const Formula& part : formula.parts()) {
        if (part.evaluate(value_of)) return choose_branches(part, values);
      }
      return;
    default: corner_.push_back(formula);
  }
}

/// `formula`, a constraint, for the worst that roundings can do to it.
Formula PathProblem::hardened(const Formula& constraint) const {
  Linear worst = constraint.expression();
  for (const auto& [variable, coefficient] : constraint.expression().terms()) {
    const auto& rounding = unknowns_[static_cast<std::size_t>(variable)].rounding;
    if (!rounding) continue;
    worst = worst.plus(Linear::of(variable), -coefficient);
    if (coefficient < 0) worst = worst.plus(rounding->most, coefficient);
  }
  return constraint.kind() == Formula::Kind::above ? Formula::above_zero(std::move(worst))
                                                   : Formula::at_least_zero(std::move(worst));
}

std::optional<Schedule> PathProblem::schedule(Ns distance, Ns room) {
  if (!best_) return std::nullopt;
  // What the environment chooses is in whole nanoseconds now.
  std::vector<bool> whole = in_whole_ns();
  const TermOf term_of = [&](Variable v) {
    const std::string name = "i" + std::to_string(v);
    return whole[static_cast<std::size_t>(v)] ? z3::to_real(ctx_.int_const(name.c_str()))
                                              : ctx_.real_const(name.c_str());
  };
  z3::solver solver = make_solver(ctx_);
  z3::params params(ctx_);
  params.set("timeout", 2000U);
  solver.set(params);
  const auto add = [&](const Formula& formula) { solver.add(to_term(ctx_, formula, term_of)); };
  add(value_ >= Linear(*best_ - distance));
  // Not much longer than need be: short runs are easy to read.
  add(duration_ <= Linear(shortest_ + room));
  for (const Formula& constraint : corner_) add(constraint);
  for (const Formula& fact : roundings_) add(fact);
  if (solver.check() != z3::sat) return std::nullopt;
  z3::model model = solver.get_model();

  // Goes on from here only if all these can hold as well.
  const auto insist = [&](const std::vector<Formula>& formulas) {
    solver.push();
    for (const Formula& formula : formulas) add(formula);
    if (solver.check() != z3::sat) {
      solver.pop();
      return false;
    }
    model = solver.get_model();
    return true;
  };
  // Best if all conditions hold however the kernel rounds, else as it does: to whole
  // numbers. That may be too hard a question; then as many as possible shall hold.
  std::vector<Formula> hard;
  for (const Formula& constraint : corner_) {
    if (constraint.kind() == Formula::Kind::equal) continue;
    Formula harder = hardened(constraint);
    if (!harder.same_as(constraint)) hard.push_back(std::move(harder));
  }
  if (!insist(hard) && !insist(whole_roundings(whole))) {
    for (const Formula& constraint : hard) insist({constraint});
  }
  std::vector<Rational> values;
  for (std::size_t v = 0; v < unknowns_.size(); ++v) {
    values.push_back(to_rational(model.eval(term_of(static_cast<Variable>(v)), true).simplify()));
  }
  return to_schedule(values);
}

/// The kernel's numbers are whole ones: for each rounding a new one, added to `whole`.
std::vector<Formula> PathProblem::whole_roundings(std::vector<bool>& whole) const {
  std::vector<Formula> facts;
  for (std::size_t v = 0; v < unknowns_.size(); ++v) {
    if (!unknowns_[v].rounding) continue;
    const Linear rounded = unknowns_[v].rounding->exact - Linear::of(static_cast<Variable>(v));
    facts.push_back(rounded == Linear::of(static_cast<Variable>(whole.size())));
    whole.push_back(true);
  }
  return facts;
}

/// The variables that the times of the schedule are made of, besides the counts.
std::vector<bool> PathProblem::in_whole_ns() const {
  std::vector<bool> whole;
  for (const SymbolInfo& unknown : unknowns_) whole.push_back(unknown.whole);
  const auto mark = [&](const Linear& linear) {
    for (const auto& [variable, coefficient] : linear.terms()) {
      whole[static_cast<std::size_t>(variable)] = true;
    }
  };
  for (const Linear& phase : first_tick_) mark(phase);
  for (const PathMove& m : moves_) {
    mark(m.move.elapsed);
    mark(m.move.loss);
    mark(m.move.delay);
    for (const QuietTicks<SymbolicDomain>& quiet : m.move.quiet) mark(quiet.loss);
  }
  return whole;
}

Schedule PathProblem::to_schedule(const std::vector<Rational>& values) const {
  const auto ns = [&](const Linear& linear) {
    return floor_of(
        linear.evaluate([&](Variable v) { return values[static_cast<std::size_t>(v)]; }));
  };
  const SystemSpec& spec = system_.spec;
  Schedule schedule;
  for (const Linear& phase : first_tick_) schedule.first_tick.push_back(ns(phase));
  Ns now = 0;
  for (const PathMove& m : moves_) {
    std::vector<ScheduledMove> step;
    for (CpuId c = 0; c < static_cast<CpuId>(m.to_tick.size()); ++c) {
      const auto i = static_cast<std::size_t>(c);
      const Ns count = ns(m.move.quiet[i].count);
      Ns rest = ns(m.move.quiet[i].loss);
      std::vector<ScheduledMove> ticks;
      for (Ns k = 0; k < count; ++k) {
        ticks.push_back({now + ns(m.to_tick[i]) + k * spec.tick, MoveKind::tick, c, kNobody, 0, 0});
      }
      if (m.busy[i]) {
        // Any split that keeps to the bounds does: only the sum was asked for. The
        // later ticks take more, for the first may have had less time to lose.
        for (Ns k = count; k-- > 0;) {
          const Ns others = k * spec.loss.lo;
          ticks[static_cast<std::size_t>(k)].loss = std::clamp(rest - others, Ns{0}, spec.loss.hi);
          rest -= ticks[static_cast<std::size_t>(k)].loss;
        }
      }
      step.insert(step.end(), ticks.begin(), ticks.end());
    }
    std::stable_sort(step.begin(), step.end(), [](const ScheduledMove& a, const ScheduledMove& b) {
      return a.time < b.time;
    });
    const Ns time = now + ns(m.move.elapsed);
    step.push_back({time, m.move.kind, m.move.cpu, m.move.task, ns(m.move.loss), ns(m.move.delay),
                    m.move.value});
    now = time + step.back().delay;
    schedule.moves.insert(schedule.moves.end(), step.begin(), step.end());
  }
  return schedule;
}

}  // namespace tickproof
