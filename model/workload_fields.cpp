#include "model/workload_fields.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace tickproof {
namespace {

using enum WorkloadField::Use;

constexpr std::array<WorkloadField, 4> kFields{{
    // By workload: hog, periodic, sporadic, yielder, unconstrained.
    {"sleep",
     &Workload::sleep,
     "shortest sleep of a sporadic task",
     {none, none, may_be_zero, none, none}},
    {"burst",
     &Workload::burst,
     "longest computation until it sleeps or yields",
     {none, above_zero, above_zero, above_zero, none}},
    {"period",
     &Workload::period,
     "time between wake-ups of a periodic task",
     {none, above_zero, none, none, none}},
    {"jitter",
     &Workload::jitter,
     "how late a periodic task may be woken",
     {none, may_be_zero, none, none, none}},
}};

}  // namespace

std::span<const WorkloadField> all_workload_fields() { return kFields; }

std::string fields_used_in(Workload::Kind kind) {
  std::vector<std::string_view> used;
  for (const WorkloadField& field : kFields) {
    if (field.use_in(kind) != none) used.push_back(field.name);
  }
  return fmt::format("{}", fmt::join(used, ", "));
}

std::string describe_workload(const Workload& w) {
  const std::string computes = "computes <= " + format_duration(w.burst);
  switch (w.kind) {
    case Workload::Kind::hog: return "computes for ever";
    case Workload::Kind::periodic:
      return fmt::format("woken every {}{}, {}", format_duration(w.period),
                         w.jitter == 0 ? "" : " (up to " + format_duration(w.jitter) + " late)",
                         computes);
    case Workload::Kind::sporadic:
      return fmt::format("sleeps >= {}, {}", format_duration(w.sleep), computes);
    case Workload::Kind::yielder: return computes + ", then yields";
    case Workload::Kind::unconstrained: return "sleeps and wakes at will";
  }
  return "";
}

}  // namespace tickproof
