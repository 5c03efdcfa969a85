#include "trace/one_cpu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/setting.hpp"

namespace tickproof {

bool OneCpu::wants(const TraceEvent& event) {
  if (!cpu_) cpu_ = event.cpu;
  if (event.cpu == *cpu_) return found_ = true;
  if (!is_asked_) {
    throw BadValue(
        fmt::format("is of CPU {}, the lines before of CPU {}; only traces of one CPU can be "
                    "replayed: choose one with --cpu",
                    event.cpu, *cpu_));
  }
  others_.insert(event.cpu);
  return false;
}

bool OneCpu::wants(const LostEvents& lost) const {
  return lost.cpu < 0 || !cpu_ || lost.cpu == *cpu_;
}

void OneCpu::check_found() const {
  if (found_ || others_.empty()) return;
  throw BadValue(fmt::format("holds no event of CPU {} (--cpu); it has events of CPU {}", *cpu_,
                             fmt::join(others_, ", ")));
}

}  // namespace tickproof
