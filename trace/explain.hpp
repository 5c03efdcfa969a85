// Can the model have done what a plain trace tells? Many runs go along with the trace at
// once, each in the kernel's arithmetic and each with values of its own for what the trace
// does not tell; those that do not do what was seen are dropped, and the others branch (a
// particle filter). A run that is left at the end is an explanation: it is one that the
// kernel may have made. Where none is left, it is tried again from a while before, with
// more runs and wider bounds. That none was found is no proof that there is none.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "model/kernel_domain.hpp"
#include "trace/plain_run.hpp"

namespace tickproof {

/// No run was found that does what was seen.
struct Unexplained {
  Mismatch mismatch;  ///< of one of those that came so far
  std::string where;  ///< "line 12"
  std::string since;  ///< the occasion from which on other values were tried
};

class Explainer {
 public:
  explicit Explainer(const FairSettings& settings) : settings_(settings) {}

  TaskId add_task(const Entity<KernelDomain>& entity);
  /// As it was added.
  const Entity<KernelDomain>& task(TaskId id) const { return tasks_[static_cast<std::size_t>(id)]; }

  /// The next occasion. Feed no more once one is not explained.
  std::optional<Unexplained> feed(Occasion occasion);
  /// From here on the trace has nothing to do with what was before.
  void begin();

  std::size_t pieces = 0;  ///< beginnings, each from a state of its own

 private:
  /// One run: its state, the last clock sample, and how far samples are from the latest
  /// that they can be.
  struct Run {
    PlainState state;
    Ns clock = 0;
    std::array<std::optional<Ns>, kSamples> offsets;
  };
  /// All runs before the occasion at that place of recent_.
  struct Checkpoint {
    std::size_t position;
    std::vector<Run> runs;
  };
  /// How hard to try.
  struct Effort {
    Ns radius;          ///< of clock samples, around where they were the last time
    std::size_t runs;   ///< that are kept
    std::size_t tries;  ///< for each of them
  };
  static const Effort kUsual;

  std::optional<Mismatch> apply(Run& run, const Occasion& occasion,
                                const std::vector<Ns>& values) const;
  std::vector<Ns> draw(Run& run, const Occasion& occasion, Ns radius);
  Ns between(Ns lo, Ns hi) { return std::uniform_int_distribution<Ns>(lo, hi)(dice_); }
  std::vector<Run> advance(const std::vector<Run>& runs, const Occasion& occasion,
                           const Effort& effort);
  bool retry();
  void remember();

  FairSettings settings_;
  std::vector<Entity<KernelDomain>> tasks_;
  std::vector<Run> runs_;
  std::deque<Occasion> recent_;
  std::deque<Checkpoint> checkpoints_;
  std::optional<Mismatch> mismatch_;
  std::mt19937_64 dice_{1};
};

}  // namespace tickproof
