// Assignments as the sources of settings would make them, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/parameters.hpp"
#include "tests/scratch.hpp"

namespace tickproof {

class Settings {
 public:
  /// From the next line of x.toml; the first is x.toml:1.
  Settings& in_case(const std::string& key, const std::string& value) {
    return from({Origin::Kind::case_file, "x.toml:" + std::to_string(++line_)}, key, value);
  }
  /// From the command line.
  Settings& with(const std::string& option, const std::string& key, const std::string& value) {
    return from({Origin::Kind::command_line, option}, key, value);
  }
  Settings& from(Origin origin, const std::string& key, const std::string& value) {
    assignments_.push_back({key, value, std::move(origin)});
    return *this;
  }

  Resolved resolved() const { return resolve(assignments_); }
  Config config() const { return resolved().config; }
  std::vector<std::string> notes() const { return resolved().notes; }
  /// What resolve() says when it refuses them.
  std::string refused() const {
    return refusal([&] { resolve(assignments_); });
  }
  /// "2.8ms, case (x.toml:3)"; empty if the key has no value.
  std::string value(const std::string& key) const {
    const Resolved result = resolved();
    const auto found = std::find_if(result.values.begin(), result.values.end(),
                                    [&](const Value& v) { return v.key == key; });
    return found == result.values.end() ? "" : found->text + ", " + describe(found->origin);
  }

 private:
  std::vector<Assignment> assignments_;
  int line_ = 0;
};

/// One hog, in line 1.
inline Settings one_hog() { return Settings().in_case("task.hog.workload", "hog"); }

/// A task with this workload in line 1, and these fields from line 2 on.
inline Settings one_task(const std::string& workload,
                         const std::vector<std::pair<std::string, std::string>>& fields) {
  Settings settings;
  settings.in_case("task.t.workload", workload);
  for (const auto& [field, value] : fields) settings.in_case("task.t." + field, value);
  return settings;
}

}  // namespace tickproof
