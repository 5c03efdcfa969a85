#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>

#include "solver/control.hpp"
#include "solver/feasibility.hpp"
#include "solver/transition_system.hpp"

namespace tickproof {
namespace {

using Symbolic = SymbolicDomain;

constexpr const char* kTaskNumbers[] = {".vruntime", ".deadline", ".lag",
                                        ".vprot",    ".left",     ".until"};
constexpr const char* kCpuNumbers[] = {".to_tick", ".uncharged", ".stretch", ".hrtick", ".ran"};
constexpr const char* kWatchNumber = "watched";

class Extractor {
 public:
  Extractor(SystemSpec spec, const Property& property, std::size_t most_states)
      : most_states_(most_states), feasibility_([this](Variable v) { return is_whole(v); }) {
    system_.watched = single_out(spec, property);
    system_.spec = std::move(spec);
    system_.property = property;
    for (const SystemSpec::TaskInfo& task : system_.spec.tasks) {
      for (const char* number : kTaskNumbers) add_variable(task.name + number);
    }
    for (CpuId c = 0; c < system_.spec.cpus; ++c) {
      for (const char* number : kCpuNumbers) add_variable("cpu" + std::to_string(c) + number);
    }
    add_variable(kWatchNumber);
  }

  TransitionSystem run() {
    Symbolic::run_all_paths(
        system_.spec.fair.rules.delta_fair, system_.variables, {}, feasible_,
        [&](Symbolic& d) {
          std::vector<Linear> phases;
          for (CpuId c = 0; c < system_.spec.cpus; ++c) phases.push_back(d.fresh("phase"));
          State<Symbolic> s = System<Symbolic>(d, system_.spec).initial(phases);
          const auto [initial, values] = control_of(d, s, false);
          system_.initial = initial;
          for (const auto& [variable, value] : values) {
            if (value.is_constant()) system_.start.push_back(Linear::of(variable) == value);
          }
          for (const Cpu<Symbolic>& cpu : system_.graph[initial].skeleton.cpus) {
            system_.start.push_back(cpu.to_tick > Linear());
          }
        },
        [](Symbolic&) {});
    while (!todo_.empty()) {
      const ControlId source = todo_.front();
      todo_.pop_front();
      expand(source);
    }
    return std::move(system_);
  }

 private:
  void add_variable(std::string name) {
    variable_of_.emplace(name, static_cast<Variable>(system_.variables.size()));
    system_.variables.push_back({std::move(name), false});
  }

  bool is_whole(Variable v) const {
    return current_ != nullptr && static_cast<std::size_t>(v) < current_->symbols().size() &&
           current_->symbols()[static_cast<std::size_t>(v)].whole;
  }

  /// The control state of `s`, which is canonical, and the values that its live
  /// numbers have: the update of a transition into it.
  std::pair<ControlId, std::vector<std::pair<Variable, Linear>>> control_of(Symbolic& d,
                                                                            State<Symbolic>& s,
                                                                            bool watching) {
    const std::string name = describe_control(system_.spec, s, watching);
    std::vector<std::pair<Variable, Linear>> values;
    std::vector<Linear*> live;
    System<Symbolic>(d, system_.spec)
        .for_each_live_number(s, [&](const std::string& number, Linear& value) {
          values.emplace_back(variable_of_.at(number), value);
          live.push_back(&value);
        });
    // Leftovers go, so that nothing of this step can reach into the next.
    s.for_each_number([](Linear& number) { number = Linear(); });
    for (std::size_t i = 0; i < live.size(); ++i) *live[i] = Linear::of(values[i].first);
    const auto [known, is_new] = control_by_name_.try_emplace(name, 0);
    if (is_new) {
      if (control_by_name_.size() > most_states_) {
        throw std::length_error("more than " + std::to_string(most_states_) + " control states");
      }
      ControlState control{name, s, watching, {}, invariants_of(system_.spec, d, s)};
      for (const auto& [variable, value] : values) control.live.push_back(variable);
      known->second = boost::add_vertex(std::move(control), system_.graph);
      todo_.push_back(known->second);
    }
    return {known->second, std::move(values)};
  }

