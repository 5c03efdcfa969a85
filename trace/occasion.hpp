// What a plain trace tells of one CPU (sched_switch and the wake-ups), as a list of
// occasions on which the scheduler acted. When exactly it read its clock is not in the
// trace: each occasion has unknowns, within bounds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/eevdf.hpp"

namespace tickproof {

/// Where a clock sample stands in front of its event: nearly always as far as the last
/// time, for each of these.
enum class Sample { tick, wakeup, preemption, block, same_pick };
inline constexpr std::size_t kSamples = 5;

/// An input of the run that the trace does not tell: a number in [lo, hi], ns.
struct Unknown {
  Ns lo = 0;
  Ns hi = 0;
  Ns value = 0;                                 ///< that is supposed at first
  std::optional<Sample> sample = std::nullopt;  ///< of the clock; else a lag or the like
};

struct Occasion {
  enum class Kind {
    start,  ///< whoever is queued has any numbers; `next` has just been picked
    tick,
    wake,    ///< of `task`
    higher,  ///< a task of a higher class wakes up
    leave,   ///< sched_switch from `task` to `next`
  };
  Kind kind = Kind::tick;
  TaskId task = kNobody;   ///< kind leave: kNobody if it is not of the fair class
  TaskId next = kNobody;   ///< kind leave: likewise
  bool is_new = false;     ///< wake: first seen, its lag is unknown
  bool forked = false;     ///< wake
  bool blocks = false;     ///< leave: `task` goes to sleep
  bool special = false;    ///< ... for good, stopped or traced
  bool to_higher = false;  ///< leave: to a task of a higher class
  /// tick, wake: the next thing that happens, and soon, is a switch away from the running
  /// task. If not, a reschedule that was asked for has picked the same task again.
  bool switch_follows = false;
  std::vector<TaskId> queued = {};  ///< start: all of them, `next` included

  /// The clock sample; with tick and wake a second one, of the reschedule that changes
  /// nothing. Then the lag of a new task; at the start vruntime and deadline of each.
  std::vector<Unknown> unknowns = {};
  std::string where = {};  ///< "line 12"
};

}  // namespace tickproof
