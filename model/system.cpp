#include "model/system.hpp"

namespace tickproof {

SystemSpec make_system(const Config& config) {
  SystemSpec spec;
  spec.tick = tick_period(config.hz);
  spec.fair = {config.rules, config.features, config.base_slice, spec.tick};
  spec.preemption = config.preemption;
  spec.loss = config.loss;
  spec.switch_delay = config.switch_delay;
  spec.stretch = config.stretch;
  int kind = 0;
  for (const TaskSpec& task : config.tasks) {
    for (int i = 1; i <= task.count; ++i) {
      const std::string suffix = task.count == 1 ? "" : "." + std::to_string(i);
      spec.tasks.push_back({task.name + suffix, task, kind});
    }
    ++kind;
  }
  return spec;
}

}  // namespace tickproof
