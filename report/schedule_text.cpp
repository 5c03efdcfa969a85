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
  const auto add = [&](const char* which, const std::optional<Reading>& reading) {
    if (!reading) return;
    text += fmt::format("  {} {}, from {} to {} ms\n", which,
                        format_value(property.kind, reading->value), in_ms(reading->from),
                        in_ms(reading->to));
  };
  if (!recording.largest) text += "  nothing to measure in this run\n";
  add("largest ", recording.largest);
  if (property.at_least) add("smallest", recording.smallest);
  return text;
}

bool is_largest(const Wait& wait, const Recording& recording) {
  return recording.largest && recording.largest->from == wait.from() &&
         recording.largest->to == wait.to();
}

std::string waits(const SystemSpec& spec, const Recording& recording) {
  const std::string name = label_of(spec, recording.watched);
  if (recording.waits.empty()) return name + " never waits.\n";
  std::vector<Ns> times;
  for (const Wait& wait : recording.waits) {
    for (const WaitPiece& piece : wait.pieces) times.insert(times.end(), {piece.from, piece.to});
  }
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
        is_largest(wait, recording) ? "the largest" : "");
  }
  return name + " waits, in ms:\n" + text;
}

}  // namespace

std::string schedule_text(const SystemSpec& spec, const Recording& recording,
                          const Property& property) {
  return summary(spec, recording, property) + "\n" + event_list(spec, recording) + kEventLegend +
         "\n" + gantt(spec, recording) + "\n" + waits(spec, recording);
}

}  // namespace tickproof
