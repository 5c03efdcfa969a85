// Questions, answers, and the engines that lead from one to the other.
//
// An engine is an entry in an ordered table; each is asked in turn as long as the
// question is open. A new one (a proof by invariant, say) is a new entry: nothing
// above this file knows which engines there are. Only an engine whose argument
// covers runs of every length may answer `proved`; none of today's does.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "solver/search.hpp"

namespace tickproof {

enum class Status {
  proved,    ///< holds in all runs of any length; the argument was checked
  bounded,   ///< holds in all runs up to the stated number of events
  violated,  ///< a run breaks it, and was replayed in kernel arithmetic
  unknown,   ///< neither; the reason is stated
};
const char* name_of(Status status);

/// A property of a system.
struct Question {
  SystemSpec spec;
  Property property;
  bool wants_value = false;  ///< the worst value, not whether it keeps the bound
  SearchLimits limits;
  SearchProgress progress;
};

struct Answer {
  Status status = Status::unknown;
  std::string engine;  ///< that settled it
  std::string reason;  ///< of unknown, or why less was covered than was asked for
  Aim aim = Aim::largest;
  std::optional<Witness> witness;  ///< the worst run that was found
  std::size_t depth = 0;           ///< bounded: every run of so many events was covered
  std::optional<Ns> bound;         ///< bounded: no such run is beyond this; ns or ticks
  Ns covered = 0;                  ///< bounded: every run is covered for at least this long, ns
  std::size_t controls = 0;        ///< control states of the system
  std::size_t transitions = 0;
  double seconds = 0;
};

struct Engine {
  std::string_view name;
  std::string_view method;
  /// Does what it can for an answer that is still unknown.
  void (*run)(const Question& question, const TransitionSystem& system, Answer& answer);
};

/// In the order in which they are asked.
std::span<const Engine> all_engines();

/// Throws std::length_error if the system has too many control states.
Answer answer(const Question& question);

/// Do witness and bound meet, up to `tolerance` ns (ticks: exactly)?
bool is_exact(const Answer& answer, PropertyKind kind);

/// The version of the Z3 library in use: "4.8.12".
std::string z3_version();

}  // namespace tickproof
