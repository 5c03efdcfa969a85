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
    values[name + ".vprot"] = e.vprot;
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

/// Where a step is said to lead.
struct Effect {
  NamedValues values;
  bool shifted = false;  ///< all virtual times may be off by one and the same number
  Rational reading;
};

class Relation {
 public:
  explicit Relation(const TransitionSystem& system) : system_(system) {}

  /// The transitions that a move may take from that control state, to the effect that
  /// `effect_of` names for each; anywhere without it. The move's task is in the numbering
  /// of the graph.
  template <class EffectOf>
  std::vector<TransitionId> transitions(ControlId control, const NamedValues& before,
                                        const Move<RationalDomain>& move,
                                        const EffectOf& effect_of) const {
    std::vector<TransitionId> all;
    for (const TransitionId id :
         boost::make_iterator_range(boost::out_edges(control, system_.graph))) {
      const Transition& t = system_.graph[id];
      if (t.move.kind != move.kind || t.move.cpu != move.cpu || t.move.task != move.task ||
          t.move.value != move.value) {
        continue;
      }
      if (is_possible(t, before, move, effect_of(id))) all.push_back(id);
    }
    return all;
  }
  std::vector<TransitionId> transitions(ControlId control, const NamedValues& before,
                                        const Move<RationalDomain>& move) const {
    return transitions(control, before, move,
                       [](TransitionId) -> std::optional<Effect> { return std::nullopt; });
  }

  /// Does `fact` hold for these state variables?
  bool holds(const Formula& fact, const NamedValues& values) const {
    return fact.evaluate([&](Variable v) {
      return values.at(system_.variables.at(static_cast<std::size_t>(v)).name);
    });
  }

 private:
  using Values = std::map<Variable, Rational>;

  bool is_possible(const Transition& t, const NamedValues& before, const Move<RationalDomain>& move,
                   const std::optional<Effect>& effect) const {
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
    conditions.insert(conditions.end(), t.roundings.begin(), t.roundings.end());
    if (effect) add_effect(t, *effect, conditions);
    return can_hold(t, conditions, values);
  }

  void add_effect(const Transition& t, const Effect& effect,
                  std::vector<Formula>& conditions) const {
    const auto shift = Linear::of(static_cast<Variable>(t.symbols.size()));
    for (const auto& [variable, value] : t.update) {
      const std::string& name = system_.variables[static_cast<std::size_t>(variable)].name;
      const bool is_virtual =
          name.ends_with(".vruntime") || name.ends_with(".deadline") || name.ends_with(".vprot");
      const Linear now = is_virtual && effect.shifted ? value + shift : value;
      conditions.push_back(now == Linear(effect.values.at(name)));
    }
    if (t.reads) conditions.push_back(t.reading == Linear(effect.reading));
  }

  /// Are there values for the other symbols (min, periods, and roundings to whole
  /// numbers, as the kernel's are) such that the conditions hold?
  bool can_hold(const Transition& t, const std::vector<Formula>& conditions,
                const Values& values) const {
    std::vector<Formula> open;
    for (const Formula& condition : conditions) {
      if (is_open(condition, values)) {
        open.push_back(condition);
      } else if (!condition.evaluate([&](Variable v) { return values.at(v); })) {
        return false;
      }
    }
    if (open.empty()) return true;
    const auto known = [&](Variable v) {
      const auto found = values.find(v);
      return found == values.end() ? Linear::of(v) : Linear(found->second);
    };
    const auto term = [&](Variable v) {
      const std::string name = std::to_string(v);
      const auto symbol = static_cast<std::size_t>(v);
      return symbol < t.symbols.size() && t.symbols[symbol].whole
                 ? z3::to_real(ctx_.int_const(("n" + name).c_str()))
                 : ctx_.real_const(("x" + name).c_str());
    };
    solver_.reset();
    for (const Formula& condition : open) {
      solver_.add(to_term(ctx_, condition.substitute(known), term));
    }
    for (std::size_t v = 0; v < t.symbols.size(); ++v) {
      if (!t.symbols[v].rounding) continue;
      const Linear rounded = t.symbols[v].rounding->exact - Linear::of(static_cast<Variable>(v));
      const std::string name = "rounded" + std::to_string(v);
      solver_.add(to_term(ctx_, rounded.substitute(known), term) ==
                  z3::to_real(ctx_.int_const(name.c_str())));
    }
    return solver_.check() == z3::sat;
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
