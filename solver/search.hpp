// Depth-bounded search: the worst value that a property can have within so many
// events, with a run that shows it, and the claim that no such run does worse.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

#include "model/schedule.hpp"
#include "solver/transition_system.hpp"
#include "solver/unrolling.hpp"

namespace tickproof {

/// A run that was replayed in the kernel's arithmetic.
struct Witness {
  Schedule schedule;
  Ns value = 0;  ///< of the property, as that replay measured it; ns or ticks
};

/// How far to look.
struct SearchLimits {
  std::size_t depth = 8;                    ///< events
  double seconds = 0;                       ///< 0: no limit
  const std::atomic<bool>* stop = nullptr;  ///< becomes true on Ctrl-C
};

struct SearchResult {
  std::optional<Witness> witness;
  /// Every run of at most this many events was covered ...
  std::size_t depth_covered = 0;
  /// ... and none has a value beyond this (none at all has a value: empty).
  std::optional<Ns> bound;
  /// Why depth_covered is less than was asked for; empty if it is not.
  std::string reason;
  /// A value that the solver's model reaches but no replay did; see docs/soundness.md.
  std::optional<Ns> unreplayed;
  std::size_t controls = 0;
  std::size_t transitions = 0;
};

/// Called as the search gets on: depth that is being searched, best value so far.
using SearchProgress = std::function<void(std::size_t depth, const std::optional<Witness>&)>;

/// The worst value. With `limit`, stops at the first witness beyond it.
SearchResult search(const TransitionSystem& system, Aim aim, const SearchLimits& limits,
                    const std::optional<Ns>& limit = std::nullopt,
                    const SearchProgress& progress = nullptr);

/// Replays a schedule in the kernel domain and measures the property over it: its
/// largest value, or its smallest ended one. None if the schedule is not possible,
/// or has no value.
std::optional<Ns> measure(const SystemSpec& spec, const Schedule& schedule, PropertyKind kind,
                          TaskId watched, Aim aim);

}  // namespace tickproof
