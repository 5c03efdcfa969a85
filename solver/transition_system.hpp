// A system as the solver sees it: a graph whose vertices are control states (who
// runs, who is queued in which order, who is protected, ...) and whose edges are
// guarded linear updates. It is extracted from the code of System<D>::step by
// running that in the symbolic domain; nothing in it is written a second time.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/symbolic_domain.hpp"
#include "model/system.hpp"
#include "properties/watch.hpp"

namespace tickproof {

/// The discrete part of a state. In `skeleton` each live number is the variable
/// that stands for it.
struct ControlState {
  std::string name;  ///< who runs, who waits, who sleeps; see describe_control()
  State<SymbolicDomain> skeleton;
  bool watching = false;            ///< the property's wait or run goes on
  std::vector<Variable> live;       ///< the state variables that have a meaning here
  std::vector<Formula> invariants;  ///< hold here in every run; checked at extraction
};

/// One way that a step can go. Variables below `TransitionSystem::variables` are
/// the state before the step; the others are `symbols` of this step.
struct Transition {
  Move<SymbolicDomain> move;
  std::string name;  ///< "tick: hog.1 -> hog.2"
  std::vector<SymbolInfo> symbols;
  std::vector<Formula> guard;
  std::vector<Formula> roundings;  ///< the ranges of the symbols that are roundings
  std::vector<std::pair<Variable, Linear>> update;  ///< the live variables of the target
  bool schedules = false;                           ///< the CPU goes through schedule()
  bool reads = false;           ///< the property has a value after this step ...
  bool closes = false;          ///< ... and its wait or run has ended with it
  Linear reading;               ///< that value; ns or ticks
  std::vector<TaskId> renamed;  ///< task i is task renamed[i] from here on
};

using ControlGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS,
                                           ControlState, Transition>;
using ControlId = ControlGraph::vertex_descriptor;
using TransitionId = ControlGraph::edge_descriptor;

struct TransitionSystem {
  SystemSpec spec;
  Property property;
  TaskId watched = kNobody;
  std::vector<SymbolInfo> variables;  ///< of the state
  ControlGraph graph;
  ControlId initial = 0;
  std::vector<Formula> start;  ///< what holds of the state variables as a run begins
};

/// Extracts the control states that are reachable (guards taken one by one) and
/// all transitions between them. `spec` comes from make_system().
/// Throws std::logic_error if an invariant that was assumed does not hold, and
/// std::length_error beyond `most_states`.
TransitionSystem extract(SystemSpec spec, const Property& property,
                         std::size_t most_states = 20'000);

}  // namespace tickproof
