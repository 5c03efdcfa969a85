// The extracted graph: its control states counted by hand, what its transitions may
// mention, and that invariants and guards hold together for systems of every kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/setting.hpp"
#include "solver/control.hpp"
#include "solver/feasibility.hpp"
#include "solver/transition_system.hpp"
#include "tests/support/random_run.hpp"

namespace tickproof {
namespace {

SystemSpec small(const char* kernel, std::vector<TaskSpec> tasks) {
  return make_system(config_of(kernel, 100, 3 * kMsec, std::move(tasks)));
}

Property delay_of(const std::string& task) {
  return property_of(PropertyKind::scheduling_delay, task);
}

auto controls(const TransitionSystem& system) {
  return boost::make_iterator_range(boost::vertices(system.graph));
}
auto transitions(const TransitionSystem& system) {
  return boost::make_iterator_range(boost::edges(system.graph));
}

std::set<std::string> names(const TransitionSystem& system) {
  std::set<std::string> result;
  for (const ControlId c : controls(system)) result.insert(system.graph[c].name);
  return result;
}

// --- by hand -----------------------------------------------------------------------

// A lone hog loses its protection for good at its first expiry.
TEST(Extract, ALoneHog) {
  const TransitionSystem system = extract(small("6.8", {hog("h")}), delay_of("h"));
  EXPECT_EQ(names(system), (std::set<std::string>{"idle; unborn h", "run h!", "run h"}));
  // wake; the tick that ends the first request; one that ends a later request.
  EXPECT_EQ(boost::num_edges(system.graph), 3U);
  EXPECT_EQ(system.graph[system.initial].name, "idle; unborn h");
}

TEST(Extract, ALoneSleeper) {
  const TransitionSystem system =
      extract(small("6.12", {sporadic("s", kMsec, kMsec)}), delay_of("s"));
  // Its burst is shorter than its slice, but the rules do not know that it never expires.
  EXPECT_EQ(names(system),
            (std::set<std::string>{"idle; unborn s", "run s!", "run s", "idle; asleep s"}));
}

// Who runs, protected or not, and who waits: 1 with both unborn, 2 with one born for
// each of them, 2 with both for each that may run. The watched one's waits are marked.
TEST(Extract, TwoHogs) {
  const TransitionSystem system = extract(small("6.8", {hogs("h", 2)}), delay_of("h"));
  EXPECT_EQ(names(system), (std::set<std::string>{
                               "idle; unborn h.1 h.2", "run h.1!; unborn h.2",
                               "run h.1; unborn h.2", "run h.2!; unborn h.1", "run h.2; unborn h.1",
                               "run h.1!; queue h.2", "run h.1; queue h.2",
                               "run h.2!; queue h.1; watching", "run h.2; queue h.1; watching"}));
}

// Three different hogs: with 0, 1, 2, 3 of them born 1 + 3 * 2 + 3 * 2 * 2 +
// 3 * 2 (orders of the queue) * 2 states. If two are alike beside the watched one:
// 1 + (1 + 1) * 2 + (2 + 1) * 2 + (1 + 2) * 2.
TEST(Extract, InterchangeableTasksShareStates) {
  const TransitionSystem distinct =
      extract(small("6.8", {hog("a"), hog("b"), hog("c")}), delay_of("a"));
  EXPECT_EQ(boost::num_vertices(distinct.graph), 31U);
  const TransitionSystem alike = extract(small("6.8", {hogs("h", 3)}), delay_of("h"));
  EXPECT_EQ(boost::num_vertices(alike.graph), 17U);
}

// Awake, a 6.12 sleeper may be delayed, too: on the queue, but asleep.
TEST(Extract, DelayedTasksAreStatesOfTheirOwn) {
  const std::set<std::string> later =
      names(extract(small("6.12", {hog("h"), sporadic("s", kMsec, kMsec)}), delay_of("s")));
  EXPECT_TRUE(later.contains("run h!; queue s~"));
  const std::set<std::string> earlier =
      names(extract(small("6.8", {hog("h"), sporadic("s", kMsec, kMsec)}), delay_of("s")));
  for (const std::string& name : earlier) EXPECT_EQ(name.find('~'), std::string::npos) << name;
}

TEST(Extract, StopsAtTooManyStates) {
  EXPECT_THROW(extract(small("6.8", {hogs("h", 3)}), delay_of("h"), 16), std::length_error);
  EXPECT_NO_THROW(extract(small("6.8", {hogs("h", 3)}), delay_of("h"), 17));
}

TEST(Extract, RefusesAPropertyOfATaskThatIsNotThere) {
  EXPECT_THROW(extract(small("6.8", {hog("h")}), delay_of("x")), BadValue);
}

// --- canonicalize(), describe_control() ------------------------------------------------

/// h.1 .. h.3 of one kind, then s.
class Canonical : public testing::Test {
 protected:
  void life(TaskId id, Life life) { s_.tasks[static_cast<std::size_t>(id)].life = life; }
  void queue(TaskId id) {
    s_.cpus[0].rq.tree.push_back(id);
    life(id, Life::awake);
    s_.entities[static_cast<std::size_t>(id)].on_rq = true;
  }
  void run(TaskId id) {
    s_.cpus[0].rq.curr = s_.cpus[0].running = id;
    life(id, Life::awake);
    s_.entities[static_cast<std::size_t>(id)].on_rq = true;
  }
  std::string text(bool watching = false) { return describe_control(spec_, s_, watching); }

