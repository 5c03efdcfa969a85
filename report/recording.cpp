#include "report/recording.hpp"

#include <fmt/format.h>

#include <utility>

#include "properties/watch.hpp"

namespace tickproof {
namespace {

using Kernel = KernelDomain;

std::size_t index(int id) { return static_cast<std::size_t>(id); }

/// The observer that writes a recording.
class Recorder {
 public:
  Recorder(Kernel& d, const SystemSpec& spec, PropertyKind kind, TaskId watched)
      : d_(d), spec_(spec), watch_(d, kind, watched), ticks_(index(spec.cpus), 0) {
    recording_.watched = watched;
    recording_.runs.resize(index(spec.cpus));
    recording_.lanes.resize(spec.tasks.size());
  }

  Ns now() const { return now_; }
  std::int64_t ticks(CpuId cpu) const { return ticks_[index(cpu)]; }

  void begin_move(CpuId cpu) {
    watch_.begin_step();
    cpu_ = cpu;
    elapsed_ = false;
  }
  void end_move(Event event) {
    if (watch_.state.active) note_largest({watch_.state.value.value(), watch_from_, now_});
    recording_.events.push_back(std::move(event));
  }
  Recording finish() {
    recording_.end = now_;
    return std::move(recording_);
  }

  // What System<D>::step() tells its observer.

  void passed(const State<Kernel>& s, const Checked& elapsed,
              const std::vector<QuietTicks<Kernel>>& quiet) {
    watch_.passed(s, elapsed, quiet);
    const Ns length = elapsed.value();
    for (CpuId c = 0; c < spec_.cpus; ++c) {
      if (s.cpus[index(c)].running != kNobody) recording_.runs[index(c)].back().to += length;
    }
    for (TaskId id = 0; id < static_cast<TaskId>(spec_.tasks.size()); ++id) {
      // The second time that passes in a move is the delay of its switch.
      const CpuId cpu = s.tasks[index(id)].cpu;
      extend(s, id, Outlook(d_, spec_, s, cpu, elapsed_ && cpu == cpu_), length);
    }
    now_ += length;
    elapsed_ = true;
  }
  void ticked(const State<Kernel>& s, CpuId cpu) {
    ++ticks_[index(cpu)];
    watch_.ticked(s, cpu);
  }
  void woke(const State<Kernel>& s, TaskId task) {
    follow([&] { watch_.woke(s, task); });
  }
  void switched(const State<Kernel>& s, CpuId cpu, TaskId prev, TaskId next) {
    follow([&] { watch_.switched(s, cpu, prev, next); });
    if (next != kNobody) recording_.runs[index(cpu)].push_back({next, now_, now_});
    if (next == recording_.watched && !recording_.waits.empty()) {
      recording_.waits.back().over = true;
    }
  }

 private:
  /// Tells the watch of something, and keeps what it makes of it.
  template <class Tell>
  void follow(const Tell& tell) {
    const bool before = watch_.state.active;
    tell();
    if (watch_.state.active && !before) watch_from_ = now_;
    if (before && !watch_.state.active && watch_.closed) {
      const Reading reading{watch_.reading.value(), watch_from_, now_};
      note_largest(reading);
      std::optional<Reading>& smallest = recording_.smallest;
      if (!smallest || reading.value < smallest->value) smallest = reading;
    }
  }
  void note_largest(const Reading& reading) {
    std::optional<Reading>& largest = recording_.largest;
    const bool goes_on =
        largest && largest->value == reading.value && largest->from == reading.from;
    if (!largest || reading.value > largest->value || goes_on) largest = reading;
  }

  void extend(const State<Kernel>& s, TaskId id, const Outlook& outlook, Ns length) {
    const Entity<Kernel>& e = s.entities[index(id)];
    const bool is_fifo = spec_.tasks[index(id)].spec.policy == Policy::fifo;
    if (is_fifo ? s.tasks[index(id)].life != Life::awake : !e.on_rq) return;
    if (is_fifo && s.is_running(id)) {
      extend_lane(id, length, Standing::runs_above);
    } else if (s.is_running(id)) {
      State<Kernel> copy = s;
      const bool is_protected =
          Eevdf<Kernel>(d_, spec_.fair, copy.cpus[index(s.tasks[index(id)].cpu)].rq, copy.entities)
              .is_protected();
      extend_lane(id, length, is_protected ? Standing::runs_protected : Standing::runs);
    } else if (e.delayed) {
      extend_lane(id, length, Standing::delayed);
    } else {
      const Ns eligible_from = is_fifo ? 0 : outlook.eligible_from(id, length);
      extend_lane(id, eligible_from, Standing::waits);
      extend_lane(id, length, Standing::waits_eligible);
      if (id == recording_.watched) extend_wait(outlook.explain(id, length));
    }
  }

  /// The lane goes on like this until `length` from now.
  void extend_lane(TaskId id, Ns length, Standing standing) {
    std::vector<LaneSegment>& lane = recording_.lanes[index(id)];
    const Ns from = lane.empty() ? now_ : std::max(now_, lane.back().to);
    const Ns to = now_ + length;
    if (to <= from) return;
    if (!lane.empty() && lane.back().to == from && lane.back().standing == standing) {
      lane.back().to = to;
    } else {
      lane.push_back({from, to, standing});
    }
  }

