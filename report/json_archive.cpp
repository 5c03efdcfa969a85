#include "report/json_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tickproof {
namespace {

std::string join(const std::string& path, const std::string& key) {
  return path.empty() ? key : fmt::format("{}.{}", path, key);
}

/// Watches a document being parsed for keys that an object has twice; the parser
/// itself would silently keep the last.
class DuplicateKeys {
 public:
  explicit DuplicateKeys(const std::string& file) : file_(file) {}

  using Event = nlohmann::json::parse_event_t;
  void see(Event event, const nlohmann::json& parsed) {
    switch (event) {
      case Event::object_start: levels_.push_back({false, 0, {}, {}}); break;
      case Event::array_start: levels_.push_back({true, 0, {}, {}}); break;
      case Event::key: see_key(parsed.get<std::string>()); break;
      case Event::object_end:
      case Event::array_end: levels_.pop_back(); [[fallthrough]];
      case Event::value:
        if (!levels_.empty()) ++levels_.back().index;
        break;
    }
  }

 private:
  struct Level {
    bool is_array;
    std::size_t index;  ///< of the item in an array
    std::string key;
    std::set<std::string> keys;
  };

  void see_key(std::string key) {
    Level& level = levels_.back();
    level.key = std::move(key);
    if (level.keys.insert(level.key).second) return;
    std::string path;
    for (const Level& l : levels_) {
      path = l.is_array ? fmt::format("{}[{}]", path, l.index) : join(path, l.key);
    }
    throw InputError(file_, path, "named twice; expected one value");
  }

  const std::string& file_;
  std::vector<Level> levels_;
};

}  // namespace

nlohmann::json parse_json(std::string_view text, const std::string& file) {
  DuplicateKeys duplicates(file);
  try {
    return nlohmann::json::parse(
        text, [&](int, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
          duplicates.see(event, parsed);
          return true;
        });
  } catch (const nlohmann::json::parse_error& e) {
    // `byte` counts from 1 and is the last one read.
    const std::string_view read = text.substr(0, e.byte == 0 ? 0 : e.byte - 1);
    const std::size_t line_start = read.rfind('\n') + 1;  // npos + 1 is 0
    throw InputError(fmt::format("{}:{}:{}", file, 1 + std::count(read.begin(), read.end(), '\n'),
                                 read.size() - line_start + 1),
                     "", "this is not JSON; expected a document that tickproof wrote");
  }
}

JsonPlace JsonPlace::member(const std::string& key) const {
  return {value_.at(key), file_, join(path_, key)};
}
JsonPlace JsonPlace::item(std::size_t i) const {
  return {value_.at(i), file_, fmt::format("{}[{}]", path_, i)};
}

void JsonPlace::refuse(const std::string& message) const {
  throw InputError(file_, path_, message);
}
void JsonPlace::expected(const std::string& what) const {
  refuse(fmt::format("expected {}, found {}", what, shown(value_.dump())));
}

std::int64_t JsonPlace::whole(const Interval& allowed) const {
  // An unsigned number beyond 63 bits would come out negative.
  const bool fits = value_.is_number_integer() &&
                    (!value_.is_number_unsigned() ||
                     value_.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX));
  const std::int64_t number = fits ? value_.get<std::int64_t>() : 0;
  if (!fits || number < allowed.lo || number > allowed.hi) {
    expected(allowed == kAnyNumber ? "a whole number of 64 bits"
             : allowed.lo == allowed.hi
                 ? fmt::format("{}", allowed.lo)
                 : fmt::format("a whole number from {} to {}", allowed.lo, allowed.hi));
  }
  return number;
}

bool JsonPlace::flag() const {
  if (!value_.is_boolean()) expected("true or false");
  return value_.get<bool>();
}

std::string JsonPlace::text() const {
  const bool is_text = value_.is_string();
  std::string text = is_text ? value_.get<std::string>() : "";
  const bool printable = std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
  });
  if (text.empty() || !printable) expected("a string of printable characters");
  return text;
}

std::size_t JsonPlace::require_array() const {
  if (!value_.is_array()) expected("a list");
  return value_.size();
}

void JsonPlace::require_object() const {
  if (!value_.is_object()) expected("an object");
}

JsonPlace JsonReader::need(const std::string& key) {
  known_.push_back(key);
  if (!place_.value().contains(key)) {
    place_.refuse(fmt::format("there is no key '{}'", key));
  }
  return place_.member(key);
}

void JsonReader::done() const {
  for (const auto& [key, value] : place_.value().items()) {
    if (std::find(known_.begin(), known_.end(), key) == known_.end()) {
      place_.refuse(no_such("key", key, known_));
    }
  }
}

}  // namespace tickproof
