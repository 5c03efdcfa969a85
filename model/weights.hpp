// Load weights from nice values.
// Source: kernel/sched/core.c, sched_prio_to_weight[] and sched_prio_to_wmult[];
// the numbers are the same in every version from 6.6 to 7.3.
#pragma once

#include <cstdint>

namespace tickproof {

inline constexpr int kLeastNice = -20;
inline constexpr int kMostNice = 19;
/// The weight of nice 0, and of the SCHED_IDLE policy whatever the nice value.
inline constexpr std::int64_t kNice0Weight = 1024;
inline constexpr std::int64_t kIdlePolicyWeight = 3;
/// load.weight for each unit of these (SCHED_FIXEDPOINT_SHIFT).
inline constexpr std::int64_t kFullWeight = 1024;

/// A load weight and the kernel's rounded 2^32 / weight.
struct Weight {
  std::int64_t value = kNice0Weight;  ///< 1024 = nice 0 (load.weight >> 10 on 64 bit)
  std::int64_t inverse = std::int64_t{1} << 22;
  friend bool operator==(const Weight&, const Weight&) = default;
};

/// The weight of a nice value in [-20, 19].
Weight weight_of_nice(int nice);
Weight weight_of_idle_policy();

}  // namespace tickproof
