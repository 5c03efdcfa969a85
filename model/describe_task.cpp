#include <fmt/format.h>

#include "model/choices.hpp"
#include "model/parameters.hpp"
#include "model/workload_fields.hpp"

namespace tickproof {

std::string describe_task(const TaskSpec& task, const Config& config) {
  std::string text = task.name;
  if (task.count > 1) text += fmt::format(" x{}", task.count);
  if (task.policy == Policy::fifo) {
    text += ": SCHED_FIFO";
  } else {
    text += fmt::format(": nice {}", task.nice);
    if (task.policy != Policy::normal)
      text += fmt::format(", policy {}", name_of_choice(task.policy));
    text += fmt::format(", slice {} ({})", format_duration(task.slice.value_or(config.base_slice)),
                        task.slice ? "custom" : "base");
  }
  text += ", " + describe_workload(task.workload);
  if (!task.renice.empty()) {
    text += fmt::format(", may get nice {} at any time", fmt::join(task.renice, " or "));
  }
  if (!task.slices.empty()) {
    std::vector<std::string> slices;
    for (const Ns slice : task.slices) {
      slices.push_back(slice == kDefaultSlice ? "base" : format_duration(slice));
    }
    text += fmt::format(", may get slice {} at any time", fmt::join(slices, " or "));
  }
  if (task.arrival == Arrival::fork) text += ", first comes as a new child";
  if (task.start) text += ", starts at " + format_duration(*task.start);
  return text;
}

}  // namespace tickproof
