// Equal deadlines of eligible tasks. With tie=any the solver gets one path for each task that
// may be picked; a concrete run takes the one that was queued first, as with tie=insertion.
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "model/symbolic_domain.hpp"
#include "tests/support/kernel_queue.hpp"

namespace tickproof {
namespace {

/// What `outcome` may come to: A runs, B and C wait, all three at 0 with one deadline, D with
/// a later one.
std::set<std::string> outcomes(
    const char* kernel, const std::function<std::string(FairQueue<SymbolicDomain>&)>& outcome) {
  std::set<std::string> all;
  std::string last;
  SymbolicDomain::run_all_paths(
      DeltaFair::inverse, {}, {}, [](const std::vector<Formula>&) { return true; },
      [&](SymbolicDomain& d) {
        FairQueue<SymbolicDomain> q(d, kernel);
        q.settings.features.run_to_parity = false;
        q.add_running(0, 2'000);
        for (const Ns deadline : {2'000, 2'000, 3'000}) q.add_queued(0, deadline);
        last = outcome(q);
      },
      [&](SymbolicDomain&) { all.insert(last); });
  return all;
}

std::set<std::string> picked(const char* kernel) {
  return outcomes(kernel, [](auto& q) { return KernelQueue::name(q.fair.pick_next()); });
}

TEST(Tie, AnyOfTheEarliestMayBePickedIn66) {
  EXPECT_EQ(picked("6.6"), (std::set<std::string>{"A", "B", "C"}));
  EXPECT_EQ(picked("6.8"), std::set<std::string>{"B"});
}

TEST(Tie, AWakeUpMayGoEitherWayIn66) {
  const auto preempts = [](const char* kernel, TaskId woken) {
    return outcomes(kernel, [&](auto& q) {
      return std::string(q.fair.wakeup_preempts(woken, {}) ? "yes" : "no");
    });
  };
  using Answers = std::set<std::string>;
  EXPECT_EQ(preempts("6.6", 1), (Answers{"no", "yes"}));
  EXPECT_EQ(preempts("6.6", 2), (Answers{"no", "yes"}));
  EXPECT_EQ(preempts("6.6", 3), Answers{"no"});
  EXPECT_EQ(preempts("6.8", 1), Answers{"yes"});
  EXPECT_EQ(preempts("6.8", 2), Answers{"no"});
}

TEST(Tie, AConcreteRunTakesTheFirst) {
  for (const char* kernel : {"6.6", "6.8"}) {
    KernelQueue q(kernel);
    q.settings.features.run_to_parity = false;
    q.runs(0, 2'000);
    q.waits(0, 2'000);
    q.waits(0, 2'000);
    EXPECT_EQ(q.pick(), "B") << kernel;
  }
}

}  // namespace
}  // namespace tickproof
