// What a running kernel says of its scheduler in /sys/kernel/debug/sched
// (kernel/sched/debug.c), or in a copy of that directory.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "model/setting.hpp"

namespace tickproof {

/// A word of the features file (kernel/sched/debug.c, sched_feat_show).
struct FeatureWord {
  std::string name;  ///< "RUN_TO_PARITY"
  bool on = false;
};

/// NAME or NO_NAME; none for what is no feature.
std::optional<FeatureWord> parse_feature_word(const std::string& word);

/// Reads the files of the directory that are there, at least one of
///   base_slice_ns    -> base_slice    ns, as it is in force: scaling is in it
///   tunable_scaling  -> scaling       none | log | linear
///   preempt          -> preempt       none | voluntary | full | lazy
///   features         -> feature.NAME  on | off, for every word NAME or NO_NAME
/// each with the origin FILE. Which features matter is not decided here.
/// Throws InputError with file and key if the directory or all of the files are
/// missing, and if a file holds something that no kernel writes.
Overlay read_sched_debug(const std::filesystem::path& directory);

}  // namespace tickproof
