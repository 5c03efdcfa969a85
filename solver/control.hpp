// The discrete part of a state: its name, its canonical form, and what is always
// true in it.
#pragma once

#include <string>
#include <vector>

#include "model/symbolic_domain.hpp"
#include "model/system.hpp"

namespace tickproof {

/// Says who runs, who waits in which order, who sleeps, and all flags: two states
/// have the same text exactly if their discrete parts are equal.
///   "run hog.1!; queue hog.2 waker~; unborn hog.3"
/// ! protected, ~ delayed (asleep but queued), ? reschedule pending (?? lazily),
/// + HRTICK armed, @ not charged up to now; a watched wait or run is "watching". "fifo"
/// are those of a higher class that wait. A nice value or slice that a task was given
/// since the start is named behind it: "hog.1(nice 5, 1000000ns)".
std::string describe_control(const SystemSpec& spec, State<SymbolicDomain>& s, bool watching);

/// Renumbers interchangeable tasks so that states that differ only in which of
/// them is which become one: the running one first, then the queued in their
/// order, then sleepers, then the unborn. Returns old id -> new id.
std::vector<TaskId> canonicalize(const SystemSpec& spec, State<SymbolicDomain>& s);

/// Facts about the live numbers that hold in every run: ranges of timers, a
/// deadline lies ahead by no more than a slice, saved lag is within its limit.
/// extract() prunes with them and checks each on every transition.
std::vector<Formula> invariants_of(const SystemSpec& spec, SymbolicDomain& d,
                                   State<SymbolicDomain>& s);

}  // namespace tickproof
