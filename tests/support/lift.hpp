// A concrete state in another domain: as exact fractions, so that runs in any domain can
// be compared, and as a symbolic one, so that its control state can be described.
#pragma once

#include "model/kernel_domain.hpp"
#include "model/rational_domain.hpp"
#include "model/state.hpp"
#include "model/symbolic_domain.hpp"

namespace tickproof {

inline Rational to_fraction(const Checked& x) { return x.value(); }
inline Rational to_fraction(const Rational& x) { return x; }

/// The same state, each number converted.
template <Domain To, Domain From, class Convert>
State<To> lift(const State<From>& s, const Convert& to) {
  State<To> result;
  for (const Entity<From>& e : s.entities) {
    result.entities.push_back({to(e.vruntime), to(e.deadline), to(e.vlag), to(e.vprot), to(e.slice),
                               e.weight, e.policy, e.custom_slice, e.on_rq, e.delayed,
                               e.rel_deadline});
  }
  for (const Task<From>& t : s.tasks) {
    result.tasks.push_back({t.life, t.cpu, t.nice, to(t.left), to(t.until)});
  }
  for (const Cpu<From>& c : s.cpus) {
    result.cpus.push_back({{c.rq.curr, c.rq.tree, c.rq.next, c.rq.keeps_deadline, to(c.rq.v0)},
                           c.running,
                           c.fifo,
                           to(c.to_tick),
                           to(c.uncharged),
                           c.resched,
                           to(c.stretch),
                           c.hrtick_armed,
                           to(c.hrtick),
                           to(c.ran)});
  }
  return result;
}

template <Domain From>
State<RationalDomain> in_fractions(const State<From>& s) {
  return lift<RationalDomain>(s, [](const auto& x) { return to_fraction(x); });
}

inline State<SymbolicDomain> as_symbolic(const State<RationalDomain>& s) {
  return lift<SymbolicDomain>(s, [](const Rational& x) { return Linear(x); });
}

}  // namespace tickproof
