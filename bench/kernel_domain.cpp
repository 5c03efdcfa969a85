// Events per second of a replay in kernel arithmetic: HZ=1000, 2.8 ms, hogs and a waker
// that computes 200 us and sleeps 1 ms. An event is a tick, a wake-up or a sleep.
#include "model/kernel_domain.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>

#include "model/schedule.hpp"
#include "tests/support/systems.hpp"

namespace tickproof {
namespace {

/// Makes one event after the other, for ever.
class Play {
 public:
  explicit Play(const SystemSpec& spec)
      : d_(spec.fair.rules.delta_fair),
        simulation_(d_, spec, {spec.tick}),
        waker_(static_cast<TaskId>(spec.tasks.size()) - 1) {
    for (TaskId id = 0; id <= waker_; ++id) make(0, MoveKind::wake, id);
  }

  void make_event() {
    const Task<KernelDomain>& waker = simulation_.state().tasks[static_cast<std::size_t>(waker_)];
    const Ns tick = simulation_.next_tick(0);
    if (waker.life == Life::asleep) {
      const Ns time = simulation_.now() + std::max(waker.until.value(), Ns{0});
      if (time < tick) return make(time, MoveKind::wake, waker_);
    } else if (simulation_.state().is_running(waker_)) {
      const Ns time = simulation_.now() + waker.left.value();
      if (time < tick) return make(time, MoveKind::block, waker_);
    }
    make(tick, MoveKind::tick, kNobody);
  }

 private:
  void make(Ns time, MoveKind kind, TaskId task) {
    simulation_.apply({time, kind, 0, task, 0, 0}, nobody_);
  }

  KernelDomain d_;
  Simulation<KernelDomain> simulation_;
  NoObserver<KernelDomain> nobody_;
  TaskId waker_;
};

void events(benchmark::State& state) {
  const SystemSpec spec = make_system(config_of(
      "6.12.117", 1000, 2'800 * kUsec,
      {hogs("hog", static_cast<int>(state.range(0))), sporadic("waker", kMsec, 200 * kUsec)}));
  constexpr int kBatch = 1'000;
  // Times are 64-bit ns from the start: begin anew before they get long.
  for (auto _ : state) {
    Play play(spec);
    for (int i = 0; i < kBatch; ++i) play.make_event();
  }
  state.SetItemsProcessed(state.iterations() * kBatch);
}
BENCHMARK(events)->Arg(2)->Arg(4)->Arg(16)->ArgName("hogs")->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace tickproof
