#include "properties/property.hpp"

#include <algorithm>
#include <array>

#include "model/setting.hpp"

namespace tickproof {
namespace {

constexpr std::array<PropertyInfo, 4> kKinds{{
    {PropertyKind::wakeup_latency, "wakeup-latency",
     "from a wake-up of the task until it first runs", false},
    {PropertyKind::scheduling_delay, "scheduling-delay",
     "from a wake-up or preemption of the task until it runs", false},
    {PropertyKind::run_length, "run-length",
     "time on the CPU from being picked until switched out, while another task could run", false},
    {PropertyKind::run_ticks, "run-ticks", "ticks in a run of that kind", true},
}};

}  // namespace

std::span<const PropertyInfo> all_property_kinds() { return kKinds; }

const PropertyInfo& info_of(PropertyKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

const PropertyInfo& find_property_kind(std::string_view name) {
  const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const PropertyInfo& k) { return k.name == name; });
  if (found != kKinds.end()) return *found;
  std::string names;
  for (const PropertyInfo& k : kKinds) names += (names.empty() ? "" : ", ") + std::string(k.name);
  throw BadValue("no property '" + std::string(name) + "'; there are " + names);
}

std::string format_value(PropertyKind kind, Ns value) {
  if (!info_of(kind).counts_ticks) return format_duration(value);
  return std::to_string(value) + (value == 1 ? " tick" : " ticks");
}

TaskId single_out(SystemSpec& spec, const Property& property) {
  const auto found =
      std::find_if(spec.tasks.begin(), spec.tasks.end(),
                   [&](const SystemSpec::TaskInfo& t) { return t.spec.name == property.task; });
  if (found == spec.tasks.end()) throw BadValue("no task '" + property.task + "'");
  found->kind = -1;
  return static_cast<TaskId>(found - spec.tasks.begin());
}

}  // namespace tickproof
