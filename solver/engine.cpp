#include "solver/engine.hpp"

#include <z3.h>

#include <array>
#include <chrono>
#include <cstdlib>

#include "solver/coverage.hpp"

namespace tickproof {
namespace {

/// How far a replay may stay behind the supremum of real-valued times and still
/// count as reaching it: a supremum need not be attained.
constexpr Ns kTolerance = kUsec;

bool is_beyond(Aim aim, Ns value, Ns limit) {
  return aim == Aim::largest ? value > limit : value < limit;
}

void run_bounded_search(const Question& question, const TransitionSystem& system, Answer& answer) {
  const Property& property = question.property;
  std::optional<Ns> limit = property.at_least ? property.at_least : property.at_most;
  if (question.wants_value) limit.reset();
  SearchResult result = search(system, answer.aim, question.limits, limit, question.progress);
  answer.witness = std::move(result.witness);
  answer.depth = result.depth_covered;
  answer.bound = result.bound;
  answer.covered = covered_time(system.spec, answer.depth);
  answer.reason = std::move(result.reason);
  if (limit && answer.witness && is_beyond(answer.aim, answer.witness->value, *limit)) {
    answer.status = Status::violated;
    answer.reason.clear();
    return;
  }
  if (limit && result.unreplayed && is_beyond(answer.aim, *result.unreplayed, *limit)) {
    answer.reason =
        "the solver's model reaches beyond the bound, but no replay in kernel arithmetic does";
    return;
  }
  if (limit && answer.bound && is_beyond(answer.aim, *answer.bound, *limit)) {
    answer.reason = "the bound lies between what a replay reached and what is excluded";
    return;
  }
  if (answer.depth > 0) answer.status = Status::bounded;
}

constexpr std::array<Engine, 1> kEngines{{
    {"bounded search", "Z3 on all runs up to a number of events; witnesses replayed",
     run_bounded_search},
}};

}  // namespace

const char* name_of(Status status) {
  switch (status) {
    case Status::proved: return "proved";
    case Status::bounded: return "bounded";
    case Status::violated: return "violated";
    case Status::unknown: return "unknown";
  }
  return "";
}

std::span<const Engine> all_engines() { return kEngines; }

Answer answer(const Question& question) {
  const auto start = std::chrono::steady_clock::now();
  Answer result;
  result.aim = question.property.at_least ? Aim::smallest_ended : Aim::largest;
  const TransitionSystem system = extract(question.spec, question.property);
  result.controls = boost::num_vertices(system.graph);
  result.transitions = boost::num_edges(system.graph);
  for (const Engine& engine : kEngines) {
    if (result.status != Status::unknown) break;
    engine.run(question, system, result);
    if (result.status != Status::unknown) result.engine = engine.name;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

bool is_exact(const Answer& answer, PropertyKind kind) {
  if (!answer.witness || !answer.bound) return false;
  const Ns distance = std::abs(*answer.bound - answer.witness->value);
  return distance <= (info_of(kind).counts_ticks ? 0 : kTolerance);
}

std::string z3_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned build = 0;
  unsigned revision = 0;
  Z3_get_version(&major, &minor, &build, &revision);
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace tickproof
