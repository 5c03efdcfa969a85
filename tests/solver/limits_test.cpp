// How far a search goes, and when it stops.
#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "tests/support/searches.hpp"

namespace tickproof {
namespace {

class Limits : public testing::Test {
 protected:
  TransitionSystem system_ = extract(make_system(two_hogs("6.8", 100, 3 * kMsec)),
                                     property_of(PropertyKind::scheduling_delay, "h"));
  SearchLimits limits_;
};

TEST_F(Limits, ShallowSearchesCoverWhatTheySay) {
  for (const std::size_t depth : {1U, 2U, 3U, 5U}) {
    limits_.depth = depth;
    const SearchResult result = search(system_, Aim::largest, limits_);
    EXPECT_EQ(result.depth_covered, depth);
    // Four events: 13 ms, as for a hog's first run.
    EXPECT_LE(*result.bound, depth <= 4 ? 13 * kMsec : 20 * kMsec);
  }
}

TEST_F(Limits, TimeRunsOut) {
  limits_.depth = 100;
  limits_.seconds = 1e-9;  // over before the first question
  const SearchResult result = search(system_, Aim::largest, limits_);
  EXPECT_EQ(result.reason, "time limit");
  EXPECT_EQ(result.depth_covered, 0U);
}

TEST_F(Limits, AQueryIsInterrupted) {
  limits_.depth = 100;
  limits_.seconds = 0.5;
  const SearchResult result = search(system_, Aim::largest, limits_);
  EXPECT_EQ(result.reason, "time limit");
  EXPECT_LT(result.depth_covered, 100U);
}

TEST_F(Limits, TheUserStopsIt) {
  const std::atomic<bool> stop = true;
  limits_.stop = &stop;
  const SearchResult result = search(system_, Aim::largest, limits_);
  EXPECT_EQ(result.reason, "interrupted");
  EXPECT_EQ(result.depth_covered, 0U);
}

TEST_F(Limits, TheFirstWitnessBeyondALimitIsEnough) {
  limits_.depth = 8;
  const SearchResult result = search(system_, Aim::largest, limits_, 11 * kMsec);
  ASSERT_TRUE(result.witness);
  EXPECT_GT(result.witness->value, 11 * kMsec);
  EXPECT_LT(result.depth_covered, 8U);
  EXPECT_EQ(result.reason, "");
  // One that is not broken is no reason to stop.
  EXPECT_EQ(search(system_, Aim::largest, limits_, 20 * kMsec).depth_covered, 8U);
}

TEST_F(Limits, ProgressIsReported) {
  limits_.depth = 8;
  std::vector<std::size_t> depths;
  std::optional<Ns> last;
  search(system_, Aim::largest, limits_, std::nullopt,
         [&](std::size_t depth, const std::optional<Witness>& witness) {
           if (depths.empty() || depths.back() != depth) depths.push_back(depth);
           if (!witness) return;
           EXPECT_TRUE(!last || witness->value >= *last);
           last = witness->value;
         });
  EXPECT_EQ(depths, (std::vector<std::size_t>{4, 6, 8}));
  EXPECT_EQ(last, 20 * kMsec);
}

}  // namespace
}  // namespace tickproof
