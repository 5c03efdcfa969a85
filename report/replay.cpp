#include "report/replay.hpp"

#include <fmt/format.h>

#include "report/schedule_format.hpp"

namespace tickproof {
namespace {

using Json = nlohmann::ordered_json;

std::string says(const std::string& path, const Json& document, const Json& found) {
  return fmt::format("{}: the document says {}, the replay {}", path, document.dump(),
                     found.dump());
}

Json json_of(Event event, const Ids& ids) {
  Json json;
  JsonWriter writer(json);
  describe(writer, event, ids);
  return json;
}

/// Where two values that are not equal first differ. Objects have the same keys, or
/// differ in one before (the kind of a move) that decides on them.
std::string difference(const std::string& path, const Json& document, const Json& found) {
  if (document.is_object() && found.is_object()) {
    for (const auto& [key, value] : document.items()) {
      const Json& other = found.at(key);
      if (value != other) return difference(fmt::format("{}.{}", path, key), value, other);
    }
  }
  if (document.is_array() && found.is_array()) {
    for (std::size_t i = 0; i < document.size(); ++i) {
      if (document[i] != found[i]) {
        return difference(fmt::format("{}[{}]", path, i), document[i], found[i]);
      }
    }
  }
  return says(path, document, found);
}

/// Empty if there is none.
std::string difference(const ScheduleDocument& document, const Recording& recording) {
  if (document.events) {
    const Ids ids(document.system);
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
      const Event& event = (*document.events)[i];
      if (event == recording.events[i]) continue;
      return difference(fmt::format("events[{}]", i), json_of(event, ids),
                        json_of(recording.events[i], ids));
    }
  }
  const Claim& claim = document.claim;
  const std::optional<Reading>& reading =
      claim.extreme == Extreme::largest ? recording.largest : recording.smallest;
  if (reading && reading->value == claim.value) return "";
  return says("claim.value", claim.value, reading ? Json(reading->value) : Json());
}

}  // namespace

ReplayResult replay(const ScheduleDocument& document) {
  ReplayResult result;
  try {
    result.recording = record(document.system, document.schedule, document.property);
    result.difference = difference(document, *result.recording);
  } catch (const IllegalStep& e) {
    result.difference = e.what();
  } catch (const Overflow& e) {
    result.difference = e.what();
  }
  result.conforms = result.difference.empty();
  return result;
}

}  // namespace tickproof
