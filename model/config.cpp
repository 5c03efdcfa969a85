#include "model/config.hpp"

#include <algorithm>
#include <bit>

namespace tickproof {

Ns tick_period(int hz) { return (kSec + hz / 2) / hz; }

Ns scaled_base_slice(SliceUnit unit, Scaling scaling, int cpus) {
  const Ns one = unit == SliceUnit::us750 ? 750 * kUsec : 700 * kUsec;
  const auto counted = static_cast<unsigned>(std::min(cpus, 8));
  switch (scaling) {
    case Scaling::none: return one;
    case Scaling::log: return one * std::bit_width(counted);
    case Scaling::linear: return one * static_cast<Ns>(counted);
  }
  return one;
}

}  // namespace tickproof
