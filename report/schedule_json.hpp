// A run as a document: everything that it takes to run it again, in any version of
// tickproof that knows its rules. report/schemas/schedule.schema.json is its schema.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/recording.hpp"

namespace tickproof {

/// Which reading of a run a claim is about.
enum class Extreme {
  largest,   ///< the largest, one that still goes on at the end included
  smallest,  ///< the smallest of those that have ended
};

/// What the run is said to show. The value is in ns or ticks.
struct Claim {
  Extreme extreme = Extreme::largest;
  Ns value = 0;
};

struct ScheduleDocument {
  std::string tool;  ///< who wrote it: "tickproof 0.1.0"
  SystemSpec system;
  Property property;
  Claim claim;
  Schedule schedule;
  /// What the writer's replay found, one event a move; for readers, and for checks.
  std::optional<std::vector<Event>> events;
};

/// The document as JSON, one move a line. Its tick period must be that of a HZ value.
std::string to_json(const ScheduleDocument& document);

/// Reads what to_json() writes. `place` names the file in messages. Throws InputError
/// with the place in the document and what would be right: for anything that is no
/// such document, for keys or values that are missing, unknown or out of range, for
/// tasks and CPUs that do not exist, and for moves that go back in time. Whether the
/// moves can be made is for replay() to say.
ScheduleDocument load_schedule(std::string_view text, const std::string& place);

}  // namespace tickproof
