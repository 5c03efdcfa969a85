#include "solver/coverage.hpp"

#include <optional>

namespace tickproof {
namespace {

/// The most events in any stretch of `time` ns (both ends included); none: no limit.
std::optional<Ns> most_events(const SystemSpec& spec, Ns time) {
  const auto points = [&](Ns period) { return time / period + 1; };
  Ns events = points(spec.tick) * spec.cpus;
  for (const SystemSpec::TaskInfo& task : spec.tasks) {
    const Workload& w = task.spec.workload;
    events += 1;  // its start
    if (!task.spec.renice.empty() || !task.spec.slices.empty()) return std::nullopt;
    switch (w.kind) {
      case Workload::Kind::hog: break;
      case Workload::Kind::sporadic:
        if (w.sleep == 0) return std::nullopt;
        events += 2 * points(w.sleep);
        break;
      case Workload::Kind::periodic: events += 2 * ((time + w.jitter) / w.period + 1); break;
      case Workload::Kind::yielder:
      case Workload::Kind::unconstrained: return std::nullopt;
    }
  }
  if (spec.fair.features.hrtick) events += points(kLeastHrtick) * spec.cpus;
  // Each of them may ask for a reschedule that comes as an event of its own.
  if (spec.stretch > 0) events *= 2;
  return events;
}

}  // namespace

Ns covered_time(const SystemSpec& spec, std::size_t events) {
  // A value is read at events: what goes on at the end is read by the next one.
  const auto fits = [&](Ns time) {
    const std::optional<Ns> most = most_events(spec, time);
    return most && *most < static_cast<Ns>(events);
  };
  if (!fits(0)) return 0;
  Ns low = 0;
  Ns high = kLongestTime;
  while (high - low > 1) {
    const Ns middle = low + (high - low) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace tickproof
