#include "solver/control.hpp"

#include <algorithm>
#include <tuple>

namespace tickproof {
namespace {

using Symbolic = SymbolicDomain;

std::size_t index(int id) { return static_cast<std::size_t>(id); }

/// "hog.1", with what it was given since the start: "hog.1(nice 5, 1ms)".
std::string name_of(const SystemSpec& spec, const State<Symbolic>& s, std::size_t task) {
  const SystemSpec::TaskInfo& info = spec.tasks[task];
  std::string changed;
  if (const int nice = s.tasks[task].nice; nice != info.spec.nice) {
    changed += "nice " + std::to_string(nice);
  }
  const Linear& slice = s.entities[task].slice;
  if (!info.spec.slices.empty() &&
      !(slice == Linear(Rational(info.spec.slice.value_or(spec.fair.base_slice))))
           .is_literal(true)) {
    changed += (changed.empty() ? "" : ", ") + slice.constant().str() + "ns";
  }
  return info.name + (changed.empty() ? "" : "(" + changed + ")");
}

std::string task_list(const SystemSpec& spec, const State<Symbolic>& s, Life life) {
  std::string text;
  for (std::size_t i = 0; i < s.tasks.size(); ++i) {
    if (s.tasks[i].life != life || s.entities[i].on_rq) continue;
    text += " " + name_of(spec, s, i);
  }
  return text;
}

/// ... with a mark if it is the next buddy.
std::string name_in(const SystemSpec& spec, const State<Symbolic>& s, const RunQueue<Symbolic>& rq,
                    TaskId id) {
  return name_of(spec, s, index(id)) + (id == rq.next ? "^" : "");
}

Ns largest_slice_of(const SystemSpec& spec, const TaskSpec& task) {
  Ns largest = task.slice.value_or(spec.fair.base_slice);
  for (const Ns slice : task.slices) {
    largest = std::max(largest, slice == kDefaultSlice ? spec.fair.base_slice : slice);
  }
  return largest;
}

/// The weights that the task may have at some time.
std::vector<Weight> weights_of(const TaskSpec& task) {
  if (task.policy == Policy::idle) return {weight_of_idle_policy()};
  std::vector<Weight> weights{weight_of_nice(task.nice)};
  for (const int nice : task.renice) weights.push_back(weight_of_nice(nice));
  return weights;
}

/// The virtual time `x` of a task of weight `now` was not above `time` as it was taken, with
/// one of `weights`. Changes of the weight since then have kept its worth, or less.
Formula at_most_worth(Symbolic& d, const Linear& x, const Weight& now,
                      const std::vector<Weight>& weights, const Linear& time) {
  Rational most = 0;
  for (const Weight& then : weights) {
    most = std::max<Rational>(most, d.to_virtual(time, then).constant() * then.value);
  }
  return x.scaled(now.value) <= Linear(most);
}

}  // namespace

std::string describe_control(const SystemSpec& spec, State<Symbolic>& s, bool watching) {
  std::string text;
  for (std::size_t c = 0; c < s.cpus.size(); ++c) {
    const Cpu<Symbolic>& cpu = s.cpus[c];
    if (s.cpus.size() > 1) text += "cpu" + std::to_string(c) + ": ";
    if (cpu.running == kNobody) {
      text += "idle";
    } else {
      text += "run " + name_in(spec, s, cpu.rq, cpu.running);
      if (cpu.rq.keeps_deadline) text += "!";
      if (cpu.resched != Resched::none) text += cpu.resched == Resched::lazy ? "??" : "?";
      if (cpu.hrtick_armed) text += "+";
      if (!(cpu.uncharged == Linear()).is_literal(true)) text += "@";
    }
    const bool fifo_runs = !cpu.fifo.empty() && cpu.fifo.front() == cpu.running;
    if (cpu.fifo.size() > (fifo_runs ? 1U : 0U)) text += "; fifo";
    for (const TaskId id : cpu.fifo) {
      if (id != cpu.running) text += " " + spec.tasks[index(id)].name;
    }
    if (!cpu.rq.tree.empty()) text += "; queue";
    for (const TaskId id : cpu.rq.tree) {
      text += " " + name_in(spec, s, cpu.rq, id) + (s.entities[index(id)].delayed ? "~" : "");
    }
  }
  if (const std::string asleep = task_list(spec, s, Life::asleep); !asleep.empty()) {
    text += "; asleep" + asleep;
  }
  if (const std::string unborn = task_list(spec, s, Life::unborn); !unborn.empty()) {
    text += "; unborn" + unborn;
  }
  if (watching) text += "; watching";
  return text;
}

std::vector<TaskId> canonicalize(const SystemSpec& spec, State<Symbolic>& s) {
  const auto count = static_cast<TaskId>(s.tasks.size());
  // Where a task stands: running, queued (by position), asleep, unborn.
  std::vector<std::tuple<int, int>> rank(s.tasks.size());
  for (TaskId id = 0; id < count; ++id) {
    const Cpu<Symbolic>& cpu = s.cpus[index(s.tasks[index(id)].cpu)];
    const std::vector<TaskId>& queue =
        spec.tasks[index(id)].spec.policy == Policy::fifo ? cpu.fifo : cpu.rq.tree;
    const auto queued = std::find(queue.begin(), queue.end(), id);
    rank[index(id)] = cpu.running == id ? std::tuple(0, 0)
                      : queued != queue.end()
                          ? std::tuple(1, int(queued - queue.begin()))
                          : std::tuple(2, int(s.tasks[index(id)].life == Life::unborn));
  }
  std::vector<TaskId> order(s.tasks.size());
  for (TaskId id = 0; id < count; ++id) order[index(id)] = id;
  // Tasks of a kind are neighbours in the numbering, so sorting within each kind
  // is sorting by (kind, rank) where the kinds keep their places.
  for (TaskId first = 0; first < count;) {
    TaskId last = first + 1;
    while (last < count && spec.tasks[index(last)].kind == spec.tasks[index(first)].kind) ++last;
    std::stable_sort(order.begin() + first, order.begin() + last,
                     [&](TaskId a, TaskId b) { return rank[index(a)] < rank[index(b)]; });
    first = last;
  }

  std::vector<TaskId> renamed(s.tasks.size());
  State<Symbolic> old = s;
  for (TaskId id = 0; id < count; ++id) {
    renamed[index(order[index(id)])] = id;
    s.entities[index(id)] = std::move(old.entities[index(order[index(id)])]);
    s.tasks[index(id)] = std::move(old.tasks[index(order[index(id)])]);
  }
  for (Cpu<Symbolic>& cpu : s.cpus) {
    if (cpu.rq.curr != kNobody) cpu.rq.curr = renamed[index(cpu.rq.curr)];
    if (cpu.rq.next != kNobody) cpu.rq.next = renamed[index(cpu.rq.next)];
    if (cpu.running != kNobody) cpu.running = renamed[index(cpu.running)];
    for (TaskId& id : cpu.fifo) id = renamed[index(id)];
    for (TaskId& id : cpu.rq.tree) id = renamed[index(id)];
  }
  return renamed;
}

std::vector<Formula> invariants_of(const SystemSpec& spec, Symbolic& d, State<Symbolic>& s) {
  std::vector<Formula> facts;
  const auto within = [&](const Linear& x, Ns lo, Ns hi) {
    facts.push_back(x >= d.number(lo));
    facts.push_back(x <= d.number(hi));
  };
  // What fell due within a tick's switch delay is still late right behind it.
  const auto in_time = [&](const Task<Symbolic>& t, Ns most_late) {
    const Ns delay = spec.switch_delay.hi;
    const Linear& to_tick = s.cpus[static_cast<std::size_t>(t.cpu)].to_tick;
    facts.push_back(Formula::any(
        {t.until >= d.number(-most_late), Formula::all({t.until >= d.number(-most_late - delay),
                                                        to_tick >= d.number(spec.tick - delay)})}));
  };
  // A yielder may push its deadline as far as it likes.
  const bool bounded = spec.fair.rules.yield != Yield::push_deadline;
  Ns largest_slice = 0;
  for (const SystemSpec::TaskInfo& task : spec.tasks) {
    largest_slice = std::max(largest_slice, largest_slice_of(spec, task.spec));
  }
  // A change of a queued task keeps what is left of its request, in virtual time ...
  const bool keeps = spec.fair.features.place_rel_deadline;
  // ... or in the time that it takes.
  const bool rescales = keeps && spec.fair.rules.renice == Renice::lag_and_deadline;
  for (std::size_t i = 0; i < s.tasks.size(); ++i) {
    Entity<Symbolic>& e = s.entities[i];
    const Task<Symbolic>& t = s.tasks[i];
    const Workload& w = spec.tasks[i].spec.workload;
    const TaskSpec& task = spec.tasks[i].spec;
    const std::vector<Weight> weights = weights_of(task);
    const bool reniced = weights.size() > 1;
    const Ns longest = largest_slice_of(spec, task);
    if (e.on_rq) {
      // What is left may be rounded to nothing.
      facts.push_back(reniced && rescales ? e.vruntime <= e.deadline : e.vruntime < e.deadline);
      if (bounded || w.kind != Workload::Kind::yielder) {
        const Linear left = e.deadline - e.vruntime;
        if (reniced && rescales) {
          facts.push_back(at_most_worth(d, left, e.weight, weights, d.number(longest)));
        } else if (reniced && keeps) {
          const auto lightest =
              std::min_element(weights.begin(), weights.end(),
                               [](const Weight& a, const Weight& b) { return a.value < b.value; });
          facts.push_back(left <= d.to_virtual(d.number(longest), *lightest));
        } else {
          facts.push_back(left <= d.to_virtual(keeps ? d.number(longest) : e.slice, e.weight));
        }
      }
    }
    if (t.life == Life::asleep) {
      const Linear most = d.number(spec.fair.rules.lag_limit == LagLimit::max_slice
                                       ? largest_slice + spec.tick
                                       : std::max(2 * longest, spec.tick));
      facts.push_back(at_most_worth(d, e.vlag, e.weight, weights, most));
      facts.push_back(at_most_worth(d, e.vlag.scaled(-1), e.weight, weights, most));
    }
    if (t.life == Life::awake && w.burst > 0) within(t.left, 0, w.burst);
    if (t.life == Life::unborn && spec.tasks[i].spec.start) {
      facts.push_back(t.until <= d.number(*spec.tasks[i].spec.start));
      in_time(t, 0);
    }
    if (t.life == Life::asleep && w.kind == Workload::Kind::sporadic) {
      facts.push_back(t.until <= d.number(w.sleep));
    }
    if (t.life != Life::unborn && w.kind == Workload::Kind::periodic) {
      facts.push_back(t.until <= d.number(w.period));
      if (t.life == Life::asleep) in_time(t, w.jitter);
    }
  }
  for (Cpu<Symbolic>& cpu : s.cpus) {
    within(cpu.to_tick, 0, spec.tick);
    if (cpu.resched != Resched::none) within(cpu.stretch, 0, spec.stretch);
    if (cpu.hrtick_armed) facts.push_back(cpu.hrtick >= Linear());
    if (cpu.rq.curr == kNobody) continue;
    facts.push_back(cpu.uncharged >= Linear());
    if (spec.fair.features.hrtick) facts.push_back(cpu.ran >= Linear());
    const Entity<Symbolic>& curr = s.entities[index(cpu.rq.curr)];
    const TaskSpec& task = spec.tasks[index(cpu.rq.curr)].spec;
    // A change moves the deadline, and leaves the protection of the pick where it was.
    const bool leaves = spec.fair.rules.protection_start == ProtectionStart::pick &&
                        !(task.renice.empty() && task.slices.empty());
    if (spec.fair.rules.protection != Protection::own_deadline && curr.on_rq && !leaves) {
      facts.push_back(curr.vprot <= curr.deadline);
    }
  }
  std::erase_if(facts, [](const Formula& fact) { return fact.is_literal(true); });
  return facts;
}

}  // namespace tickproof
