// A concrete state as a symbolic one, so that its control state can be described.
#pragma once

#include "model/rational_domain.hpp"
#include "model/state.hpp"
#include "model/symbolic_domain.hpp"

namespace tickproof {

/// The same state, each number a constant.
inline State<SymbolicDomain> lift(const State<RationalDomain>& s) {
  State<SymbolicDomain> result;
  for (const Entity<RationalDomain>& e : s.entities) {
    result.entities.push_back({Linear(e.vruntime), Linear(e.deadline), Linear(e.vlag),
                               Linear(e.slice), e.weight, e.policy, e.custom_slice, e.on_rq,
                               e.delayed, e.rel_deadline});
  }
  for (const Task<RationalDomain>& t : s.tasks) {
    result.tasks.push_back({t.life, t.cpu, Linear(t.left), Linear(t.until)});
  }
  for (const Cpu<RationalDomain>& c : s.cpus) {
    result.cpus.push_back({{c.rq.curr, c.rq.tree, c.rq.curr_protected, Linear(c.rq.v0)},
                           Linear(c.to_tick),
                           Linear(c.uncharged),
                           c.resched,
                           Linear(c.stretch),
                           c.hrtick_armed,
                           Linear(c.hrtick),
                           Linear(c.ran)});
  }
  return result;
}

}  // namespace tickproof
