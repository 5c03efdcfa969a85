// The extracted transition relation, asked about concrete values.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/rational_domain.hpp"
#include "solver/terms.hpp"
#include "solver/transition_system.hpp"

namespace tickproof {

/// Numbers by the name of the state variable that holds them: "hog.1.vruntime".
using NamedValues = std::map<std::string, Rational>;

/// All numbers of a concrete state, task i of the graph being task original[i] of it.
inline NamedValues values_of(const SystemSpec& spec, const State<RationalDomain>& s,
                             const std::vector<TaskId>& original, const Rational& watched) {
  NamedValues values;
  for (std::size_t i = 0; i < original.size(); ++i) {
    const auto concrete = static_cast<std::size_t>(original[i]);
    const Entity<RationalDomain>& e = s.entities[concrete];
    const Task<RationalDomain>& t = s.tasks[concrete];
    const std::string& name = spec.tasks[i].name;
    values[name + ".vruntime"] = e.vruntime;
    values[name + ".deadline"] = e.deadline;
    values[name + ".lag"] = e.vlag;
    values[name + ".left"] = t.left;
    values[name + ".until"] = t.until;
  }
  const Cpu<RationalDomain>& cpu = s.cpus[0];
  values["cpu0.to_tick"] = cpu.to_tick;
  values["cpu0.uncharged"] = cpu.uncharged;
  values["cpu0.stretch"] = cpu.stretch;
  values["cpu0.hrtick"] = cpu.hrtick;
  values["cpu0.ran"] = cpu.ran;
  values["watched"] = watched;
  return values;
}

/// What a transition makes of a move.
struct Outcome {
  TransitionId transition;
  NamedValues values;  ///< the live numbers behind it
  Rational reading;
};

class Relation {
 public:
  explicit Relation(const TransitionSystem& system) : system_(system) {}

  /// Every way in which the move can go from that control state. The move's task is in
  /// the numbering of the graph.
  std::vector<Outcome> outcomes(ControlId control, const NamedValues& before,
                                const Move<RationalDomain>& move) const {
    std::vector<Outcome> all;
    for (const TransitionId id :
         boost::make_iterator_range(boost::out_edges(control, system_.graph))) {
      if (std::optional<Outcome> outcome = try_transition(id, before, move)) {
        all.push_back(std::move(*outcome));
      }
    }
    return all;
  }

  /// Does `fact` hold for these state variables?
  bool holds(const Formula& fact, const NamedValues& values) const {
    return fact.evaluate([&](Variable v) {
      return values.at(system_.variables.at(static_cast<std::size_t>(v)).name);
    });
  }

 private:
  using Values = std::map<Variable, Rational>;

  std::optional<Outcome> try_transition(TransitionId id, const NamedValues& before,
                                        const Move<RationalDomain>& move) const {
    const Transition& t = system_.graph[id];
    if (t.move.kind != move.kind || t.move.cpu != move.cpu || t.move.task != move.task) {
      return std::nullopt;
    }
    Values values;
    for (std::size_t v = 0; v < system_.variables.size(); ++v) {
      values[static_cast<Variable>(v)] = before.at(system_.variables[v].name);
    }
    std::vector<Formula> conditions;
    const auto set = [&](const Linear& part, const Rational& value) {
      if (part.terms().size() == 1 && part.same_as(Linear::of(part.terms()[0].first)) &&
          !values.contains(part.terms()[0].first)) {
        values[part.terms()[0].first] = value;
      } else {
        conditions.push_back(part == Linear(value));
      }
    };
    for (std::size_t c = 0; c < move.quiet.size(); ++c) {
      set(t.move.quiet[c].count, move.quiet[c].count);
      set(t.move.quiet[c].time, move.quiet[c].time);
      set(t.move.quiet[c].loss, move.quiet[c].loss);
    }
    set(t.move.elapsed, move.elapsed);
    if (move.kind == MoveKind::tick) {
      set(t.move.loss, move.loss);
      set(t.move.delay, move.delay);
    }
    conditions.insert(conditions.end(), t.guard.begin(), t.guard.end());
    if (!complete(t, conditions, values)) return std::nullopt;
    const auto value_of = [&](Variable v) { return values.at(v); };
    Outcome outcome{id, {}, t.reading.evaluate(value_of)};
    for (const auto& [variable, value] : t.update) {
      outcome.values[system_.variables[static_cast<std::size_t>(variable)].name] =
          value.evaluate(value_of);
    }
    return outcome;
  }

  /// Finds values for the auxiliary symbols (min, periods) that satisfy the conditions.
  bool complete(const Transition& t, const std::vector<Formula>& conditions, Values& values) const {
    const auto value_of = [&](Variable v) { return values.at(v); };
    std::vector<Formula> open;
    for (const Formula& condition : conditions) {
      if (!is_open(condition, values)) {
        if (!condition.evaluate(value_of)) return false;
      } else {
        open.push_back(condition);
      }
    }
    if (values.size() == t.symbols.size()) return true;
    const auto known = [&](Variable v) {
      const auto found = values.find(v);
      return found == values.end() ? Linear::of(v) : Linear(found->second);
    };
    const auto term = [&](Variable v) {
      const std::string name = std::to_string(v);
      return t.symbols.at(static_cast<std::size_t>(v)).whole
                 ? z3::to_real(ctx_.int_const(("n" + name).c_str()))
                 : ctx_.real_const(("x" + name).c_str());
    };
    solver_.reset();
    for (const Formula& condition : open) {
      solver_.add(to_term(ctx_, condition.substitute(known), term));
    }
    if (solver_.check() != z3::sat) return false;
    const z3::model model = solver_.get_model();
    // Auxiliary symbols are determined by the rest.
    z3::expr_vector others(ctx_);
    for (auto v = static_cast<Variable>(system_.variables.size());
         v < static_cast<Variable>(t.symbols.size()); ++v) {
      if (values.contains(v)) continue;
      values[v] = to_rational(model.eval(term(v), true).simplify());
      others.push_back(term(v) != to_numeral(ctx_, values[v]));
    }
    solver_.add(z3::mk_or(others));
    if (solver_.check() != z3::unsat) throw std::logic_error(t.name + " leaves a choice open");
    return true;
  }

  /// Does it depend on a symbol whose value is not known?
  static bool is_open(const Formula& formula, const Values& values) {
    const std::vector<Linear::Term>& terms = formula.expression().terms();
    return std::any_of(terms.begin(), terms.end(),
                       [&](const Linear::Term& term) { return !values.contains(term.first); }) ||
           std::any_of(formula.parts().begin(), formula.parts().end(),
                       [&](const Formula& part) { return is_open(part, values); });
  }

  const TransitionSystem& system_;
  mutable z3::context ctx_;
  mutable z3::solver solver_ = make_solver(ctx_);
};

}  // namespace tickproof
