#include "trace/description.hpp"

#include <nlohmann/json.hpp>

#include "model/profiles.hpp"
#include "model/setting.hpp"
#include "model/text_file.hpp"
#include "trace/sched_debug.hpp"

namespace tickproof {
namespace {

using Json = nlohmann::json;

/// Reads the members of one object; what is missing or of another type is an error.
class Member {
 public:
  Member(const std::filesystem::path& path, const Json& object) : path_(path), object_(object) {}

  std::string text(const char* key) const {
    const Json& value = at(key);
    if (!value.is_string()) refuse(key, "expected a text");
    return value.get<std::string>();
  }
  std::int64_t number(const char* key, std::int64_t lo, std::int64_t hi) const {
    const Json& value = at(key);
    if (!value.is_number_integer() || value.get<std::int64_t>() < lo ||
        value.get<std::int64_t>() > hi) {
      refuse(key,
             "expected a whole number from " + std::to_string(lo) + " to " + std::to_string(hi));
    }
    return value.get<std::int64_t>();
  }
  /// ... that may be missing.
  std::int64_t number_or_0(const char* key, std::int64_t hi) const {
    return object_.is_object() && object_.contains(key) ? number(key, 0, hi) : 0;
  }
  const Json& list(const char* key) const {
    const Json& value = at(key);
    if (!value.is_array()) refuse(key, "expected a list");
    return value;
  }
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const {
    throw InputError(path_.string(), key, why);
  }

 private:
  const Json& at(const char* key) const {
    if (!object_.is_object() || !object_.contains(key)) refuse(key, "is missing");
    return object_.at(key);
  }

  const std::filesystem::path& path_;
  const Json& object_;
};

void set_features(const Member& top, Features& features) {
  for (const Json& word : top.list("features")) {
    const auto named =
        word.is_string() ? parse_feature_word(word.get<std::string>()) : std::nullopt;
    if (!named) top.refuse("features", "expected words NAME or NO_NAME");
    const auto& [name, on] = *named;
    if (const FeatureInfo* feature = find_feature(name)) features.*feature->field = on;
  }
}

/// linux/sched.h: SCHED_NORMAL, SCHED_BATCH, SCHED_IDLE; the others are not of the fair class.
std::optional<Policy> policy_of(std::int64_t number) {
  switch (number) {
    case 0: return Policy::normal;
    case 3: return Policy::batch;
    case 5: return Policy::idle;
    default: return std::nullopt;
  }
}

}  // namespace

TraceDescription read_trace_description(const std::filesystem::path& path) {
  Json json;
  try {
    json = Json::parse(read_text_file(path));
  } catch (const Json::parse_error& error) {
    throw InputError(path.string(), "", std::string("is no JSON: ") + error.what());
  }
  const Member top(path, json);
  TraceDescription result;
  result.kernel = top.text("kernel");
  try {
    const Profile& profile = find_profile(result.kernel);
    result.rules = profile.rules;
    result.features = profile.features;
  } catch (const BadValue& error) {
    top.refuse("kernel", error.what());
  }
  set_features(top, result.features);
  result.hz = static_cast<int>(top.number("hz", 1, 100'000));
  result.base_slice = top.number("base_slice_ns", 1, std::int64_t{1} << 32);
  for (const Json& entry : top.list("tasks")) {
    const Member task(path, entry);
    const std::int64_t pid = task.number("pid", 0, std::int64_t{1} << 30);
    if (const auto policy = policy_of(task.number("policy", 0, 100)))
      result.policies[pid] = *policy;
    if (const std::int64_t slice = task.number_or_0("slice", kMostCustomSlice); slice > 0) {
      result.slices[pid] = std::max(slice, kLeastCustomSlice);
    }
  }
  return result;
}

std::vector<Assignment> assignments_of(const TraceDescription& description,
                                       const std::filesystem::path& path) {
  const Origin origin{Origin::Kind::case_file, path.string()};
  std::vector<Assignment> all{
      {"kernel", description.kernel, origin},
      {"hz", std::to_string(description.hz), origin},
      {"base_slice", format_duration(description.base_slice), origin},
  };
  const Features& defaults = find_profile(description.kernel).features;
  for (const FeatureInfo& feature : all_features()) {
    const bool on = description.features.*feature.field;
    // Another kernel named on top has its own defaults.
    if (on == defaults.*feature.field) continue;
    all.push_back({"feature." + std::string(feature.name), on ? "on" : "off", origin});
  }
  return all;
}

std::optional<std::filesystem::path> find_trace_description(const std::filesystem::path& trace) {
  std::string name = trace.filename().string();
  for (const std::string_view ending : {".gz", ".xz", ".txt", ".trace", ".dat"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  const std::filesystem::path path = trace.parent_path() / (name + ".json");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  return path;
}

}  // namespace tickproof
