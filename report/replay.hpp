// Does a document say what happens? An independent check: no solver is involved.
#pragma once

#include <optional>
#include <string>

#include "report/schedule_json.hpp"

namespace tickproof {

struct ReplayResult {
  bool conforms = false;
  /// If it does not: the first difference, with its place in the document:
  /// "claim.value: the document says 6000000, the replay 6000001".
  std::string difference;
  /// What the replay found; none if the moves can't be made.
  std::optional<Recording> recording;
};

/// Runs the document's schedule in the kernel's arithmetic. Compares each event that
/// the document has, in order, and then the claim. A move that can't be made, and
/// arithmetic that leaves 64 bits, are differences too.
ReplayResult replay(const ScheduleDocument& document);

}  // namespace tickproof