  SystemSpec spec_ = small("6.12", {hogs("h", 3), sporadic("s", kMsec, kMsec)});
  State<SymbolicDomain> s_ = [this] {
    State<SymbolicDomain> s;
    s.entities.resize(spec_.tasks.size());
    s.tasks.resize(spec_.tasks.size());
    s.cpus.resize(1);
    return s;
  }();
};

TEST_F(Canonical, RunningTasksComeFirstUnbornLast) {
  run(2);
  queue(0);
  for (std::size_t i = 0; i < s_.entities.size(); ++i) {
    s_.entities[i].vruntime = Linear(Rational(static_cast<int>(i)));
  }
  EXPECT_EQ(text(), "run h.3; queue h.1; unborn h.2 s");
  // h.3 -> h.1, h.1 -> h.2, h.2 -> h.3
  EXPECT_EQ(canonicalize(spec_, s_), (std::vector<TaskId>{1, 2, 0, 3}));
  EXPECT_EQ(text(), "run h.1; queue h.2; unborn h.3 s");
  // The numbers went with them.
  EXPECT_EQ(s_.entities[0].vruntime.constant(), 2);
  EXPECT_EQ(s_.entities[1].vruntime.constant(), 0);
  EXPECT_EQ(s_.entities[2].vruntime.constant(), 1);
  EXPECT_EQ(canonicalize(spec_, s_), (std::vector<TaskId>{0, 1, 2, 3}));
}

TEST_F(Canonical, TheQueueKeepsItsOrder) {
  run(3);
  queue(2);
  queue(0);
  life(1, Life::asleep);
  EXPECT_EQ(canonicalize(spec_, s_), (std::vector<TaskId>{1, 2, 0, 3}));
  EXPECT_EQ(text(), "run s; queue h.1 h.2; asleep h.3");
}

TEST_F(Canonical, AKindOfItsOwnStays) {
  spec_.tasks[0].kind = -1;  // the watched one
  run(2);
  queue(0);
  EXPECT_EQ(canonicalize(spec_, s_), (std::vector<TaskId>{0, 2, 1, 3}));
  EXPECT_EQ(text(), "run h.2; queue h.1; unborn h.3 s");
}

TEST_F(Canonical, AllFlagsAreNamed) {
  run(0);
  queue(1);
  queue(3);
  s_.entities[3].delayed = true;
  life(2, Life::asleep);
  Cpu<SymbolicDomain>& cpu = s_.cpus[0];
  cpu.rq.keeps_deadline = true;
  EXPECT_EQ(text(true), "run h.1!; queue h.2 s~; asleep h.3; watching");
  cpu.resched = Resched::now;
  cpu.hrtick_armed = true;
  cpu.uncharged = Linear::of(7);
  EXPECT_EQ(text(), "run h.1!?+@; queue h.2 s~; asleep h.3");
  cpu.resched = Resched::lazy;
  EXPECT_EQ(text(), "run h.1!??+@; queue h.2 s~; asleep h.3");
}

// What a task has been given is a part of the state.
TEST_F(Canonical, ChangesAreNamed) {
  spec_.tasks[3].spec.renice = {5};
  spec_.tasks[3].spec.slices = {kMsec, kDefaultSlice};
  s_.entities[3].slice = Linear(Rational(spec_.fair.base_slice));
  run(0);
  queue(3);
  EXPECT_EQ(text(), "run h.1; queue s; unborn h.2 h.3");
  s_.tasks[3].nice = 5;
  EXPECT_EQ(text(), "run h.1; queue s(nice 5); unborn h.2 h.3");
  s_.entities[3].slice = Linear(Rational(kMsec));
  EXPECT_EQ(text(), "run h.1; queue s(nice 5, 1000000ns); unborn h.2 h.3");
}

TEST(Extract, ChangesAreMovesOfTheirOwn) {
  TaskSpec h = hog("h");
  h.renice = {0, 5};
  h.slices = {kMsec};
  const TransitionSystem system = extract(small("6.12", {h}), delay_of("h"));
  std::set<std::string> found;
  for (const TransitionId t : boost::make_iterator_range(boost::edges(system.graph))) {
    found.insert(system.graph[t].name);
  }
  for (const char* name :
       {"renice h to 5: h goes on", "renice h to 0: h goes on", "set-slice h to 1ms: h goes on"}) {
    EXPECT_TRUE(found.contains(name)) << name;
  }
  EXPECT_TRUE(names(system).contains("run h(nice 5, 1000000ns)!"));
}

// A tick that charges a lone hog and changes nothing for it is an event nevertheless.
TEST(Extract, ATickEndsAStretchWherePreemptionIsLazy) {
  SystemSpec spec = small("6.12", {hog("h"), with_policy(sporadic("f", 0, kMsec), Policy::fifo)});
  spec.stretch = kMsec;
  for (const Preemption model : {Preemption::full, Preemption::lazy}) {
    spec.preemption = model;
    const TransitionSystem system = extract(spec, delay_of("h"));
    std::set<std::string> found;
    for (const TransitionId t : boost::make_iterator_range(boost::edges(system.graph))) {
      found.insert(system.graph[t].name);
    }
    EXPECT_EQ(found.contains("tick: h -> f"), model == Preemption::lazy);
  }
}

// Those of a higher class that wait are in order, too; what runs is named like any other.
TEST_F(Canonical, FifoTasksAreNamedInTheirOrder) {
  spec_ = small("6.12", {with_policy(sporadic("f", 0, kMsec), Policy::fifo), hog("h")});
  spec_.tasks.insert(spec_.tasks.begin() + 1, 2, spec_.tasks[0]);
  spec_.tasks[1].name = "f.2";
  spec_.tasks[2].name = "f.3";
  queue(3);
  for (const TaskId id : {2, 0, 1}) life(id, Life::awake);
  Cpu<SymbolicDomain>& cpu = s_.cpus[0];
  cpu.fifo = {2, 0, 1};
  cpu.running = 2;
  EXPECT_EQ(text(), "run f.3; fifo f f.2; queue h");
  EXPECT_EQ(canonicalize(spec_, s_), (std::vector<TaskId>{1, 2, 0, 3}));
  EXPECT_EQ(text(), "run f; fifo f.2 f.3; queue h");
  // None of them runs yet.
  cpu.running = kNobody;
  EXPECT_EQ(text(), "idle; fifo f f.2 f.3; queue h");
}

// --- systems of every kind -----------------------------------------------------------

void collect(const Linear& linear, std::set<Variable>& into) {
  for (const auto& [variable, coefficient] : linear.terms()) into.insert(variable);
}
void collect(const Formula& formula, std::set<Variable>& into) {
  collect(formula.expression(), into);
  for (const Formula& part : formula.parts()) collect(part, into);
}

/// The variables that mean something in a control state.
std::set<Variable> meaningful(const TransitionSystem& system, ControlId c) {
  const ControlState& control = system.graph[c];
  std::set<Variable> result(control.live.begin(), control.live.end());
  if (control.watching) result.insert(static_cast<Variable>(system.variables.size()) - 1);
  return result;
}

/// Nothing depends on leftovers: numbers of a state that have no meaning there, or
/// symbols of another step.
void check_variables(const TransitionSystem& system) {
  const auto is_within = [](const std::set<Variable>& some, const std::set<Variable>& all) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
  };
  for (const ControlId c : controls(system)) {
    std::set<Variable> used;
    for (const Formula& fact : system.graph[c].invariants) collect(fact, used);
    EXPECT_TRUE(is_within(used, meaningful(system, c))) << system.graph[c].name;
  }
  for (const TransitionId id : transitions(system)) {
    const Transition& t = system.graph[id];
    std::set<Variable> allowed = meaningful(system, boost::source(id, system.graph));
    for (std::size_t v = system.variables.size(); v < t.symbols.size(); ++v) {
      allowed.insert(static_cast<Variable>(v));
    }
    std::set<Variable> used;
    for (const Formula& guard : t.guard) collect(guard, used);
    for (const auto& [variable, value] : t.update) collect(value, used);
    collect(t.reading, used);
    collect(t.move.elapsed, used);
    collect(t.move.loss, used);
    collect(t.move.delay, used);
    EXPECT_TRUE(is_within(used, allowed))
        << system.graph[boost::source(id, system.graph)].name << ", " << t.name;
    std::set<Variable> updated;
    for (const auto& [variable, value] : t.update) updated.insert(variable);
    EXPECT_EQ(updated, meaningful(system, boost::target(id, system.graph))) << t.name;
  }
}

// Time that ticks lose makes steps of a busy CPU have more symbols than those of an idle
// one: what the virtual clock of an empty queue was computed from must not be used.
TEST(Extract, AnEmptyQueueForgetsItsVirtualTime) {
  Config config = config_of("6.12", 100, 3 * kMsec, {sporadic("s", kMsec, kMsec)});
  config.loss = {0, 30 * kUsec};
  check_variables(extract(make_system(config), delay_of("s")));
}

// Without PLACE_LAG the lag of a sleeper has no meaning.
TEST(Extract, LagThatIsNotKeptIsNotBounded) {
  Config config =
      config_of("6.12", 1000, 2'800 * kUsec,
                {hogs("h", 2), with_policy(periodic("p", 5 * kMsec, 0, kMsec), Policy::batch)});
  config.features.place_lag = false;
  config.tasks[1].nice = 5;
  check_variables(extract(make_system(config), delay_of("p")));
}

// extract() throws std::logic_error if an invariant that it assumes does not hold.
TEST(Extract, AnySystem) {
  for (std::uint64_t seed = 1; seed <= 60 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    const SystemSpec spec =
        random_system(dice, {.most_tasks = seed % 3 == 0 ? 3 : 2, .extremes = true});
    const auto task =
        static_cast<std::size_t>(dice.between(0, static_cast<Ns>(spec.tasks.size()) - 1));
    try {
      check_variables(extract(spec, delay_of(spec.tasks[task].spec.name), 60));
    } catch (const std::length_error&) {
      // Too large to be quick.
    } catch (const std::logic_error& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

// --- determinism -----------------------------------------------------------------------

/// Two transitions of one move can't both be possible: of what a state and a move lead
/// to, there is one.
void check_disjoint(const TransitionSystem& system) {
  // The symbols of the second transition's own come behind all of the first's.
  constexpr Variable kApart = 1'000;
  const std::vector<SymbolInfo>* first_symbols = nullptr;
  const std::vector<SymbolInfo>* second_symbols = nullptr;
  Feasibility feasibility([&](Variable v) {
    const std::vector<SymbolInfo>& symbols = v < kApart ? *first_symbols : *second_symbols;
    return symbols.at(static_cast<std::size_t>(v % kApart)).whole;
  });
  for (const ControlId c : controls(system)) {
    const auto out = boost::make_iterator_range(boost::out_edges(c, system.graph));
    for (auto a = out.begin(); a != out.end(); ++a) {
      for (auto b = std::next(a); b != out.end(); ++b) {
        const Transition& t = system.graph[*a];
        const Transition& u = system.graph[*b];
        if (t.move.kind != u.move.kind || t.move.task != u.move.task) continue;
        first_symbols = &t.symbols;
        second_symbols = &u.symbols;
        // The state and what the environment chooses are common to both.
        std::set<Variable> chosen;
        for (const Transition* each : {&t, &u}) {
          for (const QuietTicks<SymbolicDomain>& quiet : each->move.quiet) {
            collect(quiet.count, chosen);
            collect(quiet.time, chosen);
            collect(quiet.loss, chosen);
          }
          collect(each->move.elapsed, chosen);
          collect(each->move.loss, chosen);
          collect(each->move.delay, chosen);
        }
        // So is what the same number is rounded by.
        std::map<Variable, Variable> rounded;
        const auto apart = [&](Variable v) {
          if (const auto same = rounded.find(v); same != rounded.end()) {
            return Linear::of(same->second);
          }
          const bool common =
              v < static_cast<Variable>(system.variables.size()) || chosen.contains(v);
          return Linear::of(common ? v : v + kApart);
        };
        for (std::size_t i = 0; i < u.symbols.size(); ++i) {
          if (!u.symbols[i].rounding) continue;
          const Linear exact = u.symbols[i].rounding->exact.substitute(apart);
          for (std::size_t k = 0; k < t.symbols.size(); ++k) {
            if (!t.symbols[k].rounding || !t.symbols[k].rounding->exact.same_as(exact)) continue;
            rounded[static_cast<Variable>(i)] = static_cast<Variable>(k);
          }
        }
        std::vector<Formula> both = system.graph[c].invariants;
        both.insert(both.end(), t.guard.begin(), t.guard.end());
        both.insert(both.end(), t.roundings.begin(), t.roundings.end());
        for (const Formula& guard : u.guard) both.push_back(guard.substitute(apart));
        for (const Formula& fact : u.roundings) both.push_back(fact.substitute(apart));
        EXPECT_FALSE(feasibility.possible(both))
            << system.graph[c].name << ": " << t.name << " and " << u.name;
      }
    }
  }
}

TEST(Extract, GuardsDoNotOverlap) {
  check_disjoint(extract(small("6.8", {hogs("h", 2)}), delay_of("h")));
  check_disjoint(extract(small("6.12", {hog("h"), sporadic("s", kMsec, kMsec)}), delay_of("s")));
  Config config = config_of("6.12.117", 1000, 3 * kMsec,
                            {hog("h"), periodic("p", 10 * kMsec, kMsec, 2 * kMsec)});
  config.features.hrtick = true;
  config.loss = {0, 30 * kUsec};
  config.stretch = kMsec;
  config.preemption = Preemption::lazy;
  check_disjoint(extract(make_system(config), delay_of("p")));
}

}  // namespace
}  // namespace tickproof
