// JSON documents that are read exactly as they are written: a function
//
//   template <class Archive> void describe(Archive& json, Thing& thing) {
//     json.whole("count", thing.count, {1, 64});
//     json.text("name", thing.name);
//   }
//
// lists the keys once, and serves as writer and as strict reader. A reader refuses
// keys that are missing, unknown or named twice, values of another type or out of
// range, with an InputError that names the file and the place: "x.json:
// moves[3].time_ns: ...".
#pragma once

#include <concepts>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/choices.hpp"
#include "model/units.hpp"

namespace tickproof {

/// Any whole number that a document may hold.
inline constexpr Interval kAnyNumber{INT64_MIN, INT64_MAX};

/// Writes an object, keys in the order in which they are described.
class JsonWriter {
 public:
  explicit JsonWriter(nlohmann::ordered_json& object) : object_(object) {
    object_ = nlohmann::ordered_json::object();
  }

  /// A value that is always the same.
  template <class T>
  void constant(const std::string& key, const T& value) {
    object_[key] = value;
  }
  template <std::integral Number>
  void whole(const std::string& key, const Number& value, const Interval& /*allowed*/) {
    object_[key] = value;
  }
  /// `none` is written as null.
  template <std::integral Number>
  void whole_or_null(const std::string& key, const Number& value, const Number& none,
                     const Interval& /*allowed*/) {
    object_[key] = value == none ? nlohmann::ordered_json() : nlohmann::ordered_json(value);
  }
  void whole_or_null(const std::string& key, const std::optional<Ns>& value,
                     const Interval& /*allowed*/) {
    object_[key] = value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  }
  void wholes(const std::string& key, const std::vector<Ns>& values, const Interval& /*allowed*/) {
    object_[key] = values;
  }
  /// ... left out where there is none.
  template <std::integral Number>
  void wholes_if_any(const std::string& key, const std::vector<Number>& values,
                     const Interval& /*allowed*/) {
    if (!values.empty()) object_[key] = values;
  }
  void flag(const std::string& key, const bool& value) { object_[key] = value; }
  void text(const std::string& key, const std::string& value) { object_[key] = value; }
  /// One of some words: get() tells which, set(word) takes one or throws BadValue.
  template <class Get, class Set>
  void word(const std::string& key, const Get& get, const Set& /*set*/) {
    object_[key] = get();
  }
  template <class Enum>
  void choice(const std::string& key, const Enum& value) {
    object_[key] = name_of_choice(value);
  }
  /// An object; describe(archive) says what is in it.
  template <class Describe>
  void object(const std::string& key, const Describe& describe) {
    JsonWriter inner(object_[key]);
    describe(inner);
  }
  /// An object or null.
  template <class T, class Describe>
  void object_or_null(const std::string& key, std::optional<T>& value, const Describe& describe) {
    object_[key] = nullptr;
    if (value) object(key, [&](JsonWriter& inner) { describe(inner, *value); });
  }
  /// A list of objects; describe(archive, item) says what is in each.
  template <class T, class Describe>
  void list(const std::string& key, std::vector<T>& items, const Describe& describe) {
    nlohmann::ordered_json& array = object_[key] = nlohmann::ordered_json::array();
    for (T& item : items) {
      JsonWriter inner(array.emplace_back());
      describe(inner, item);
    }
  }
  /// A list that may be left out.
  template <class T, class Describe>
  void optional_list(const std::string& key, std::optional<std::vector<T>>& items,
                     const Describe& describe) {
    if (items) list(key, *items, describe);
  }

 private:
  nlohmann::ordered_json& object_;
};

/// A document, parsed; the root must be an object. Throws InputError with the line
/// and column if it is no JSON, and with the place of a key that comes twice.
nlohmann::json parse_json(std::string_view text, const std::string& file);

/// A value in a document, and how to complain about it.
class JsonPlace {
 public:
  JsonPlace(const nlohmann::json& value, const std::string& file, std::string path)
      : value_(value), file_(file), path_(std::move(path)) {}

  const nlohmann::json& value() const { return value_; }
  bool is_null() const { return value_.is_null(); }
  JsonPlace member(const std::string& key) const;
  JsonPlace item(std::size_t i) const;

