// Which numbers belong to which workload, and how a workload reads in words.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/config.hpp"

namespace tickproof {

struct WorkloadField {
  enum class Use { none, may_be_zero, above_zero };
  std::string_view name;  ///< as in "task.NAME.burst"
  Ns Workload::*member;
  std::string_view help;
  Use use[5];  ///< by Workload::Kind

  Use use_in(Workload::Kind kind) const { return use[static_cast<std::size_t>(kind)]; }
};

std::span<const WorkloadField> all_workload_fields();

/// "burst, sleep": the names of the fields that the workload uses; may be empty.
std::string fields_used_in(Workload::Kind kind);

/// "sleeps >= 1ms, computes <= 200us".
std::string describe_workload(const Workload& workload);

}  // namespace tickproof
