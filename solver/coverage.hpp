#pragma once

#include <cstddef>

#include "model/system.hpp"

namespace tickproof {

/// How much time the first `events` events of a run take at least: what a verdict
/// bounded by events says about time. In so long a time there are at most so many
/// ticks, starts, and wake-ups and sleeps of tasks that have to sleep for a while in
/// between. 0 if some task may act as often as it likes; ns.
Ns covered_time(const SystemSpec& spec, std::size_t events);

}  // namespace tickproof
