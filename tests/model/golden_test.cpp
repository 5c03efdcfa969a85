// Golden traces: the scenarios that the mails about EEVDF argue with. They were
// produced by another program, written from a description of the kernel's rules
// before this one was, and rows 1 and 8 were also seen on running kernels. Base slice
// 2.8 ms, switched 2 us after the tick, tasks start in the order of their names.
#include <gtest/gtest.h>

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

std::vector<Scenario> scenarios() {
  const std::vector<TaskSpec> two{hog("A"), hog("B")};
  const std::vector<Arrives> both{{0, 0}, {0, 1}};
  std::vector<Scenario> all{
      // B's request is served at tick 6, when A is 2 us ahead of V and can't be picked.
      // 6.8 then waits for another request to be served.
      {"TwoHogs68", "6.8", 1000, two, both, 15 * kMsec, "A@0 B@3.002 A@9.002 B@12.002 A@15.002"},
      {"TwoUnequalHogs68",
       "6.8",
       1000,
       {hog("A"), hog("B", 5)},
       both,
       27 * kMsec,
       "A@0 B@3.002 A@6.002 B@15.002 A@18.002 B@27.002"},
  };
  for (const std::string kernel : {"6.12", "6.12.117"}) {
    const std::string suffix = kernel == "6.12" ? "612" : "612s";
    const std::vector<Scenario> later{
        // ... and later kernels look again at every tick.
        {"TwoHogs", kernel, 1000, two, both, 13 * kMsec, "A@0 B@3.002 A@7.002 B@10.002 A@13.002"},
        {"TwoUnequalHogs",
         kernel,
         1000,
         {hog("A"), hog("B", 5)},
         both,
         25 * kMsec,
         "A@0 B@3.002 A@6.002 B@13.002 A@16.002 B@25.002"},
        {"AShortSliceArrives",
         kernel,
         1000,
         {hog("A"), with_slice(hog("C"), 500 * kUsec)},
         {{0, 0}, {kC, 1}},
         6 * kMsec,
         "A@0 C@1.5 A@2.002 C@4.002 A@6.002"},
        {"AShortSliceArrivesAtTwoHogs",
         kernel,
         1000,
         {hog("A"), hog("B"), with_slice(hog("C"), 500 * kUsec)},
         {{0, 0}, {0, 1}, {kC, 2}},
         8 * kMsec,
         "A@0 C@1.5 B@2.002 C@5.002 A@6.002 C@8.002"},
        {"UnequalSlices",
         kernel,
         1000,
         {with_slice(hog("A"), 10 * kMsec), with_slice(hog("B"), 3 * kMsec)},
         both,
         23 * kMsec,
         "A@0 B@0 A@3.002 B@14.002 A@23.002"},
    };
    for (Scenario scenario : later) {
      scenario.name += suffix;
      all.push_back(std::move(scenario));
    }
  }
  for (const std::string kernel : {"6.8", "6.12", "6.12.117"}) {
    const std::string suffix = kernel == "6.8" ? "68" : kernel == "6.12" ? "612" : "612s";
    const std::vector<Scenario> same{
        {"TwoHogs250Hz", kernel, 250, two, both, 20 * kMsec,
         "A@0 B@4.002 A@12.002 B@16.002 A@20.002"},
        {"AnEqualSliceArrives",
         kernel,
         1000,
         {hog("A"), hog("C")},
         {{0, 0}, {kC, 1}},
         6 * kMsec,
         "A@0 C@3.002 A@6.002"},
        {"AnEqualSliceArrivesAtTwoHogs",
         kernel,
         1000,
         {hog("A"), hog("B"), hog("C")},
         {{0, 0}, {0, 1}, {kC, 2}},
         12 * kMsec,
         "A@0 B@3.002 C@6.002 B@9.002 A@12.002"},
    };
    for (Scenario scenario : same) {
      scenario.name += suffix;
      all.push_back(std::move(scenario));
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Golden, testing::ValuesIn(scenarios()),
                         [](const auto& scenario) { return scenario.param.name; });

}  // namespace
}  // namespace tickproof
