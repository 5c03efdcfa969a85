#include "solver/search.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "model/kernel_domain.hpp"
#include "properties/watch.hpp"
#include "solver/path_problem.hpp"

namespace tickproof {
namespace {

using Clock = std::chrono::steady_clock;

/// Interrupts queries when the time is up or the user stops the program. Z3's own
/// time-outs are not always kept, so this is a thread of its own.
class Watchdog {
 public:
  template <class Queries>
  Watchdog(Queries& queries, std::optional<Clock::time_point> deadline,
           const std::atomic<bool>* stop)
      : thread_([this, &queries, deadline, stop](const std::stop_token& done) {
          std::unique_lock lock(mutex_);
          while (!done.stop_requested()) {
            wake_.wait_for(lock, done, std::chrono::milliseconds(20), [] { return false; });
            if (done.stop_requested()) return;
            if ((stop != nullptr && *stop) || (deadline && Clock::now() > *deadline)) {
              queries.interrupt();
            }
          }
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

class Search {
 public:
  Search(const TransitionSystem& system, Aim aim, const SearchLimits& limits,
         const std::optional<Ns>& limit, const SearchProgress& progress)
      : system_(system), aim_(aim), limits_(limits), limit_(limit), progress_(progress) {
    if (limits.seconds > 0) {
      deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(limits.seconds));
    }
  }

  SearchResult run() {
    result_.controls = boost::num_vertices(system_.graph);
    result_.transitions = boost::num_edges(system_.graph);
    // Short runs first: what they show makes the questions about long ones easier.
    try {
      for (std::size_t depth = std::min<std::size_t>(4, limits_.depth);;) {
        if (!run_to(depth) || depth == limits_.depth) break;
        depth = std::min(depth + 2, limits_.depth);
      }
    } catch (const z3::exception&) {
      give_up();  // so some functions of Z3 say that they were interrupted
    }
    return std::move(result_);
  }

 private:
  bool is_beyond(Ns a, Ns b) const { return aim_ == Aim::largest ? a > b : a < b; }

  /// Covers all runs of `depth` events. False: stop the search.
  bool run_to(std::size_t depth) {
    if (progress_) progress_(depth, result_.witness);
    if (out_of_time()) return give_up();
    Unrolling unrolling(system_, depth, aim_);
    const Watchdog watchdog(unrolling, deadline_, limits_.stop);
    while (true) {
      const z3::check_result found = beyond_ ? unrolling.beyond(*beyond_) : unrolling.any();
      if (found == z3::unsat) {
        result_.depth_covered = depth;
        result_.bound = beyond_;
        // The shapes that were left out are known, too.
        if (result_.unreplayed && (!beyond_ || is_beyond(*result_.unreplayed, *beyond_))) {
          result_.bound = result_.unreplayed;
        }
        return true;
      }
      if (found == z3::unknown) return give_up();
      const Path path = unrolling.path();
      if (!improve(path)) return give_up();
      if (!replayed_) unrolling.exclude(path);
      if (progress_) progress_(depth, result_.witness);
      if (limit_ && result_.witness && is_beyond(result_.witness->value, *limit_)) return false;
    }
  }

  bool out_of_time() const {
    return (limits_.stop != nullptr && *limits_.stop) || (deadline_ && Clock::now() > *deadline_);
  }

  bool give_up() {
    result_.reason = limits_.stop != nullptr && *limits_.stop ? "interrupted"
                     : out_of_time()                          ? "time limit"
                                                              : "the solver gave up";
    return false;
  }

  /// False if the run that was found can't be made the most of.
  bool improve(const Path& path) {
    PathProblem problem(system_, path, aim_);
    const Watchdog watchdog(problem, deadline_, limits_.stop);
    const std::optional<Ns> best = problem.best(beyond_);
    if (!best) return false;
    replayed_ = false;
    // From the sharpest corner to one that rounding can't reach.
    for (const Ns attempt : {1, 100, 1'000, 10'000, 100'000}) {
      // A number of ticks is met or not.
      const Ns distance = info_of(system_.property.kind).counts_ticks ? 0 : attempt;
      const std::optional<Schedule> schedule =
          problem.schedule(distance, 10 * kUsec + 100 * attempt);
      if (!schedule) continue;
      const std::optional<Ns> value =
          measure(system_.spec, *schedule, system_.property.kind, system_.watched, aim_);
      if (!value) continue;
      if (!result_.witness || is_beyond(*value, result_.witness->value)) {
        result_.witness = Witness{*schedule, *value};
      }
      if (std::abs(*best - *value) <= (distance == 0 ? 0 : distance + 1)) {
        replayed_ = true;
        break;
      }
    }
    if (replayed_ || ++given_up_ > kMostUnreplayed) beyond_ = best;
    if (!replayed_ && (!result_.unreplayed || is_beyond(*best, *result_.unreplayed))) {
      result_.unreplayed = best;
    }
    return true;
  }

  const TransitionSystem& system_;
  Aim aim_;
  const SearchLimits& limits_;
  const std::optional<Ns>& limit_;
  const SearchProgress& progress_;
  std::optional<Clock::time_point> deadline_;
  /// What runs are looked for beyond: the best value so far that a replay reached, or,
  /// after too many shapes that no replay follows, that the solver's model reaches.
  std::optional<Ns> beyond_;
  bool replayed_ = false;  ///< the last shape that was found
  int given_up_ = 0;       ///< shapes that were not
  static constexpr int kMostUnreplayed = 32;
  SearchResult result_;
};

}  // namespace

SearchResult search(const TransitionSystem& system, Aim aim, const SearchLimits& limits,
                    const std::optional<Ns>& limit, const SearchProgress& progress) {
  return Search(system, aim, limits, limit, progress).run();
}

std::optional<Ns> measure(const SystemSpec& spec, const Schedule& schedule, PropertyKind kind,
                          TaskId watched, Aim aim) {
  KernelDomain d(spec.fair.rules.delta_fair);
  Watch<KernelDomain> watch(d, kind, watched);
  Simulation<KernelDomain> simulation(d, spec, schedule.first_tick);
  std::optional<Ns> result;
  try {
    for (const ScheduledMove& move : schedule.moves) {
      watch.begin_step();
      simulation.apply(move, watch);
      watch.end_step();
      if (aim == Aim::largest ? !watch.has_reading() : !watch.closed) continue;
      const Ns value = watch.reading.value();
      if (!result) result = value;
      result = aim == Aim::largest ? std::max(*result, value) : std::min(*result, value);
    }
  } catch (const IllegalStep&) {
    return std::nullopt;
  }
  return result;
}

}  // namespace tickproof
