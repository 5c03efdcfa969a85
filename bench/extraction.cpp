// Time to extract the transition system: hogs, with and without a waker.
#include <benchmark/benchmark.h>

#include "solver/transition_system.hpp"
#include "tests/support/systems.hpp"

namespace tickproof {
namespace {

void extract_hogs(benchmark::State& state) {
  const bool waker = state.range(1) != 0;
  Config config =
      config_of("6.12.117", 1000, 2'800 * kUsec, {hogs("hog", static_cast<int>(state.range(0)))});
  if (waker) config.tasks.push_back(sporadic("waker", kMsec, 200 * kUsec));
  const SystemSpec spec = make_system(config);
  const Property property = waker ? property_of(PropertyKind::wakeup_latency, "waker")
                                  : property_of(PropertyKind::scheduling_delay, "hog");
  for (auto _ : state) {
    const TransitionSystem system = extract(spec, property);
    state.counters["controls"] = static_cast<double>(boost::num_vertices(system.graph));
    state.counters["transitions"] = static_cast<double>(boost::num_edges(system.graph));
  }
}
BENCHMARK(extract_hogs)
    ->ArgNames({"hogs", "waker"})
    ->ArgsProduct({{2, 3, 4}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tickproof
