// Time to extract the transition system: hogs, with and without a waker.
#include <benchmark/benchmark.h>

#include "bench/systems.hpp"
#include "solver/transition_system.hpp"

namespace tickproof {
namespace {

void extract_hogs(benchmark::State& state) {
  Config config = hogs("6.12.117", 1000, 2'800 * kUsec, static_cast<int>(state.range(0)));
  if (state.range(1) != 0) config = with_waker(std::move(config));
  const SystemSpec spec = make_system(config);
  Property property;
  property.kind =
      state.range(1) != 0 ? PropertyKind::wakeup_latency : PropertyKind::scheduling_delay;
  property.task = state.range(1) != 0 ? "waker" : "hog";
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
