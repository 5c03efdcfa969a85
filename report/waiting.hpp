// Why a task that could run does not.
//
// The answer comes from a question that can be put at any ns: if the scheduler
// looked now (update_curr and a pick, by the rules of model/eevdf.hpp), would this
// task be chosen? If not, what stands in its way; if so, what keeps the scheduler
// from looking?
#pragma once

#include <string_view>
#include <vector>

#include "model/kernel_domain.hpp"
#include "model/system.hpp"

namespace tickproof {

enum class Reason {
  not_eligible,       ///< it is ahead of the queue's virtual time
  current_protected,  ///< it would run if the running task were not protected
  earlier_deadline,   ///< an eligible task with an earlier deadline comes first
  tie,                ///< so does one with the same deadline, by the order of the queue
  within_slice,       ///< it would win a pick, but no tick asks for one before the
                      ///< running task's request is served
  awaits_tick,        ///< the next look at the queue makes it run; nothing has looked yet
  resched_pending,    ///< it is to run; the switch is on its way
  higher_class,       ///< a task of a higher class runs, or is to run
};
/// "not eligible", "waits for the tick".
std::string_view name_of(Reason reason);

/// A part of a wait with one reason; times in ns since the start of the run.
struct WaitPiece {
  Ns from = 0;
  Ns to = 0;
  Reason reason = Reason::not_eligible;
  friend bool operator==(const WaitPiece&, const WaitPiece&) = default;
};

/// One CPU between two events: all that changes is that the running task goes on. It
/// is charged for all of that time; what a tick may lose is not known beforehand.
/// Offsets are ns since the state was known.
class Outlook {
 public:
  /// `switching`: schedule() has been asked for, and comes at the end.
  Outlook(KernelDomain& d, const SystemSpec& spec, const State<KernelDomain>& state, CpuId cpu,
          bool switching)
      : d_(d), spec_(spec), state_(state), cpu_(cpu), switching_(switching) {}

  /// The offset in [0, length] from which the waiting `task` is eligible; `length`
  /// if it is not before.
  Ns eligible_from(TaskId task, Ns length) const;

  /// Why the waiting `task` does not run in [0, length), as pieces without gaps, to
  /// the ns. A reason that holds for a single ns is a boundary between two others
  /// (both tasks are eligible as one passes the other) and left out, unless it is
  /// all there is up to the end.
  std::vector<WaitPiece> explain(TaskId task, Ns length) const;

 private:
  struct Ahead;
  struct Look;
  struct View;
  Look look(TaskId task, Ns offset, bool protection) const;
  View view(TaskId task, Ns offset) const;

  KernelDomain& d_;
  const SystemSpec& spec_;
  const State<KernelDomain>& state_;
  CpuId cpu_;
  bool switching_;
};

}  // namespace tickproof
