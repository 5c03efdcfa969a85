#include "solver/unit.hpp"

#include <numeric>

namespace tickproof {

Rational common_unit(const SystemSpec& spec) {
  Ns unit = std::gcd(spec.tick, spec.fair.base_slice);
  for (const Ns constant :
       {spec.loss.lo, spec.loss.hi, spec.switch_delay.lo, spec.switch_delay.hi, spec.stretch}) {
    unit = std::gcd(unit, constant);
  }
  for (const SystemSpec::TaskInfo& task : spec.tasks) {
    const Workload& w = task.spec.workload;
    for (const Ns constant : {task.spec.slice.value_or(0), task.spec.start.value_or(0), w.period,
                              w.jitter, w.sleep, w.burst}) {
      unit = std::gcd(unit, constant);
    }
  }
  return unit;
}

}  // namespace tickproof
