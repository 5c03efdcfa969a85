#include "report/schedule_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/event_list.hpp"
#include "report/gantt.hpp"
#include "report/milliseconds.hpp"

namespace tickproof {
namespace {

constexpr const char* kEventLegend =
    "v vruntime, d deadline, lag: virtual ms; e eligible, p protected\n";

std::string summary(const SystemSpec& spec, const Recording& recording, const Property& property) {
  std::string text =
      fmt::format("{} of {}\n", info_of(property.kind).name, label_of(spec, recording.watched));
  const auto& [name, reading] = extremum_of(recording, property);
  if (!reading) return text + "  nothing to measure in this run\n";
  return text + fmt::format("  {}  {}, from {} to {} ms\n", name,
                            format_value(property.kind, reading->value), in_ms(reading->from),
                            in_ms(reading->to));
}

std::string waits(const SystemSpec& spec, const Recording& recording, const Extremum& extremum) {
  const std::string name = label_of(spec, recording.watched);
  if (recording.waits.empty()) return name + " never waits.\n";
  std::vector<Ns> times;
  for (const Wait& wait : recording.waits) {
    for (const WaitPiece& piece : wait.pieces) times.insert(times.end(), {piece.from, piece.to});
  }
  const auto is_extreme = [&](const Wait& wait) {
    const std::optional<Reading>& reading = extremum.reading;
    return reading && reading->from == wait.from() && reading->to == wait.to();
  };
  const int decimals = decimals_of(times);
  const std::size_t width = std::max<std::size_t>(in_ms(recording.end, decimals).size(), 6);
  std::string text;
  const auto add = [&](const std::string& from, const std::string& to, const std::string& length,
                       std::string_view why) {
    text += fmt::format("{:>{}}  {:>{}}  {:>{}}{}{}\n", from, width, to, width, length, width,
                        why.empty() ? "" : "  ", why);
  };
  add("from", "to", "length", "why");
  for (const Wait& wait : recording.waits) {
    for (const WaitPiece& piece : wait.pieces) {
      add(in_ms(piece.from, decimals), in_ms(piece.to, decimals),
          in_ms(piece.to - piece.from, decimals), name_of(piece.reason));
    }
    add("", wait.over ? "in all" : "so far", in_ms(wait.to() - wait.from(), decimals),
        is_extreme(wait) ? std::string("the ") + extremum.name : "");
  }
  return name + " waits, in ms:\n" + text;
}

}  // namespace

std::string schedule_text(const SystemSpec& spec, const Recording& recording,
                          const Property& property) {
  const Extremum extremum = extremum_of(recording, property);
  return summary(spec, recording, property) + "\n" + event_list(spec, recording) + kEventLegend +
         "\n" + gantt(spec, recording, extremum) + "\n" + waits(spec, recording, extremum);
}

}  // namespace tickproof
