#include "trace/sched_debug.hpp"

#include <array>
#include <boost/algorithm/string/trim.hpp>
#include <cstdint>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "model/text_file.hpp"
#include "model/words.hpp"

namespace tickproof {
namespace {

using Assignments = std::vector<Assignment>;

void assign(Assignments& out, std::string key, std::string value, const std::string& file) {
  out.push_back({std::move(key), std::move(value), Origin{Origin::Kind::sched_debug, file}});
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// sysctl_sched_base_slice is 32 bits wide; the kernel lets 0 be written, which
/// leaves no slice to reason about.
void read_base_slice(const std::string& file, const std::string& text, Assignments& out) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::string number = boost::algorithm::trim_copy(text);
  const auto slice_ns = whole_number(number, 1, kMost);
  if (!slice_ns) {
    throw InputError(file, "base_slice",
                     shown(number) +
                         " is no slice; expected nanoseconds, a whole number from 1 to " +
                         std::to_string(kMost));
  }
  assign(out, "base_slice", std::to_string(*slice_ns) + "ns", file);
}

/// enum sched_tunable_scaling.
void read_scaling(const std::string& file, const std::string& text, Assignments& out) {
  constexpr std::array<const char*, 3> kNames{"none", "log", "linear"};
  const std::string number = boost::algorithm::trim_copy(text);
  const auto index = whole_number(number, 0, kNames.size() - 1);
  if (!index) {
    throw InputError(file, "scaling",
                     shown(number) + " is no scaling; expected 0 (none), 1 (log) or 2 (linear)");
  }
  assign(out, "scaling", kNames[*index], file);
}

/// sched_dynamic_show(): every model this kernel has, the one in force in
/// parentheses.
void read_preempt(const std::string& file, const std::string& text, Assignments& out) {
  const std::set<std::string_view> models{"none", "voluntary", "full", "lazy"};
  std::vector<std::string> in_force;
  for (const std::string& word : words_of(text)) {
    if (word.starts_with('(') && word.ends_with(')')) {
      in_force.push_back(word.substr(1, word.size() - 2));
    }
  }
  if (in_force.size() != 1 || !models.contains(in_force.front())) {
    throw InputError(file, "preempt",
                     shown(boost::algorithm::trim_copy(text)) +
                         " names no one model; expected one of none, voluntary, full and lazy in "
                         "parentheses, as in 'none (voluntary) full lazy'");
  }
  assign(out, "preempt", in_force.front(), file);
}

bool is_feature_name(std::string_view text) {
  return !text.empty() && text.front() >= 'A' && text.front() <= 'Z' &&
         text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

/// sched_feat_show(): NAME or NO_NAME for each feature of kernel/sched/features.h.
void read_features(const std::string& file, const std::string& text, Assignments& out) {
  std::set<std::string> seen;
  for (const std::string& word : words_of(text)) {
    const std::optional<FeatureWord> feature = parse_feature_word(word);
    if (!feature) {
      throw InputError(
          file, "feature",
          shown(word) + " is no feature; expected words like RUN_TO_PARITY or NO_RUN_TO_PARITY");
    }
    const auto& [name, on] = *feature;
    if (!seen.insert(name).second) {
      throw InputError(file, "feature." + name,
                       "is named twice; expected each feature once, on (NAME) or off (NO_NAME)");
    }
    assign(out, "feature." + name, on ? "on" : "off", file);
  }
  if (seen.empty()) {
    throw InputError(file, "feature", "no feature is named; expected words NAME or NO_NAME");
  }
}

struct Entry {
  const char* name;
  void (*read)(const std::string& file, const std::string& text, Assignments& out);
};
constexpr std::array<Entry, 4> kEntries{{{"base_slice_ns", read_base_slice},
                                         {"tunable_scaling", read_scaling},
                                         {"preempt", read_preempt},
                                         {"features", read_features}}};

}  // namespace

std::optional<FeatureWord> parse_feature_word(const std::string& word) {
  constexpr std::string_view kOff = "NO_";
  const bool on = !word.starts_with(kOff);
  const std::string name = on ? word : word.substr(kOff.size());
  if (!is_feature_name(name)) return std::nullopt;
  return FeatureWord{name, on};
}

Overlay read_sched_debug(const std::filesystem::path& directory) {
  namespace fs = std::filesystem;
  const std::string expected = "; expected a directory with files as in /sys/kernel/debug/sched";
  std::error_code error;
  if (fs::status(directory, error).type() != fs::file_type::directory) {
    throw InputError(
        directory.string(), "",
        (error ? "cannot be opened: " + error.message() : "is not a directory") + expected);
  }
  Overlay overlay;
  for (const Entry& entry : kEntries) {
    const fs::path file = directory / entry.name;
    // Only what is surely not there is left out: what cannot be looked at is for
    // read_text_file to refuse.
    if (fs::status(file, error).type() == fs::file_type::not_found) continue;
    entry.read(file.string(), read_text_file(file), overlay.assignments);
  }
  if (overlay.assignments.empty()) {
    throw InputError(directory.string(), "",
                     "has none of base_slice_ns, tunable_scaling, preempt, features" + expected);
  }
  return overlay;
}

}  // namespace tickproof
