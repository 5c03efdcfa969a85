// Worst values that are known from elsewhere.
#include "solver/search.hpp"

#include <gtest/gtest.h>

#include "model/parameters.hpp"

namespace tickproof {
namespace {

SystemSpec hogs(const std::string& kernel, const std::string& hz, const std::string& base_slice,
                const std::string& count) {
  const Origin in_case{Origin::Kind::case_file, "test"};
  const std::vector<Assignment> assignments{{"kernel", kernel, in_case},
                                            {"hz", hz, in_case},
                                            {"base_slice", base_slice, in_case},
                                            {"task.hog.workload", "hog", in_case},
                                            {"task.hog.count", count, in_case}};
  return make_system(resolve(assignments).config);
}

Property worst_of(PropertyKind kind) { return {"p", kind, "hog", std::nullopt, std::nullopt}; }

SearchResult search_to(const SystemSpec& spec, PropertyKind kind, std::size_t depth) {
  SearchLimits limits;
  limits.depth = depth;
  return search(extract(spec, worst_of(kind)), Aim::largest, limits);
}

void expect_exactly(const SearchResult& result, Ns value, std::size_t depth) {
  EXPECT_EQ(result.depth_covered, depth);
  ASSERT_TRUE(result.bound.has_value());
  EXPECT_EQ(*result.bound, value);
  ASSERT_TRUE(result.witness.has_value());
  EXPECT_EQ(result.witness->value, value);
}

// Two hogs under the expiry rule of 6.6 to 6.11, from a prototype that was made apart
// from this program: HZ=100, 3 ms: 20 ms; HZ=1000, 2.8 ms: 6 ms. The golden trace of
// two hogs shows the 6 ms, too: A@0 B@3 A@9.
TEST(Search, TwoHogsWaitTwoRequestsUnderTheExpiryRule) {
  expect_exactly(search_to(hogs("6.8", "100", "3ms", "2"), PropertyKind::scheduling_delay, 6),
                 20 * kMsec, 6);
  expect_exactly(search_to(hogs("6.8", "1000", "2.8ms", "2"), PropertyKind::scheduling_delay, 6),
                 6 * kMsec, 6);
}

// From 6.12 on a re-picked hog is looked at again at the next tick: A@0 B@3 A@7.
TEST(Search, LaterRulesLookAgainAtTheNextTick) {
  expect_exactly(
      search_to(hogs("6.12.117", "1000", "2.8ms", "2"), PropertyKind::scheduling_delay, 6),
      4 * kMsec, 6);
}

TEST(Search, AWitnessIsWhatItsReplayMeasures) {
  SystemSpec spec = hogs("6.8", "100", "3ms", "2");
  const SearchResult result = search_to(spec, PropertyKind::scheduling_delay, 5);
  ASSERT_TRUE(result.witness.has_value());
  const TaskId watched = single_out(spec, worst_of(PropertyKind::scheduling_delay));
  EXPECT_EQ(measure(spec, result.witness->schedule, PropertyKind::scheduling_delay, watched,
                    Aim::largest),
            result.witness->value);
}

TEST(Search, StopsAtTheFirstWitnessBeyondALimit) {
  SearchLimits limits;
  limits.depth = 8;
  const TransitionSystem system =
      extract(hogs("6.8", "100", "3ms", "2"), worst_of(PropertyKind::scheduling_delay));
  const SearchResult result = search(system, Aim::largest, limits, 5 * kMsec);
  ASSERT_TRUE(result.witness.has_value());
  EXPECT_GT(result.witness->value, 5 * kMsec);
  EXPECT_LT(result.depth_covered, 8U);
}

TEST(Search, StopsWhenItIsToldTo) {
  const std::atomic<bool> stop = true;
  SearchLimits limits;
  limits.depth = 8;
  limits.stop = &stop;
  const SearchResult result =
      search(extract(hogs("6.8", "100", "3ms", "2"), worst_of(PropertyKind::scheduling_delay)),
             Aim::largest, limits);
  EXPECT_EQ(result.depth_covered, 0U);
  EXPECT_EQ(result.reason, "interrupted");
}

}  // namespace
}  // namespace tickproof