  void extend_wait(const std::vector<WaitPiece>& pieces) {
    std::vector<Wait>& waits = recording_.waits;
    for (const WaitPiece& piece : pieces) {
      if (waits.empty() || waits.back().over) waits.emplace_back();
      std::vector<WaitPiece>& known = waits.back().pieces;
      if (!known.empty() && known.back().reason == piece.reason) {
        known.back().to = now_ + piece.to;
      } else {
        known.push_back({now_ + piece.from, now_ + piece.to, piece.reason});
      }
    }
  }

  Kernel& d_;
  const SystemSpec& spec_;
  Watch<Kernel> watch_;
  Ns watch_from_ = 0;  ///< when what it measures began
  std::vector<std::int64_t> ticks_;
  Ns now_ = 0;
  CpuId cpu_ = 0;         ///< of the move that is being made
  bool elapsed_ = false;  ///< the time up to that move has passed
  Recording recording_;
};

/// `s` is a copy, for Eevdf is made for states that it may change.
std::vector<TaskView> views_of(Kernel& d, const SystemSpec& spec, State<Kernel> s) {
  std::vector<TaskView> views;
  for (TaskId id = 0; id < static_cast<TaskId>(s.tasks.size()); ++id) {
    const Task<Kernel>& t = s.tasks[index(id)];
    const Entity<Kernel>& e = s.entities[index(id)];
    TaskView view{t.life, std::nullopt};
    if (e.on_rq) {
      RunQueue<Kernel>& rq = s.cpus[index(t.cpu)].rq;
      const Eevdf<Kernel> fair(d, spec.fair, rq, s.entities);
      const bool running = s.is_running(id);
      view.queued = {e.vruntime.value(),
                     e.deadline.value(),
                     (fair.avg_vruntime() - e.vruntime).value(),
                     running,
                     e.delayed,
                     fair.eligible(id),
                     running && fair.is_protected()};
    }
    views.push_back(view);
  }
  return views;
}

/// A saved schedule may ask for anything: also for a task on a CPU that is not its own.
/// That interchangeable tasks start in order is only a way to search less.
void require_possible(const System<Kernel>& system, const State<Kernel>& s,
                      const ScheduledMove& m) {
  bool possible = m.kind == MoveKind::wake && s.tasks[index(m.task)].life == Life::unborn &&
                  s.tasks[index(m.task)].cpu == m.cpu;
  system.for_each_move(s, [&](MoveKind kind, CpuId cpu, TaskId task, std::int64_t value) {
    possible |= kind == m.kind && cpu == m.cpu && task == m.task && value == m.value;
  });
  if (!possible) throw IllegalStep("this can't happen in the state that the run is in");
}

void make_move(Kernel& d, const SystemSpec& spec, Simulation<Kernel>& simulation,
               const ScheduledMove& m, Recorder& recorder) {
  const State<Kernel>& s = simulation.state();
  require_possible(simulation.system(), s, m);
  const Cpu<Kernel>& cpu = s.cpus[index(m.cpu)];
  Event event;
  event.time = m.time;
  event.kind = m.kind;
  event.cpu = m.cpu;
  event.task = m.task;
  event.value = m.value;
  event.before = cpu.running;
  recorder.begin_move(m.cpu);
  event.scheduled = simulation.apply(m, recorder);
  event.settled = recorder.now();
  event.tick = recorder.ticks(m.cpu);
  event.after = cpu.running;
  event.resched = cpu.resched;
  event.tasks = views_of(d, spec, s);
  recorder.end_move(std::move(event));
}

/// "tick at 3ms", "wake of hog.1 at 0", "renice of hog.1 to 5 at 1ms".
std::string describe(const SystemSpec& spec, const ScheduledMove& m) {
  const std::string task = m.task == kNobody ? "" : " of " + spec.tasks[index(m.task)].name;
  const bool gives = m.kind == MoveKind::renice || m.kind == MoveKind::set_slice;
  return fmt::format("{}{}{} at {}", name_of(m.kind), task,
                     gives ? " to " + describe_value(m.kind, m.value) : "",
                     format_duration(m.time));
}

}  // namespace

Recording record(const SystemSpec& spec, const Schedule& schedule, const Property& property) {
  SystemSpec marked = spec;
  const TaskId watched = single_out(marked, property);
  Kernel d(spec.fair.rules.delta_fair);
  Simulation<Kernel> simulation(d, spec, schedule.first_tick);
  Recorder recorder(d, spec, property.kind, watched);
  for (std::size_t i = 0; i < schedule.moves.size(); ++i) {
    const ScheduledMove& m = schedule.moves[i];
    try {
      make_move(d, spec, simulation, m, recorder);
    } catch (const IllegalStep& e) {
      throw IllegalStep(fmt::format("moves[{}] ({}): {}", i, describe(spec, m), e.what()));
    }
  }
  return recorder.finish();
}

}  // namespace tickproof
