// What a trace is made of, whatever file it comes from.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "model/units.hpp"

namespace tickproof {

/// One event; the views are into the reader's memory.
struct TraceEvent {
  int cpu = 0;
  Ns time = 0;              ///< of the trace's clock, as precise as it was recorded or printed
  std::string_view name;    ///< "sched_switch"
  std::string_view fields;  ///< "prev_comm=hog0 prev_pid=27 ..."
};

/// Here the trace has a hole.
struct LostEvents {
  std::int64_t count = 0;  ///< 0: nobody knows how many
  int cpu = -1;            ///< -1: the trace does not say
};

using TraceItem = std::variant<TraceEvent, LostEvents>;

}  // namespace tickproof
