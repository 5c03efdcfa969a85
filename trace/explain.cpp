#include "trace/explain.hpp"

#include <array>
#include <utility>

namespace tickproof {
namespace {

/// How much the offset of a clock sample changes from one time to the next, ns.
constexpr Ns kDrift = 20;
/// Occasions between two checkpoints, and how many of these are kept.
constexpr std::size_t kStride = 64;
constexpr std::size_t kCheckpoints = 6;

}  // namespace

const Explainer::Effort Explainer::kUsual{500, 2'000, 4};

TaskId Explainer::add_task(const Entity<KernelDomain>& entity) {
  tasks_.push_back(entity);
  return static_cast<TaskId>(tasks_.size()) - 1;
}

void Explainer::begin() {
  ++pieces;
  runs_.assign(1, Run());
  recent_.clear();
  checkpoints_.clear();
}

std::optional<Mismatch> Explainer::apply(Run& run, const Occasion& occasion,
                                         const std::vector<Ns>& values) const {
  for (std::size_t i = run.state.entities.size(); i < tasks_.size(); ++i) {
    run.state.entities.push_back(tasks_[i]);
  }
  std::vector<Checked> given;
  for (const Ns value : values) given.emplace_back(value);
  run.clock = values[0];
  KernelDomain d(settings_.rules.delta_fair);
  try {
    return PlainRun(d, settings_, run.state).apply(occasion, given);
  } catch (const IllegalStep& error) {
    return Mismatch{"time", "goes on", error.what()};
  } catch (const Overflow& error) {
    return Mismatch{"numbers", "goes on", error.what()};
  }
}

/// Values for what the trace does not tell. The clock goes forward.
std::vector<Ns> Explainer::draw(Run& run, const Occasion& occasion, Ns radius) {
  std::vector<Ns> values;
  Ns clock = run.clock;
  for (const Unknown& unknown : occasion.unknowns) {
    Ns lo = unknown.lo;
    Ns hi = unknown.hi;
    if (unknown.sample) {
      std::optional<Ns>& offset = run.offsets[static_cast<std::size_t>(*unknown.sample)];
      if (offset) {
        *offset += between(-kDrift, kDrift);
        lo = std::clamp(hi + *offset - radius, unknown.lo, hi);
        hi = std::clamp(hi + *offset + radius, unknown.lo, hi);
      }
      lo = std::clamp(clock, lo, hi);
      clock = between(lo, hi);
      if (!offset) offset = clock - unknown.hi;
      values.push_back(clock);
    } else {
      // Often nearly what is supposed, but nobody knows how nearly.
      constexpr std::array<Ns, 5> kNear{0, 10 * kUsec, 100 * kUsec, kMsec, kSec};
      const Ns near = kNear[static_cast<std::size_t>(between(0, 4))];
      values.push_back(
          between(std::max(lo, unknown.value - near), std::min(hi, unknown.value + near)));
    }
  }
  return values;
}

/// The runs behind the occasion that do what was seen.
std::vector<Explainer::Run> Explainer::advance(const std::vector<Run>& runs,
                                               const Occasion& occasion, const Effort& effort) {
  std::vector<Run> next;
  const std::size_t most = effort.runs * effort.tries;
  for (std::size_t i = 0; i < most && next.size() < effort.runs; ++i) {
    Run run = runs[i % runs.size()];
    const std::vector<Ns> values = draw(run, occasion, effort.radius);
    if (auto mismatch = apply(run, occasion, values)) {
      mismatch_ = std::move(mismatch);
    } else {
      next.push_back(std::move(run));
    }
  }
  return next;
}

std::optional<Unexplained> Explainer::feed(Occasion occasion) {
  if (occasion.kind == Occasion::Kind::start) begin();
  if (checkpoints_.empty() || recent_.size() >= checkpoints_.back().position + kStride) remember();
  recent_.push_back(std::move(occasion));
  std::vector<Run> next = advance(runs_, recent_.back(), kUsual);
  if (!next.empty()) {
    runs_ = std::move(next);
    return std::nullopt;
  }
  const Mismatch mismatch = *mismatch_;
  if (retry()) return std::nullopt;
  return Unexplained{mismatch, recent_.back().where, recent_.front().where};
}

/// A checkpoint; the oldest goes, with the occasions before the next.
void Explainer::remember() {
  checkpoints_.push_back({recent_.size(), runs_});
  if (checkpoints_.size() <= kCheckpoints) return;
  checkpoints_.pop_front();
  const std::size_t gone = checkpoints_.front().position;
  recent_.erase(recent_.begin(), recent_.begin() + static_cast<std::ptrdiff_t>(gone));
  for (Checkpoint& checkpoint : checkpoints_) checkpoint.position -= gone;
}

/// No run is left: again from the checkpoints, the last one first, and harder each time.
bool Explainer::retry() {
  constexpr std::array<Effort, 3> kEfforts{
      {{500, 4'000, 4}, {3 * kUsec, 4'000, 4}, {kSec, 4'000, 4}}};
  for (const Effort& effort : kEfforts) {
    for (std::size_t back = checkpoints_.size(); back-- > 0;) {
      std::vector<Run> runs = checkpoints_[back].runs;
      for (std::size_t i = checkpoints_[back].position; i < recent_.size() && !runs.empty(); ++i) {
        runs = advance(runs, recent_[i], effort);
      }
      if (runs.empty()) continue;
      runs_ = std::move(runs);
      return true;
    }
  }
  return false;
}

}  // namespace tickproof
