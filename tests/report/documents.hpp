// Schedule documents for tests.
#pragma once

#include <utility>

#include "report/schedule_json.hpp"
#include "tests/report/runs.hpp"

namespace tickproof {

/// The document of that schedule, with a claim and events that are true.
inline ScheduleDocument make_document(const SystemSpec& spec, const Property& property,
                                      const Schedule& schedule) {
  Recording recording = record(spec, schedule, property);
  return {"tickproof 0.1.0", spec,
          property,          {Extreme::largest, recording.largest.value().value},
          schedule,          std::move(recording.events)};
}

/// Two hogs by the rules of 6.8; A waits for 6 ms, from 3.002 to 9.002.
inline ScheduleDocument two_hogs() {
  const SystemSpec spec = make_spec("6.8", 1000, {hog("A"), hog("B")});
  return make_document(spec, property_of(PropertyKind::scheduling_delay, "A"),
                       run_hogs(spec, 10 * kMsec));
}

/// Every kind of move, and a value for every key that may have none.
inline ScheduleDocument everything() {
  TaskSpec sleeper = with_slice(unconstrained("sleeper"), 3 * kMsec);
  sleeper.start = 0;
  sleeper.arrival = Arrival::fork;
  sleeper.renice = {5, 0};
  sleeper.slices = {2 * kMsec, kDefaultSlice};
  SystemSpec spec =
      make_spec("6.12", 1000, {hogs("hog", 2), sleeper, yielder("yielder", 5 * kMsec)});
  spec.fair.features.hrtick = true;
  spec.stretch = kMsec;
  Property property = property_of(PropertyKind::scheduling_delay, "hog");
  property.at_most = 4 * kMsec;
  property.at_least = 0;
  const Schedule schedule = Author(spec)
                                .wake(0, 2)
                                .block(300 * kUsec, 2)
                                .wake(400 * kUsec, 3)
                                .wake(400 * kUsec, 0)
                                .yield(900 * kUsec, 3)
                                .hrtick(3'700 * kUsec)
                                .resched(3'900 * kUsec)
                                .ticks(4 * kMsec)
                                .give(4'100 * kUsec, MoveKind::renice, 2, 5)
                                .give(4'200 * kUsec, MoveKind::set_slice, 2, 2 * kMsec)
                                .schedule();
  return make_document(spec, property, schedule);
}

}  // namespace tickproof
