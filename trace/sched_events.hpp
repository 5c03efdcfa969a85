// The scheduler's events that every kernel has, taken apart. Their fields come in two
// forms: the kernel's own,
//
//     prev_comm=hog0 prev_pid=27 prev_prio=120 prev_state=R+ ==> next_comm=hog1 ...
//
// and that of the plugin of trace-cmd and perf:
//
//     hog0:27 [120] R ==> hog1:28 [120]
//
// A task's name may hold anything, " ==> " and "pid=" too, but no more than 15 bytes: the
// one way to read a line that leaves a name of that length is the right one.
#pragma once

#include <cstdint>
#include <string_view>

namespace tickproof {

/// A task as an event names it; the view is into the line.
struct SchedTask {
  std::string_view comm;
  std::int64_t pid = 0;   ///< 0 is the idle task of a CPU
  std::int64_t prio = 0;  ///< 120 is nice 0; below 100: real-time
};

/// `sched_switch`.
struct SchedSwitch {
  SchedTask prev;
  std::string_view prev_state;  ///< "R" runnable, "S", "D", "T", "t", "X", "Z", "P", "I", "D|K"
  /// "R+": preempted within the kernel. A task that is preempted on its way back to user
  /// space is plain "R", like one that yields; and the plugin's form leaves the '+' out.
  bool preempted = false;
  SchedTask next;
};

/// `sched_waking`, `sched_wakeup` and `sched_wakeup_new`.
struct SchedWakeup {
  SchedTask task;
  int target_cpu = 0;
};

/// Throw BadValue that says what is expected, where the fields are of neither form.
SchedSwitch parse_sched_switch(std::string_view fields);
SchedWakeup parse_sched_wakeup(std::string_view fields);

}  // namespace tickproof