  void expand(ControlId source) {
    // A copy: the graph grows meanwhile.
    const ControlState control = system_.graph[source];
    std::vector<Move<Symbolic>> moves;
    Symbolic::run_all_paths(
        system_.spec.fair.rules.delta_fair, system_.variables, {}, feasible_,
        [&](Symbolic& d) {
          System<Symbolic>(d, system_.spec)
              .for_each_move(control.skeleton,
                             [&](MoveKind kind, CpuId cpu, TaskId task, std::int64_t value) {
                               Move<Symbolic> move;
                               move.kind = kind;
                               move.cpu = cpu;
                               move.task = task;
                               move.value = value;
                               moves.push_back(std::move(move));
                             });
        },
        [](Symbolic&) {});
    for (const Move<Symbolic>& move : moves) expand(source, control, move);
  }

  void expand(ControlId source, const ControlState& control, const Move<Symbolic>& shape) {
    Transition transition;
    ControlId target = 0;
    const auto step = [&](Symbolic& d) {
      current_ = &d;
      transition = Transition();
      transition.move = fill(d, control.skeleton, shape);
      State<Symbolic> s = control.skeleton;
      Watch<Symbolic> watch(d, system_.property.kind, system_.watched);
      watch.state = {control.watching, Linear::of(variable_of_.at(kWatchNumber))};
      if (!control.watching) watch.state.value = Linear();
      watch.begin_step();
      transition.schedules = System<Symbolic>(d, system_.spec).step(s, transition.move, watch);
      watch.end_step();
      transition.name = describe(control.skeleton, shape, s);
      transition.reads = watch.has_reading();
      transition.closes = watch.closed;
      transition.reading = watch.reading;
      transition.renamed = canonicalize(system_.spec, s);
      std::tie(target, transition.update) = control_of(d, s, watch.state.active);
      if (watch.state.active) {
        transition.update.emplace_back(variable_of_.at(kWatchNumber), watch.state.value);
      }
    };
    const auto done = [&](Symbolic& d) {
      transition.guard = d.guard();
      transition.roundings = d.roundings();
      transition.symbols = d.symbols();
      check_invariants(d.conditions(), transition, target);
      add_transition(source, target, transition);
    };
    Symbolic::run_all_paths(system_.spec.fair.rules.delta_fair, system_.variables,
                            control.invariants, feasible_, step, done);
    current_ = nullptr;
  }

  /// The move with a variable for everything that the environment may choose.
  Move<Symbolic> fill(Symbolic& d, const State<Symbolic>& s, Move<Symbolic> move) const {
    const SystemSpec& spec = system_.spec;
    for (CpuId c = 0; c < spec.cpus; ++c) {
      const Cpu<Symbolic>& cpu = s.cpus[static_cast<std::size_t>(c)];
      QuietTicks<Symbolic> quiet;
      quiet.count = d.fresh("quiet", true);
      d.require(quiet.count >= Linear(), "a count");
      quiet.time = d.fresh("quiet_time");
      if (spec.loss.hi > 0 && cpu.rq.curr != kNobody) {
        quiet.loss = d.fresh("quiet_loss");
        d.require(quiet.loss >= Linear(), "a loss");
      }
      move.quiet.push_back(std::move(quiet));
    }
    if (move.kind == MoveKind::tick) {
      const auto c = static_cast<std::size_t>(move.cpu);
      move.elapsed = s.cpus[c].to_tick + d.times(move.quiet[c].count, spec.tick);
      if (spec.loss.hi > 0) move.loss = d.fresh("loss");
      const Interval& delay = spec.switch_delay;
      move.delay = delay.lo == delay.hi ? d.number(delay.lo) : d.fresh("delay");
    } else {
      move.elapsed = d.fresh("elapsed");
    }
    return move;
  }

