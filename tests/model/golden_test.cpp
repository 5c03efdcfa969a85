// Golden traces: the scenarios that the mails about EEVDF argue with. They were
// produced by another program, written from a description of the kernel's rules
// before this one was; TwoHogs (6.8, 7.3) and UnequalSlices (7.2, 7.3) were also seen on
// running kernels. Base slice 2.8 ms, switched 2 us after the tick, HRTICK off, tasks start
// in the order of their names.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/rational_domain.hpp"
#include "tests/support/runner.hpp"
#include "tests/support/systems.hpp"

namespace tickproof {
namespace {

struct Arrives {
  Ns time;
  TaskId task;
};

struct Scenario {
  std::string name;
  std::string kernel;
  int hz;
  std::vector<TaskSpec> tasks;
  std::vector<Arrives> arrivals;
  Ns end;
  std::string expected;
};

void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

template <Domain D>
std::string switches_of(D& d, const Scenario& scenario) {
  Config config = config_of(scenario.kernel.c_str(), scenario.hz, 2'800 * kUsec, scenario.tasks);
  config.switch_delay = {2 * kUsec, 2 * kUsec};
  config.features.hrtick = false;
  const SystemSpec spec = make_system(config);
  Runner<D> runner(d, spec);
  for (const auto& [time, task] : scenario.arrivals) runner.wake(time, task);
  return runner.ticks(scenario.end).switches();
}

class Golden : public testing::TestWithParam<Scenario> {};

TEST_P(Golden, InTheKernelDomain) {
  for (const DeltaFair rule : {DeltaFair::inverse, DeltaFair::exact}) {
    KernelDomain d(rule);
    EXPECT_EQ(switches_of(d, GetParam()), GetParam().expected);
  }
}

TEST_P(Golden, InTheRationalDomain) {
  RationalDomain d;
  EXPECT_EQ(switches_of(d, GetParam()), GetParam().expected);
}

constexpr Ns kC = 1'500 * kUsec;

/// The rows of the table: each is what happens from its kernel on, up to the next row of
/// the same name.
std::vector<Scenario> rows() {
  const std::vector<TaskSpec> two{hog("A"), hog("B")};
  const std::vector<TaskSpec> unequal{hog("A"), hog("B", 5)};
  const std::vector<TaskSpec> late_short{hog("A"), with_slice(hog("C"), 500 * kUsec)};
  const std::vector<TaskSpec> two_and_late_short{hog("A"), hog("B"),
                                                 with_slice(hog("C"), 500 * kUsec)};
  const std::vector<TaskSpec> slices{with_slice(hog("A"), 10 * kMsec),
                                     with_slice(hog("B"), 3 * kMsec)};
  const std::vector<Arrives> both{{0, 0}, {0, 1}};
  const std::vector<Arrives> second_late{{0, 0}, {kC, 1}};
  const std::vector<Arrives> third_late{{0, 0}, {0, 1}, {kC, 2}};
  return {
      // B's request is served at tick 6, when A is 2 us ahead of V and can't be picked.
      // Up to 6.11 another request has to be served then ...
      {"TwoHogs", "6.6", 1000, two, both, 15 * kMsec, "A@0 B@3.002 A@9.002 B@12.002 A@15.002"},
      // ... and later kernels look again at every tick.
      {"TwoHogs", "6.12", 1000, two, both, 13 * kMsec, "A@0 B@3.002 A@7.002 B@10.002 A@13.002"},
      {"TwoHogs250Hz", "6.6", 250, two, both, 20 * kMsec, "A@0 B@4.002 A@12.002 B@16.002 A@20.002"},
      {"TwoUnequalHogs", "6.6", 1000, unequal, both, 27 * kMsec,
       "A@0 B@3.002 A@6.002 B@15.002 A@18.002 B@27.002"},
      {"TwoUnequalHogs", "6.12", 1000, unequal, both, 25 * kMsec,
       "A@0 B@3.002 A@6.002 B@13.002 A@16.002 B@25.002"},
      {"AnEqualSliceArrives",
       "6.6",
       1000,
       {hog("A"), hog("C")},
       second_late,
       6 * kMsec,
       "A@0 C@3.002 A@6.002"},
      {"AShortSliceArrives", "6.12", 1000, late_short, second_late, 6 * kMsec,
       "A@0 C@1.5 A@2.002 C@4.002 A@6.002"},
      // A is protected for no longer than C's slice.
      {"AShortSliceArrives", "6.17", 1000, late_short, second_late, 5 * kMsec,
       "A@0 C@1.5 A@2.002 C@3.002 A@4.002 C@5.002"},
      {"AnEqualSliceArrivesAtTwoHogs",
       "6.6",
       1000,
       {hog("A"), hog("B"), hog("C")},
       third_late,
       12 * kMsec,
       "A@0 B@3.002 C@6.002 B@9.002 A@12.002"},
      {"AShortSliceArrivesAtTwoHogs", "6.12", 1000, two_and_late_short, third_late, 8 * kMsec,
       "A@0 C@1.5 B@2.002 C@5.002 A@6.002 C@8.002"},
      {"AShortSliceArrivesAtTwoHogs", "6.17", 1000, two_and_late_short, third_late, 7 * kMsec,
       "A@0 C@1.5 B@2.002 C@4.002 A@5.002 B@6.002 C@7.002"},
      {"UnequalSlices", "6.12", 1000, slices, both, 23 * kMsec,
       "A@0 B@0 A@3.002 B@14.002 A@23.002"},
      {"UnequalSlices", "6.17", 1000, slices, both, 14 * kMsec,
       "A@0 B@0 A@3.002 B@7.002 A@10.002 B@14.002"},
      {"UnequalSlices", "7.3", 1000, slices, both, 13 * kMsec,
       "A@0 B@0 A@3.002 B@7.002 A@10.002 B@13.002"},
  };
}

/// Each row in every profile that it is true of.
std::vector<Scenario> scenarios() {
  std::vector<Scenario> all;
  for (const Profile& profile : all_profiles()) {
    std::map<std::string, Scenario> newest;
    for (const Scenario& row : rows()) {
      if (find_profile(row.kernel).first <= profile.first) newest.insert_or_assign(row.name, row);
    }
    for (auto [name, row] : newest) {
      std::string suffix(profile.name);
      std::replace(suffix.begin(), suffix.end(), '.', '_');
      row.name += "In" + suffix;
      row.kernel = profile.name;
      all.push_back(std::move(row));
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Golden, testing::ValuesIn(scenarios()),
                         [](const auto& scenario) { return scenario.param.name; });

}  // namespace
}  // namespace tickproof
