// What is said of lag and debts, kernel by kernel: does it hold? Each row is a search over a
// small grid, or seeded random runs, for a run that contradicts it. "The document" is the
// description of the kernels that the model was written from. The range of 64 bits is in
// overflow_test.cpp.
#include <gtest/gtest.h>

#include "tests/support/counterexample.hpp"
#include "tests/support/kernel_queue.hpp"
#include "tests/support/random_run.hpp"

namespace tickproof {
namespace {

constexpr Ns kSlice = KernelQueue::kSlice;

// --- sums and limits ------------------------------------------------------------------

/// 200 queues of one to five tasks of any weight.
Counterexample in_random_queues(const Profile& profile,
                                const std::function<Counterexample(KernelQueue&)>& check) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    Dice dice(seed);
    KernelQueue q(std::string(profile.name).c_str());
    for (Ns left = dice.between(1, 5); left > 0; --left) {
      const Ns v = dice.between(-10 * kMsec, 10 * kMsec);
      const int nice = static_cast<int>(dice.between(kLeastNice, kMostNice));
      q.waits(v, v + dice.between(1, kSlice), dice.one_of({kMsec, kSlice}), nice);
    }
    const Counterexample found = check(q);
    if (!found.empty()) return found;
  }
  return "";
}

// The weighted lags are 0 in all, but that V is rounded down: less than a ns for each unit of
// weight. So there is always one to be picked.
TEST(KnownOfLag, LagsAddUpToNothing) {
  EXPECT_EQ(fails_in([](const Profile& profile) {
              return in_random_queues(profile, [](KernelQueue& q) -> Counterexample {
                Ns sum = 0;
                Ns load = 0;
                for (const TaskId id : q.rq.tree) {
                  sum += q.at(id).weight.value * (q.v() - q.vruntime(id));
                  load += q.at(id).weight.value;
                }
                return -load < sum && sum <= 0 ? "" : "they add up to " + std::to_string(sum);
              });
            }),
            kNowhere);
}

TEST(KnownOfLag, SomebodyIsEligible) {
  EXPECT_EQ(fails_in([](const Profile& profile) {
              return in_random_queues(profile, [](KernelQueue& q) -> Counterexample {
                for (const TaskId id : q.rq.tree) {
                  if (q.fair.eligible(id)) return "";
                }
                return "nobody";
              });
            }),
            kNowhere);
}

/// Runs A, a hog, and B with this policy and nice value, which sleeps 0.5 ms and computes
/// 0.1 ms, for a second; calls visit(run, time) just before B falls asleep at `time`.
void light_sleeper(
    const Profile& profile, Policy policy, int nice,
    const std::function<void(const SystemSpec&, const Runner<KernelDomain>&, Ns)>& visit) {
  TaskSpec b = with_policy(unconstrained("B"), policy);
  b.nice = nice;
  Config config = config_of(std::string(profile.name).c_str(), 1000, kSlice, {hog("A"), b});
  config.features.hrtick = false;
  config.switch_delay = {2 * kUsec, 2 * kUsec};
  KernelDomain d(config.rules.delta_fair);
  const SystemSpec spec = make_system(config);
  Runner<KernelDomain> run(d, spec);
  run.wake(0, 0).wake(kMsec / 2, 1);
  Ns next_tick = kMsec;
  while (run.now() < kSec) {
    const bool runs = run.cpu().rq.curr == 1;
    const Ns time = run.now() + (runs ? 100 : 500) * kUsec;
    const bool may_act = runs || run.task(1).life == Life::asleep;
    if (may_act && time < next_tick) {
      if (runs) visit(spec, run, time);
      runs ? run.block(time, 1) : run.wake(time, 1);
    } else {
      run.ticks(next_tick);
      next_tick += kMsec;
    }
  }
}

/// V - vruntime of B at `time`, and the virtual time of a slice and a tick.
std::pair<Ns, Ns> lag_and_bound(const SystemSpec& spec, const Runner<KernelDomain>& run, Ns time) {
  KernelDomain d(spec.fair.rules.delta_fair);
  State<KernelDomain> s = run.state();
  Eevdf<KernelDomain> fair(d, spec.fair, s.cpus[0].rq, s.entities);
  fair.update_curr(s.cpus[0].uncharged + Checked(time - run.now()));
  const Ns lag = fair.avg_vruntime().value() - s.entities[1].vruntime.value();
  return {lag, d.to_virtual(Checked(kSlice + spec.tick), s.entities[1].weight).value()};
}

