// Searches as tests make them.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "solver/search.hpp"
#include "tests/support/systems.hpp"

namespace tickproof {

/// Searches, and checks what holds for every result.
inline SearchResult search_for(const Config& config, PropertyKind kind, const std::string& task,
                               std::size_t depth, Aim aim = Aim::largest) {
  const TransitionSystem system = extract(make_system(config), property_of(kind, task));
  SearchLimits limits;
  limits.depth = depth;
  const SearchResult result = search(system, aim, limits);
  EXPECT_EQ(result.depth_covered, depth);
  EXPECT_EQ(result.reason, "");
  EXPECT_EQ(result.controls, boost::num_vertices(system.graph));
  EXPECT_EQ(result.transitions, boost::num_edges(system.graph));
  if (result.witness) {
    EXPECT_EQ(measure(system.spec, result.witness->schedule, kind, system.watched, aim),
              result.witness->value);
    const auto beyond = [&](Ns a, Ns b) { return aim == Aim::largest ? a > b : a < b; };
    EXPECT_FALSE(beyond(result.witness->value, *result.bound)) << "the witness is beyond the bound";
  }
  return result;
}

/// The value is `worst`, up to the nanosecond that a strict inequality costs.
inline void expect_worst(const SearchResult& result, Ns worst) {
  ASSERT_TRUE(result.bound);
  EXPECT_EQ(*result.bound, worst);
  ASSERT_TRUE(result.witness);
  EXPECT_LE(std::abs(result.witness->value - worst), 1);
}

inline Config two_hogs(const char* kernel, int hz, Ns slice) {
  return config_of(kernel, hz, slice, {hogs("h", 2)});
}

}  // namespace tickproof
