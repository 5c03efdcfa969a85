// A case: a configuration with its tasks, and what is asked about it, in a TOML
// file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/choices.hpp"
#include "model/setting.hpp"
#include "properties/property.hpp"

namespace tickproof {

/// The verdict that a case file expects on a bound.
enum class Expected { holds, violated, unknown };

template <>
struct Choices<Expected> {
  static constexpr std::array<std::string_view, 3> names{"holds", "violated", "unknown"};
};

/// A property, and what its author says is true of it.
struct CaseProperty {
  Property property;
  std::optional<Expected> expect;
  std::optional<Ns> worst;  ///< expected worst value; ns, or ticks
  std::string because;      ///< why that is expected
  std::string where;        ///< "FILE:LINE"
};

/// A grid that belongs to a case: its properties for every combination of values.
struct CaseSweep {
  std::string title;
  std::vector<Axis> axes;
  std::string ratio_to;  ///< "hz=100": what values are compared with; may be empty
};

struct CaseFile {
  std::filesystem::path path;
  std::string title;
  std::string source;  ///< where it comes from, as a rule a URL
  std::string about;
  std::vector<Assignment> assignments;  ///< for resolve(); their values are checked there
  std::vector<CaseProperty> properties;
  std::vector<CaseSweep> sweeps;
  std::optional<int> depth;  ///< how deep a bounded search goes
};

/// The deepest search that a file may ask for.
inline constexpr int kMostDepth = 1'000'000;

/// Reads a case file, plain or packed (model/text_file.hpp).
/// Throws InputError, with file and line, for what is no TOML, for keys and tables
/// that mean nothing, values of the wrong type, tasks without a name or with that of
/// another, and properties that are incomplete, contradictory, or of a task that is
/// not there.
CaseFile load_case(const std::filesystem::path& path);

/// Reads a value of that kind, as format_value() writes it: "2.8ms"; "3 ticks" or "3".
/// Throws BadValue that says what would be right.
Ns parse_value(PropertyKind kind, std::string_view text);

}  // namespace tickproof
