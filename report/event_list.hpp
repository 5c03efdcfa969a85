// The events of a run, one line each.
#pragma once

#include <string>

#include "report/recording.hpp"

namespace tickproof {

/// A table: when, which tick, what happened, who runs from then on (after a switch
/// with its time, "B@3.002"; "kept" if schedule() chose the same task), and what
/// changed: of a task v (vruntime) and d (deadline) in virtual ms, its lag, and
/// whether it gained (+) or lost (-) eligibility (e) and protection (p). Ticks that
/// only charge the running task share a line, which shows the state after the last.
std::string event_list(const SystemSpec& spec, const Recording& recording);

}  // namespace tickproof