  std::string describe(const State<Symbolic>& before, const Move<Symbolic>& move,
                       const State<Symbolic>& after) const {
    const auto name = [&](TaskId id) {
      return id == kNobody ? std::string("idle")
                           : system_.spec.tasks[static_cast<std::size_t>(id)].name;
    };
    const auto c = static_cast<std::size_t>(move.cpu);
    std::string text = name_of(move.kind);
    const bool changes = move.kind == MoveKind::renice || move.kind == MoveKind::set_slice;
    if (move.kind == MoveKind::wake || changes) text += " " + name(move.task);
    if (changes) text += " to " + describe_value(move.kind, move.value);
    const TaskId prev = before.cpus[c].running;
    const TaskId next = after.cpus[c].running;
    return text + ": " + name(prev) + (prev == next ? " goes on" : " -> " + name(next));
  }

  /// Adds a transition, or, where there is one that does the same under the opposite
  /// of one condition, drops that condition there: a decision that made no difference.
  void add_transition(ControlId source, ControlId target, const Transition& transition) {
    for (const TransitionId known :
         boost::make_iterator_range(boost::out_edges(source, system_.graph))) {
      Transition& other = system_.graph[known];
      if (boost::target(known, system_.graph) != target || !does_the_same(other, transition)) {
        continue;
      }
      if (const auto at = opposite_condition(other.guard, transition.guard)) {
        other.guard.erase(other.guard.begin() + static_cast<std::ptrdiff_t>(*at));
        return;
      }
    }
    boost::add_edge(source, target, transition, system_.graph);
  }

  static bool does_the_same(const Transition& a, const Transition& b) {
    const auto same_update = [](const auto& x, const auto& y) {
      return x.first == y.first && x.second.same_as(y.second);
    };
    const auto same_formula = [](const Formula& x, const Formula& y) { return x.same_as(y); };
    return a.move.kind == b.move.kind && a.move.task == b.move.task && a.move.cpu == b.move.cpu &&
           a.move.value == b.move.value && a.symbols.size() == b.symbols.size() &&
           a.renamed == b.renamed && a.reads == b.reads && a.schedules == b.schedules &&
           a.closes == b.closes && a.reading.same_as(b.reading) &&
           std::equal(a.update.begin(), a.update.end(), b.update.begin(), b.update.end(),
                      same_update) &&
           std::equal(a.roundings.begin(), a.roundings.end(), b.roundings.begin(),
                      b.roundings.end(), same_formula);
  }

  /// The one place where the guards differ, if they are opposite there.
  static std::optional<std::size_t> opposite_condition(const std::vector<Formula>& a,
                                                       const std::vector<Formula>& b) {
    if (a.size() != b.size()) return std::nullopt;
    std::optional<std::size_t> place;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i].same_as(b[i])) continue;
      if (place || !a[i].negation().same_as(b[i])) return std::nullopt;
      place = i;
    }
    return place;
  }

  /// What holds in every run must hold behind every transition.
  void check_invariants(std::vector<Formula> query, const Transition& transition,
                        ControlId target) {
    const auto value_after = [&](Variable v) {
      for (const auto& [variable, value] : transition.update) {
        if (variable == v) return value;
      }
      return Linear::of(v);
    };
    std::vector<Formula> broken;
    for (const Formula& fact : system_.graph[target].invariants) {
      broken.push_back(fact.substitute(value_after).negation());
    }
    query.push_back(Formula::any(std::move(broken)));
    if (feasibility_.possible(query)) {
      throw std::logic_error("an assumed invariant of '" + system_.graph[target].name +
                             "' does not hold after '" + transition.name + "'");
    }
  }

  std::size_t most_states_;
  const Symbolic* current_ = nullptr;
  Feasibility feasibility_;
  Symbolic::Feasible feasible_ = [this](const std::vector<Formula>& formulas) {
    return feasibility_.possible(formulas);
  };
  TransitionSystem system_;
  std::map<std::string, Variable> variable_of_;
  std::map<std::string, ControlId> control_by_name_;
  std::deque<ControlId> todo_;
};

}  // namespace

TransitionSystem extract(SystemSpec spec, const Property& property, std::size_t most_states) {
  return Extractor(std::move(spec), property, most_states).run();
}

}  // namespace tickproof
