// The detailed events of a trace: `eevdf_op`, one for each operation of the fair class
// with the kernel's own numbers behind it, and `eevdf_se`, one for each task of the queue
// as a decision saw it. docs/traces.md says what they are and how to record them.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "trace/ftrace.hpp"

namespace tickproof {

/// The value of a field that the lines of this kernel do not have.
inline constexpr std::int64_t kAbsent = std::numeric_limits<std::int64_t>::min();

/// What both lines say of a task: its entity.
struct EntityNumbers {
  std::int64_t pid = -1;
  std::int64_t vr = 0;
  std::int64_t dl = 0;
  std::int64_t vlag = 0;
  std::int64_t slice = 0;
  std::int64_t w = 0;  ///< 1024 is nice 0
  std::int64_t onrq = 0;
  std::int64_t delayed = 0;
  std::int64_t vprot = kAbsent;  ///< kernels from 6.17 on
  std::int64_t hw = kAbsent;     ///< full weight, 1048576 is nice 0
};

/// One `eevdf_op` line; the numbers are those behind the operation.
struct Operation : EntityNumbers {
  std::string_view op;  ///< "update"; into the line
  Ns now = 0;           ///< rq->clock_task
  std::int64_t arg = 0;
  std::int64_t arg2 = 0;
  std::int64_t rel = 0;
  std::int64_t custom = 0;
  std::int64_t nr = 0;          ///< queued, delayed ones included
  std::int64_t curr = -1;       ///< pid
  std::int64_t v = 0;           ///< V, computed without side effects
  std::int64_t avgvr = 0;       ///< the tree's sum of weight * (vruntime - zero)
  std::int64_t avgload = 0;     ///< the tree's weight
  std::int64_t zero = 0;        ///< zero_vruntime
  std::int64_t next = kAbsent;  ///< pid of the next buddy, or -1
};

/// One `eevdf_se` line.
struct QueueEntry : EntityNumbers {
  std::int64_t i = 0;     ///< 0 is curr, the others in the order of the tree
  std::int64_t elig = 0;  ///< -1: not queued any more
};

/// The event of that kind that the fields tell of. Throws BadValue that names the field
/// where one is missing or no number.
Operation parse_operation(std::string_view fields);
QueueEntry parse_queue_entry(std::string_view fields);

}  // namespace tickproof