Counterexample lag_beyond_slice_and_tick(const Profile& profile, Policy policy) {
  Counterexample found;
  for (const int nice : {0, 5, 10, 19}) {
    light_sleeper(profile, policy, nice,
                  [&](const SystemSpec& spec, const Runner<KernelDomain>& run, Ns time) {
                    const auto [lag, bound] = lag_and_bound(spec, run, time);
                    if (std::abs(lag) > bound) {
                      found = fmt::format("nice {}: {} > {}", nice, lag, bound);
                    }
                  });
  }
  return found;
}

// "A lag is at most a slice and a tick": not for a light task that may not preempt when it
// wakes up. What it had when it fell asleep, and what it gains while it waits for the
// protected A, is more; even with equal slices, in every kernel. (The document had it fail
// for mixed slices up to 6.16 only; then traces of 7.2.13 and 7.3.4 showed it, too.)
TEST(KnownOfLag, LagIsWithinASliceAndATick) {
  const auto search = [](Policy policy) {
    return fails_in(
        [=](const Profile& profile) { return lag_beyond_slice_and_tick(profile, policy); });
  };
  EXPECT_EQ(search(Policy::batch), kEverywhere);
  EXPECT_EQ(search(Policy::normal), kNowhere);
}

// --- sleep ----------------------------------------------------------------------------------

/// A, so far ahead of B, falls asleep and wakes up at once. Does it owe less than before (two
/// ns for rounding)?
Counterexample debt_erased(const Profile& profile, Ns ahead) {
  KernelQueue q(std::string(profile.name).c_str());
  const TaskId a = q.runs(ahead, ahead + kMsec);
  q.waits(0, kSlice);
  const Ns owed = q.v() - ahead;
  q.fair.dequeue_sleeper(a);
  q.run(q.fair.pick_next());
  if (q.at(a).delayed) {
    q.fair.requeue_delayed(a);
  } else {
    q.fair.enqueue(a, false);
  }
  const Ns owes = q.v() - q.vruntime(a);
  return owes <= owed + 2 ? "" : fmt::format("{} of {}", owes, owed);
}

// "Sleep can't erase a debt." Not a short sleep, if others stay and the debt is within the
// limit (6 ms, or 4 ms from 7.0 on). Beyond it, it is cut off in 6.6 .. 6.11, where the task
// leaves at once, and again from 7.1 on, where a delayed task is placed by what it may keep.
// No trace has a task that owes so much.
TEST(KnownOfLag, AShortSleepErasesNoDebt) {
  const auto search = [](const std::vector<Ns>& ahead) {
    return fails_in([=](const Profile& profile) {
      return first_of(ahead, [&](Ns x) { return debt_erased(profile, x); });
    });
  };
  EXPECT_EQ(search({kMsec, 2 * kMsec, 5 * kMsec, 8 * kMsec}), kNowhere);
  EXPECT_EQ(search({20 * kMsec}), (std::set<std::string>{"6.6", "6.8", "7.1", "7.2", "7.3"}));
}

