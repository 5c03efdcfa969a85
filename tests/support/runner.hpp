// Runs a system by hand in any concrete domain: the test says who wakes or sleeps
// when, ticks come when they are due.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/kernel_domain.hpp"
#include "model/rational.hpp"
#include "model/schedule.hpp"

namespace tickproof {

/// The value of a number that is a whole one.
inline Ns whole_ns(const Checked& x) { return x.value(); }
inline Ns whole_ns(const Rational& x) {
  if (denominator(x) != 1) throw std::logic_error(x.str() + " is not whole");
  return numerator(x).convert_to<Ns>();
}

/// "3.002" for 3002000 ns.
inline std::string in_ms(Ns time) {
  std::string text = fmt::format("{}.{:06}", time / kMsec, time % kMsec);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

template <Domain D>
class Runner {
 public:
  /// The first tick comes a period after the start unless said otherwise.
  Runner(D& d, const SystemSpec& spec) : Runner(d, spec, spec.tick) {}
  Runner(D& d, const SystemSpec& spec, Ns first_tick)
      : spec_(spec), simulation_(d, spec, {first_tick}) {}
  Runner(const Runner&) = delete;  // its observer points to it
  Runner& operator=(const Runner&) = delete;

  Runner& wake(Ns time, TaskId task) { return at(time, MoveKind::wake, task); }
  Runner& block(Ns time, TaskId task) { return at(time, MoveKind::block, task); }
  Runner& yield(Ns time, TaskId task) { return at(time, MoveKind::yield, task); }
  Runner& renice(Ns time, TaskId task, int nice) { return at(time, MoveKind::renice, task, nice); }
  Runner& set_slice(Ns time, TaskId task, Ns slice) {
    return at(time, MoveKind::set_slice, task, slice);
  }
  Runner& resched(Ns time) { return at(time, MoveKind::resched, kNobody); }
  Runner& hrtick(Ns time) { return at(time, MoveKind::hrtick, kNobody); }
  /// All ticks up to `time`, one at `time` included.
  Runner& ticks(Ns time) {
    while (simulation_.next_tick(0) <= time) {
      make({simulation_.next_tick(0), MoveKind::tick, 0, kNobody, spec_.loss.lo,
            spec_.switch_delay.lo});
    }
    return *this;
  }
  Runner& make(const ScheduledMove& move) {
    simulation_.apply(move, observer_);
    return *this;
  }

  const State<D>& state() const { return simulation_.state(); }
  const Cpu<D>& cpu() const { return state().cpus[0]; }
  const Entity<D>& entity(TaskId id) const {
    return state().entities[static_cast<std::size_t>(id)];
  }
  const Task<D>& task(TaskId id) const { return state().tasks[static_cast<std::size_t>(id)]; }
  Ns now() const { return simulation_.now(); }

  /// "A@0 B@3.002": who got the CPU when, in ms; "-" for nobody.
  std::string switches() const {
    std::string text;
    for (const auto& [time, task] : switches_) {
      text += fmt::format("{}{}@{}", text.empty() ? "" : " ", name(task), in_ms(time));
    }
    return text;
  }

 private:
  struct Observer : NoObserver<D> {
    explicit Observer(Runner& r) : runner(r) {}
    void switched(const State<D>&, CpuId, TaskId, TaskId next) { runner.switched(next); }
    void passed(const State<D>&, const typename D::Num& elapsed,
                const std::vector<QuietTicks<D>>&) {
      runner.clock_ += whole_ns(elapsed);
    }
    Runner& runner;
  };

  Runner& at(Ns time, MoveKind kind, TaskId task, std::int64_t value = 0) {
    ticks(time - 1);
    return make({time, kind, 0, task, 0, 0, value});
  }
  void switched(TaskId next) { switches_.emplace_back(clock_, next); }
  std::string name(TaskId id) const {
    return id == kNobody ? "-" : spec_.tasks[static_cast<std::size_t>(id)].name;
  }

  const SystemSpec& spec_;
  Simulation<D> simulation_;
  Observer observer_{*this};
  Ns clock_ = 0;
  std::vector<std::pair<Ns, TaskId>> switches_;
};

}  // namespace tickproof
