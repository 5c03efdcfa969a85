// What can be asked about a system.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/system.hpp"

namespace tickproof {

enum class PropertyKind {
  wakeup_latency,    ///< from a wake-up of the task until it first runs
  scheduling_delay,  ///< from a wake-up or preemption of the task until it runs
  run_length,        ///< time on the CPU since it was picked, while another task is runnable
  run_ticks,         ///< ticks in a run of that kind
};

/// A kind of property as the user sees it.
struct PropertyInfo {
  PropertyKind kind;
  std::string_view name;  ///< in case files and on the command line
  std::string_view meaning;
  bool counts_ticks;  ///< its value is a number of ticks, not a time
};

std::span<const PropertyInfo> all_property_kinds();
const PropertyInfo& info_of(PropertyKind kind);
/// Throws BadValue that lists the kinds there are.
const PropertyInfo& find_property_kind(std::string_view name);

/// A question about one task: a value (no bound), or whether it keeps a bound.
struct Property {
  std::string name;  ///< unique in its case
  PropertyKind kind = PropertyKind::wakeup_latency;
  std::string task;            ///< the name of a TaskSpec; of several copies any one is meant
  std::optional<Ns> at_most;   ///< ns, or ticks
  std::optional<Ns> at_least;  ///< ns, or ticks; judged only when a run has ended
};

/// "2.8ms" or "3 ticks".
std::string format_value(PropertyKind kind, Ns value);

/// Gives the task that the property watches a kind of its own, so that it is not
/// taken for one of its copies, and returns its id.
/// Throws BadValue if there is no such task.
TaskId single_out(SystemSpec& spec, const Property& property);

}  // namespace tickproof
