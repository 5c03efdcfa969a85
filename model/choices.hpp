// Enumerations that are set and shown by name: one table of names for each, and
// the functions that read and write them.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "model/config.hpp"
#include "model/setting.hpp"
#include "model/words.hpp"

namespace tickproof {

/// Specialised for an enumeration that has names: `names`, in the order of its values.
template <class Enum>
struct Choices;

template <>
struct Choices<bool> {
  static constexpr std::array<std::string_view, 2> names{"off", "on"};
};
template <>
struct Choices<Preemption> {
  static constexpr std::array<std::string_view, 4> names{"none", "voluntary", "full", "lazy"};
};
template <>
struct Choices<TickMode> {
  static constexpr std::array<std::string_view, 2> names{"periodic", "nohz-idle"};
};
template <>
struct Choices<Scaling> {
  static constexpr std::array<std::string_view, 3> names{"none", "log", "linear"};
};
template <>
struct Choices<Policy> {
  static constexpr std::array<std::string_view, 4> names{"normal", "batch", "idle", "fifo"};
};
template <>
struct Choices<Workload::Kind> {
  static constexpr std::array<std::string_view, 5> names{"hog", "periodic", "sporadic", "yielder",
                                                         "unconstrained"};
};
template <>
struct Choices<Arrival> {
  static constexpr std::array<std::string_view, 2> names{"wake", "fork"};
};

template <class Enum>
std::string_view name_of_choice(Enum value) {
  return Choices<Enum>::names[static_cast<std::size_t>(value)];
}

/// The value of that name. Throws BadValue that lists the names there are.
template <class Enum>
Enum parse_choice(std::string_view text) {
  constexpr auto& names = Choices<Enum>::names;
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) {
    throw BadValue(fmt::format("{} is not one of {}", shown(text), fmt::join(names, ", ")));
  }
  return static_cast<Enum>(found - names.begin());
}

}  // namespace tickproof