  /// Throws InputError: "FILE: PATH: `message`".
  [[noreturn]] void refuse(const std::string& message) const;
  /// ... "PATH: expected `what`, found VALUE".
  [[noreturn]] void expected(const std::string& what) const;

  std::int64_t whole(const Interval& allowed) const;
  bool flag() const;
  /// Not empty, and without characters that a terminal would act on.
  std::string text() const;
  std::size_t require_array() const;  ///< its size
  void require_object() const;

 private:
  const nlohmann::json& value_;
  const std::string& file_;
  std::string path_;
};

/// Reads an object. The same calls as JsonWriter's, then done().
class JsonReader {
 public:
  explicit JsonReader(JsonPlace place) : place_(std::move(place)) { place_.require_object(); }

  template <class T>
  void constant(const std::string& key, const T& value) {
    const JsonPlace found = need(key);
    if (found.value() != nlohmann::json(value)) found.expected(nlohmann::json(value).dump());
  }
  template <std::integral Number>
  void whole(const std::string& key, Number& value, const Interval& allowed) {
    value = static_cast<Number>(need(key).whole(allowed));
  }
  template <std::integral Number>
  void whole_or_null(const std::string& key, Number& value, const Number& none,
                     const Interval& allowed) {
    const JsonPlace found = need(key);
    value = found.is_null() ? none : static_cast<Number>(found.whole(allowed));
  }
  void whole_or_null(const std::string& key, std::optional<Ns>& value, const Interval& allowed) {
    const JsonPlace found = need(key);
    value = found.is_null() ? std::nullopt : std::optional(found.whole(allowed));
  }
  template <std::integral Number>
  void wholes(const std::string& key, std::vector<Number>& values, const Interval& allowed) {
    const JsonPlace found = need(key);
    values.resize(found.require_array());
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<Number>(found.item(i).whole(allowed));
    }
  }
  template <std::integral Number>
  void wholes_if_any(const std::string& key, std::vector<Number>& values, const Interval& allowed) {
    values.clear();
    if (place_.value().contains(key)) wholes(key, values, allowed);
  }
  void flag(const std::string& key, bool& value) { value = need(key).flag(); }
  void text(const std::string& key, std::string& value) { value = need(key).text(); }
  template <class Get, class Set>
  void word(const std::string& key, const Get& /*get*/, const Set& set) {
    const JsonPlace found = need(key);
    try {
      set(found.text());
    } catch (const BadValue& e) {
      found.refuse(e.what());
    }
  }
  template <class Enum>
  void choice(const std::string& key, Enum& value) {
    word(
        key, [] { return std::string(); },
        [&](const std::string& text) { value = parse_choice<Enum>(text); });
  }
  template <class Describe>
  void object(const std::string& key, const Describe& describe) {
    read(need(key), describe);
  }
  template <class T, class Describe>
  void object_or_null(const std::string& key, std::optional<T>& value, const Describe& describe) {
    const JsonPlace found = need(key);
    value.reset();
    if (found.is_null()) return;
    value.emplace();
    read(found, [&](JsonReader& inner) { describe(inner, *value); });
  }
  template <class T, class Describe>
  void list(const std::string& key, std::vector<T>& items, const Describe& describe) {
    const JsonPlace found = need(key);
    items.resize(found.require_array());
    for (std::size_t i = 0; i < items.size(); ++i) {
      read(found.item(i), [&](JsonReader& inner) { describe(inner, items[i]); });
    }
  }
  template <class T, class Describe>
  void optional_list(const std::string& key, std::optional<std::vector<T>>& items,
                     const Describe& describe) {
    items.reset();
    if (place_.value().contains(key)) list(key, items.emplace(), describe);
  }

  /// Throws InputError if the object has a key that was not asked for.
  void done() const;

 private:
  JsonPlace need(const std::string& key);

  template <class Describe>
  static void read(const JsonPlace& place, const Describe& describe) {
    JsonReader inner(place);
    describe(inner);
    inner.done();
  }

  JsonPlace place_;
  std::vector<std::string> known_;
};

}  // namespace tickproof
