// What happens in a run: a schedule says what the environment does, its recording
// says what the scheduler makes of it, event by event, with the kernel's arithmetic.
#pragma once

#include <optional>
#include <vector>

#include "model/schedule.hpp"
#include "properties/property.hpp"
#include "report/waiting.hpp"

namespace tickproof {

/// What the run queue knows of a task while it is queued.
struct QueuedView {
  Ns vruntime = 0;  ///< virtual ns
  Ns deadline = 0;  ///< virtual ns
  Ns lag = 0;       ///< V - vruntime, virtual ns: not scaled by the weight
  bool running = false;
  bool delayed = false;  ///< asleep, but still queued
  bool eligible = false;
  bool is_protected = false;  ///< runs, and is protected as its pick left it
  friend bool operator==(const QueuedView&, const QueuedView&) = default;
};

struct TaskView {
  Life life = Life::unborn;
  std::optional<QueuedView> queued;
  friend bool operator==(const TaskView&, const TaskView&) = default;
};

/// One move and the state that it led to.
struct Event {
  Ns time = 0;     ///< of the move; ns since the start of the run, as all times here
  Ns settled = 0;  ///< of the state: behind the switch delay if a tick caused a switch
  MoveKind kind = MoveKind::tick;
  CpuId cpu = 0;
  TaskId task = kNobody;            ///< whose move it is, if it is a task's
  std::int64_t value = 0;           ///< what the task is given, as in ScheduledMove
  std::int64_t tick = 0;            ///< ticks of that CPU so far, with this one: its first is 1
  TaskId before = kNobody;          ///< who ran on that CPU
  TaskId after = kNobody;           ///< who runs on it now
  bool scheduled = false;           ///< schedule() ran, be it that it kept the running task
  Resched resched = Resched::none;  ///< what is still pending on that CPU
  std::vector<TaskView> tasks;      ///< one a task
  friend bool operator==(const Event&, const Event&) = default;
};

/// Who had a CPU. Of no length if a task is preempted the moment that it is picked.
struct RunSegment {
  TaskId task = kNobody;
  Ns from = 0;
  Ns to = 0;
  friend bool operator==(const RunSegment&, const RunSegment&) = default;
};

/// What an awake or delayed task does; `runs_above` is what one of a higher class does.
enum class Standing { waits, waits_eligible, runs, runs_protected, delayed, runs_above };
inline constexpr std::size_t kStandings = 6;

struct LaneSegment {
  Ns from = 0;
  Ns to = 0;
  Standing standing = Standing::waits;
  friend bool operator==(const LaneSegment&, const LaneSegment&) = default;
};

/// One wait of the watched task, from the wake-up or preemption until it runs.
struct Wait {
  std::vector<WaitPiece> pieces;  ///< without gaps; at least one
  bool over = false;              ///< false: it still waits as the run ends
  Ns from() const { return pieces.front().from; }
  Ns to() const { return pieces.back().to; }
};

/// A value of the property, and when it was taken.
struct Reading {
  Ns value = 0;  ///< ns or ticks
  Ns from = 0;
  Ns to = 0;
  friend bool operator==(const Reading&, const Reading&) = default;
};

struct Recording {
  TaskId watched = kNobody;
  Ns end = 0;                                   ///< when the state of the last event was known
  std::vector<Event> events;                    ///< one a move
  std::vector<std::vector<RunSegment>> runs;    ///< one list a CPU
  std::vector<std::vector<LaneSegment>> lanes;  ///< one list a task; gaps are sleep
  std::vector<Wait> waits;                      ///< of the watched task, if longer than 0
  std::optional<Reading> largest;   ///< of all, one that still goes on at the end included
  std::optional<Reading> smallest;  ///< of those that have ended
};

/// The reading that the property is judged by: the smallest if it says "at least".
struct Extremum {
  const char* name;  ///< "largest"
  const std::optional<Reading>& reading;
};
inline Extremum extremum_of(const Recording& recording, const Property& property) {
  return property.at_least ? Extremum{"smallest", recording.smallest}
                           : Extremum{"largest", recording.largest};
}

/// Replays the schedule with the rules of `spec` in the kernel's arithmetic and
/// watches the property. Task and CPU numbers must be those of `spec`.
/// Throws IllegalStep that names the move ("moves[3] (tick at 4ms): ...") if the
/// schedule can't be run, Overflow if the arithmetic leaves 64 bits, and BadValue if
/// the property's task is none of the system's.
Recording record(const SystemSpec& spec, const Schedule& schedule, const Property& property);

}  // namespace tickproof
