// Time to a witness and to the bounded verdict: the scheduling delay of one of so many
// hogs under the rules of 6.8, 3 ms. Its worst values within eight events are 20, 40 and
// 43 ms for two to four of them at HZ=100, and 6, 12 and 13 ms at HZ=1000.
#include "solver/search.hpp"

#include <benchmark/benchmark.h>

#include "tests/support/systems.hpp"

namespace tickproof {
namespace {

TransitionSystem system_of(const benchmark::State& state) {
  const Config config = config_of("6.8", static_cast<int>(state.range(1)), 3 * kMsec,
                                  {hogs("hog", static_cast<int>(state.range(0)))});
  return extract(make_system(config), property_of(PropertyKind::scheduling_delay, "hog"));
}

void report(benchmark::State& state, const SearchResult& result) {
  if (!result.witness) return state.SkipWithError("no witness");
  state.counters["depth"] = static_cast<double>(result.depth_covered);
  state.counters["witness_ms"] = static_cast<double>(result.witness->value) / kMsec;
}

/// All runs of at most `depth` events: the worst value, and that there is none beyond.
void bounded_verdict(benchmark::State& state) {
  const TransitionSystem system = system_of(state);
  SearchLimits limits;
  limits.depth = static_cast<std::size_t>(state.range(2));
  SearchResult result;
  for (auto _ : state) result = search(system, Aim::largest, limits);
  report(state, result);
}
BENCHMARK(bounded_verdict)
    ->ArgNames({"hogs", "hz", "depth"})
    ->ArgsProduct({{2, 3}, {100, 1000}, {8, 10}})
    ->ArgsProduct({{4}, {100, 1000}, {8}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

/// The first run in which the hog waits for longer than one run of another can be.
void witness(benchmark::State& state) {
  const TransitionSystem system = system_of(state);
  SearchLimits limits;
  limits.depth = 8;
  const Ns limit = system.spec.fair.base_slice + system.spec.tick;
  SearchResult result;
  for (auto _ : state) result = search(system, Aim::largest, limits, limit);
  report(state, result);
}
BENCHMARK(witness)
    ->ArgNames({"hogs", "hz"})
    ->ArgsProduct({{2, 3, 4}, {100, 1000}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace tickproof
