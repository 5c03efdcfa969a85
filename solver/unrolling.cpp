#include "solver/unrolling.hpp"

#include <string>

#include "solver/unit.hpp"

namespace tickproof {
namespace {

auto out(const TransitionSystem& system, ControlId c) {
  return boost::make_iterator_range(boost::out_edges(c, system.graph));
}

}  // namespace

Unrolling::Unrolling(const TransitionSystem& system, std::size_t depth, Aim aim)
    : system_(system),
      aim_(aim),
      unit_(common_unit(system.spec)),
      solver_(make_solver(ctx_)),
      value_(ctx_.real_const("value")),
      steps_(depth) {
  prune(depth);
  solver_.add(at(0, system.initial));
  for (const Formula& fact : system.start) {
    solver_.add(to_term(
        ctx_, fact, [this](Variable v) { return state_term(0, v); }, unit_));
  }
  for (std::size_t k = 0; k < depth; ++k) encode_step(k);
}

bool Unrolling::has_value(const Transition& transition) const {
  return aim_ == Aim::largest ? transition.reads : transition.closes;
}

/// useful_[k][c]: step k may start in c, and from there the last step can have a
/// value; looking at the graph alone.
void Unrolling::prune(std::size_t depth) {
  const std::size_t controls = boost::num_vertices(system_.graph);
  useful_.assign(depth + 1, std::vector<char>(controls, 0));
  useful_[0][system_.initial] = 1;
  for (std::size_t k = 0; k < depth; ++k) {
    useful_[k + 1][system_.initial] = 1;
    for (ControlId c = 0; c < controls; ++c) {
      if (useful_[k][c] == 0) continue;
      for (const TransitionId t : out(system_, c)) {
        useful_[k + 1][boost::target(t, system_.graph)] = 1;
      }
    }
  }
  for (std::size_t k = depth; k-- > 0;) {
    for (ControlId c = 0; c < controls; ++c) {
      bool leads = k + 1 < depth && c == system_.initial && useful_[k + 1][c] != 0;
      for (const TransitionId t : out(system_, c)) {
        leads = leads || (k + 1 == depth ? has_value(system_.graph[t])
                                         : useful_[k + 1][boost::target(t, system_.graph)] != 0);
      }
      if (!leads) useful_[k][c] = 0;
    }
  }
}

z3::expr Unrolling::at(std::size_t k, ControlId control) {
  return ctx_.bool_const(("at" + std::to_string(control) + "@" + std::to_string(k)).c_str());
}

z3::expr Unrolling::state_term(std::size_t k, Variable variable) {
  return ctx_.real_const(
      (system_.variables[static_cast<std::size_t>(variable)].name + "@" + std::to_string(k))
          .c_str());
}

TermOf Unrolling::terms(std::size_t k, const Transition& transition) {
  return [this, k, &transition](Variable v) {
    const auto variable = static_cast<std::size_t>(v);
    if (variable < system_.variables.size()) return state_term(k, v);
    // Transitions share the symbols of a step: only one of them is taken.
    const SymbolInfo& symbol = transition.symbols[variable];
    const std::string name = symbol.name + std::to_string(variable) + "@" + std::to_string(k);
    if (!symbol.whole) return ctx_.real_const(name.c_str());
    return to_numeral(ctx_, 1 / unit_) * z3::to_real(ctx_.int_const(name.c_str()));
  };
}

z3::expr Unrolling::scaled(const Linear& linear, const TermOf& term_of) {
  return to_term(ctx_, linear, term_of, unit_);
}

void Unrolling::encode_choice(std::size_t k, const Choice& choice) {
  const Transition& t = system_.graph[choice.transition];
  const TermOf term_of = terms(k, t);
  const auto implied = [&](const z3::expr& consequence) {
    solver_.add(z3::implies(choice.taken, consequence));
  };
  implied(at(k, boost::source(choice.transition, system_.graph)));
  for (const Formula& guard : t.guard) implied(to_term(ctx_, guard, term_of, unit_));
  for (const Formula& fact : t.roundings) implied(to_term(ctx_, fact, term_of, unit_));
  if (is_last(k)) {
    implied(value_ == scaled(t.reading, term_of));
    return;
  }
  implied(at(k + 1, boost::target(choice.transition, system_.graph)));
  for (const auto& [variable, value] : t.update) {
    implied(state_term(k + 1, variable) == scaled(value, term_of));
  }
}

void Unrolling::encode_step(std::size_t k) {
  const std::size_t controls = boost::num_vertices(system_.graph);
  std::vector<z3::expr_vector> into(controls, z3::expr_vector(ctx_));
  z3::expr_vector some(ctx_);
  const std::string suffix = "@" + std::to_string(k);
  for (ControlId c = 0; c < controls; ++c) {
    if (useful_[k][c] == 0) continue;
    for (const Formula& fact : system_.graph[c].invariants) {
      solver_.add(z3::implies(at(k, c), to_term(ctx_, fact, terms(k, Transition()), unit_)));
    }
    z3::expr_vector leaving(ctx_);
    const auto leave = [&](const z3::expr& taken, ControlId target) {
      leaving.push_back(taken);
      some.push_back(taken);
      into[target].push_back(taken);
    };
    for (const TransitionId t : out(system_, c)) {
      const ControlId target = boost::target(t, system_.graph);
      if (is_last(k) ? !has_value(system_.graph[t]) : useful_[k + 1][target] == 0) continue;
      const std::string name = "take" + std::to_string(steps_[k].size()) + suffix;
      steps_[k].push_back({t, ctx_.bool_const(name.c_str())});
      encode_choice(k, steps_[k].back());
      leave(steps_[k].back().taken, target);
    }
    if (c == system_.initial && !is_last(k) && useful_[k + 1][c] != 0) {
      const z3::expr wait = ctx_.bool_const(("wait" + suffix).c_str());
      solver_.add(z3::implies(wait, at(k, c) && at(k + 1, c)));
      for (const Variable v : system_.graph[c].live) {
        solver_.add(z3::implies(wait, state_term(k + 1, v) == state_term(k, v)));
      }
      leave(wait, c);
    }
    solver_.add(z3::implies(at(k, c), z3::mk_or(leaving)));
  }
  solver_.add(z3::mk_or(some));
  // Implied, but the solver is a third faster when it is told.
  z3::expr_vector here(ctx_);
  for (ControlId c = 0; c < controls; ++c) {
    if (useful_[k][c] == 0) continue;
    for (const z3::expr& other : here) solver_.add(!at(k, c) || !other);
    here.push_back(at(k, c));
  }
  if (is_last(k)) return;
  for (ControlId c = 0; c < controls; ++c) {
    if (useful_[k + 1][c] != 0) {
      solver_.add(z3::implies(at(k + 1, c), z3::mk_or(into[c])));
    }
  }
}

z3::check_result Unrolling::any() { return solver_.check(); }

z3::check_result Unrolling::beyond(Ns value) {
  // Values are whole numbers. Each question is harder than the last: what is asked
  // stays asked.
  const Ns next = aim_ == Aim::largest ? value + 1 : value - 1;
  const z3::expr limit = to_numeral(ctx_, Rational(next) / unit_);
  solver_.add(aim_ == Aim::largest ? value_ >= limit : value_ <= limit);
  return solver_.check();
}

void Unrolling::exclude(const Path& path) {
  // The last step of a path is the last step there is.
  z3::expr_vector others(ctx_);
  for (std::size_t i = 0; i < path.size(); ++i) {
    for (const Choice& choice : steps_[steps_.size() - path.size() + i]) {
      if (choice.transition == path[i]) others.push_back(!choice.taken);
    }
  }
  solver_.add(z3::mk_or(others));
}

Path Unrolling::path() const {
  const z3::model model = solver_.get_model();
  Path path;
  ControlId here = system_.initial;
  for (const std::vector<Choice>& step : steps_) {
    for (const Choice& choice : step) {
      if (boost::source(choice.transition, system_.graph) != here) continue;
      if (!model.eval(choice.taken, true).is_true()) continue;
      path.push_back(choice.transition);
      here = boost::target(choice.transition, system_.graph);
      break;
    }
  }
  return path;
}

}  // namespace tickproof