// If all others fall asleep, too, a debt is gone up to 6.11. From 6.12 on A is still queued
// when B leaves, and B keeps the lag that it has on A.
TEST(KnownOfLag, AnEmptyQueueErasesNoDebt) {
  const auto search = [](const Profile& profile) -> Counterexample {
    Config config = config_of(std::string(profile.name).c_str(), 100, kSlice,
                              {unconstrained("A"), unconstrained("B")});
    config.features.hrtick = false;
    KernelDomain d(config.rules.delta_fair);
    const SystemSpec spec = make_system(config);
    Runner<KernelDomain> run(d, spec);
    // A gets 4 ms ahead of B, or 2 of V. B sleeps after a moment; A wakes up, then B.
    run.wake(0, 0).wake(0, 1).block(4 * kMsec, 0).block(4'100 * kUsec, 1);
    run.wake(5 * kMsec, 0).wake(5 * kMsec, 1);
    const Ns ahead = run.entity(0).vruntime.value() - run.entity(1).vruntime.value();
    return ahead >= 3 * kMsec ? "" : fmt::format("{} of 4 ms", ahead);
  };
  EXPECT_EQ(fails_in(search), (std::set<std::string>{"6.6", "6.8"}));
}

/// A, delayed while it owed something, wakes up when B ran for `ran` more and perhaps a third
/// task with this lag came.
struct DelayedWakeUp {
  DelayedWakeUp(const Profile& profile, Ns ran, Ns lag) : q(std::string(profile.name).c_str()) {
    const TaskId a = q.runs(2 * kMsec, kSlice);
    q.waits(0, kSlice);
    owed = q.v() - q.vruntime(a);
    q.fair.dequeue_sleeper(a);
    q.run(1);
    q.charge(ran);
    if (lag != 0) q.fair.enqueue(q.sleeps(lag), false);
    owed_last = q.v() - q.vruntime(a);
    q.fair.requeue_delayed(a);
    owes = q.v() - q.vruntime(a);
    left = q.deadline(a) - q.vruntime(a);
  }
  KernelQueue q;
  Ns owed = 0, owed_last = 0, owes = 0, left = 0;
};

template <class Check>
Counterexample search_delayed(const Profile& profile, const Check& check) {
  if (!profile.features.delay_dequeue) return "";
  return first_of({0, kMsec, 3 * kMsec, 5 * kMsec}, [&](Ns ran) {
    return first_of({-2 * kMsec, 0, kMsec, 3 * kMsec}, [&](Ns lag) -> Counterexample {
      const DelayedWakeUp s(profile, ran, lag);
      return check(s) ? "" : fmt::format("ran {}, lag {}", ran, lag);
    });
  });
}

// "The wake-up of a delayed task never gains": its lag is no better than it was when it fell
// asleep, or than it is, whichever is better. From 7.1 on it may be better
// than it is: what came while it slept does not count. As to its deadline, it does gain, in
// 7.1 and later, too: as long as its debt is paid off only in part, it keeps the old one,
// which is earlier than that of a new request.
TEST(KnownOfLag, ADelayedTasksWakeUpGainsNoLag) {
  EXPECT_EQ(fails_in([](const Profile& profile) {
              return search_delayed(profile, [](const DelayedWakeUp& s) {
                return s.owes <= std::max(s.owed, s.owed_last) + 1;
              });
            }),
            kNowhere);
  EXPECT_EQ(fails_in([](const Profile& profile) {
              return search_delayed(
                  profile, [](const DelayedWakeUp& s) { return s.owes <= s.owed_last + 1; });
            }),
            (std::set<std::string>{"7.1", "7.2", "7.3"}));
  EXPECT_EQ(fails_in([](const Profile& profile) {
              return search_delayed(profile,
                                    [](const DelayedWakeUp& s) { return s.left >= kSlice; });
            }),
            kFrom612);
}

// --- renice ----------------------------------------------------------------------------------

// "A new nice value keeps the lag": its worth, lag times weight, of a task that is taken off
// the queue for it, as the system calls do; up to what is rounded off, in every kernel. (The
// document has kernels in which it fails. That is for a queued one: a group's weight, which
// is not modelled.)
TEST(KnownOfLag, ANewNiceValueKeepsTheLag) {
  EXPECT_EQ(fails_in([](const Profile& profile) {
              return first_of({-kMsec, 0, kMsec}, [&](Ns place) {
                return first_of({-5, 1, 5, 19}, [&](Ns nice) -> Counterexample {
                  KernelQueue q(std::string(profile.name).c_str());
                  const TaskId a = q.waits(place, place + kSlice);
                  q.waits(0, kSlice, kSlice, -3);
                  const Ns worth = (q.v() - place) * 1024;
                  q.fair.dequeue_for_change(a);
                  const Weight weight = weight_of_nice(static_cast<int>(nice));
                  q.fair.reweight(a, weight);
                  q.fair.enqueue(a, false);
                  const Ns now = (q.v() - q.vruntime(a)) * weight.value;
                  return std::abs(now - worth) <= 3 * std::max(weight.value, Ns{1024})
                             ? ""
                             : fmt::format("nice {}: {} of {}", nice, now, worth);
                });
              });
            }),
            kNowhere);
}

}  // namespace
}  // namespace tickproof
