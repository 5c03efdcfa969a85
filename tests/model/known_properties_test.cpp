// What is said of who runs when, kernel by kernel: does it hold? Each row is a search over a
// small grid for a run that contradicts it. What is said of lag is in known_lag_test.cpp,
// which wake-up latency a short slice has in golden_test.cpp. "The document" is the
// description of the kernels that the model was written from.
#include <gtest/gtest.h>

#include "tests/support/counterexample.hpp"
#include "tests/support/kernel_queue.hpp"
#include "tests/support/runner.hpp"

namespace tickproof {
namespace {

constexpr Ns kSlice = KernelQueue::kSlice;

const std::vector<Ns> kPlaces{-6 * kMsec, -2 * kMsec, -kMsec, 0, kMsec, 2 * kMsec, 6 * kMsec};
const std::vector<Ns> kLeft{kMsec, 2 * kMsec, 3 * kMsec};

// --- sched_yield() ----------------------------------------------------------------------

/// After a yield of the last task, is another one eligible, and yet it is picked again?
Counterexample yields_in_vain(KernelQueue& q, Ns ran) {
  const TaskId yielder = q.rq.curr;
  q.charge(ran);
  q.fair.yield();
  bool other = false;
  for (const TaskId id : q.rq.tree) other = other || q.fair.eligible(id);
  if (!other || q.fair.pick_next() != yielder) return "";
  return fmt::format("at {}, V {}", q.vruntime(yielder), q.v());
}

/// Of two tasks, and perhaps a third that is ahead.
Counterexample search_yields(const Profile& profile, Ns own_slice, bool third) {
  if (own_slice != kSlice && profile.rules.custom_slice == CustomSlice::no) return "";
  return first_of(kPlaces, [&](Ns place) {
    return first_of(kLeft, [&](Ns left) {
      return first_of(kLeft, [&](Ns others_left) {
        return first_of({0, kMsec / 2}, [&](Ns ran) {
          KernelQueue q(std::string(profile.name).c_str());
          q.waits(0, others_left);
          if (third) q.waits(4 * kMsec, 7 * kMsec);
          q.runs(place, place + std::min(left, own_slice), own_slice);
          return yields_in_vain(q, ran);
        });
      });
    });
  });
}

// "If another task is eligible after a yield, it runs." Of two tasks with equal slices that
// holds, except in 6.17 and 6.18: there the yielder is protected. The document has it fail up
// to 6.18: the push of the deadline alone is no reason, since a deadline that is a slice later
// is behind that of any eligible task. But of three, or with unequal slices, it fails in every
// kernel that has those: a yielder that is far behind may still have the earliest deadline after it
// gave up one request.
TEST(KnownProperty, AYieldLetsAnEligibleTaskRun) {
  const auto search = [](Ns own_slice, bool third) {
    return fails_in(
        [=](const Profile& profile) { return search_yields(profile, own_slice, third); });
  };
  EXPECT_EQ(search(kSlice, false), std::set<std::string>{"6.17"});
  EXPECT_EQ(search(kSlice, true), kEverywhere);
  EXPECT_EQ(search(kMsec, false), kFrom612);
}

// --- SCHED_IDLE -----------------------------------------------------------------------------

/// The running SCHED_IDLE task has `left` of its request; a normal task wakes up with this
/// lag. Is the idle one picked again?
Counterexample idle_goes_on(const Profile& profile, Ns left, Ns lag) {
  KernelQueue q(std::string(profile.name).c_str());
  const TaskId idle = q.waits(0, q.settings.base_slice);
  q.of_policy(idle, Policy::idle);
  q.at(idle).weight = weight_of_idle_policy();
  q.at(idle).deadline = Checked(left * 1024 / 3);
  q.run(idle);
  const TaskId woken = q.sleeps(lag);
  q.fair.enqueue(woken, false);
  if (q.wakes(woken) && q.fair.pick_next() == woken) return "";
  return fmt::format("{} left, lag {}", left, lag);
}

// "A SCHED_IDLE task makes room at once for a normal one that wakes up": from 6.15 on, and in
// 6.12.117. But it does in no kernel if the normal one is not eligible, or if the idle one's
// request is so near its end (3 ms * 3 / 1024 = 8.8 us) that its deadline is the earlier one.
// That is not in the document.
TEST(KnownProperty, ASchedIdleTaskMakesRoomAtOnce) {
  const auto search = [](const std::vector<Ns>& left, const std::vector<Ns>& lags) {
    return fails_in([=](const Profile& profile) {
      return first_of(left, [&](Ns l) {
        return first_of(lags, [&](Ns lag) { return idle_goes_on(profile, l, lag); });
      });
    });
  };
  const std::set<std::string> before{"6.6", "6.8", "6.12", "6.13"};
  EXPECT_EQ(search({9 * kUsec, kMsec, kSlice}, {0, kMsec}), before);
  EXPECT_EQ(search({8 * kUsec}, {0}), kEverywhere);
  EXPECT_EQ(search({kMsec, kSlice}, {-kMsec}), kEverywhere);
}

// --- children ----------------------------------------------------------------------------------

Counterexample child_preempts(const Profile& profile, bool other_hog) {
  return first_of({100, 1'500, 2'900, 3'500, 4'500, 5'500, 6'500, 7'500}, [&](Ns us) {
    TaskSpec child = hog("C");
    child.arrival = Arrival::fork;
    Config config = config_of(std::string(profile.name).c_str(), 1000, 2'800 * kUsec,
                              {hog("A"), hog("B"), child});
    config.features.hrtick = false;
    config.switch_delay = {2 * kUsec, 2 * kUsec};
    KernelDomain d(config.rules.delta_fair);
    const SystemSpec spec = make_system(config);
    Runner<KernelDomain> run(d, spec);
    run.wake(0, 0);
    if (other_hog) run.wake(0, 1);
    run.wake(us * kUsec, 2);
    return run.cpu().rq.curr == 2 ? run.switches() : Counterexample();
  });
}

// "A child does not preempt a parent with the same slice": from 6.19 on, its wake-up does
// not. But its coming charges the parent, and if that was picked again when its protection
// was over, a reschedule is asked for, and the child may be the best. Only one that had the
// CPU for itself is safe. That is not in the document. (Up to 6.11 a child has a whole slice,
// and is not the best then.)
TEST(KnownProperty, AChildDoesNotPreemptItsParent) {
  const std::set<std::string> before = profiles_that([](const Profile& p) {
    return p.first < KernelVersion{6, 19};
  });
  EXPECT_EQ(fails_in([](const Profile& p) { return child_preempts(p, false); }), before);
  EXPECT_EQ(fails_in([](const Profile& p) { return child_preempts(p, true); }), kFrom612);
}

// --- ticks ---------------------------------------------------------------------------------------

/// Two hogs for 100 ms: of every request of a task that was just picked, at which tick is it
/// served, and at which should it be? `left`: as the kernel has it, what is left of the request
/// then; else the whole slice.
Counterexample served_at_another_tick(const Profile& profile, int hz, Ns slice,
                                      bool by_what_is_left) {
  Config config = config_of(std::string(profile.name).c_str(), hz, slice, {hog("A"), hog("B")});
  config.features.hrtick = false;
  config.switch_delay = {2 * kUsec, 2 * kUsec};
  KernelDomain d(config.rules.delta_fair);
  const SystemSpec spec = make_system(config);
  Runner<KernelDomain> run(d, spec);
  run.wake(0, 0).wake(0, 1);
  TaskId curr = kNobody;
  Ns offset = 0;
  Ns request = 0;
  Ns deadline = 0;
  Ns count = 0;
  for (Ns time = spec.tick; time < 100 * kMsec; time += spec.tick) {
    if (run.cpu().rq.curr != curr) {  // picked behind the last tick
      curr = run.cpu().rq.curr;
      deadline = run.entity(curr).deadline.value();
      request = by_what_is_left ? deadline - run.entity(curr).vruntime.value() : slice;
      offset = run.now() % spec.tick;
      count = 0;
    }
    run.ticks(time);
    ++count;
    if (deadline == 0 || run.entity(curr).deadline.value() == deadline) continue;
    const Ns expected = (request + offset + spec.tick - 1) / spec.tick;
    if (count != expected) return fmt::format("at {}: {} of {}", time, count, expected);
    deadline = 0;  // what is picked again has another offset
  }
  return "";
}

// "A slice takes ceil((slice + offset) / tick) ticks, the offset being that of the switch
// behind its tick": not if the slice is a whole number of ticks. What the task ran between the
// tick and the switch that ended its last turn is charged to this request, and that is as
// long as the offset. From 6.12 on it fails for all slices of more than a tick: a task that was
// picked again, and a tick later was not, has used up a part of a request. With what is left
// of the request instead of the slice it holds.
TEST(KnownProperty, ASliceTakesItsTicks) {
  for (const int hz : {100, 250, 1000}) {
    const auto search = [&](Ns slice, bool by_what_is_left) {
      return fails_in([&](const Profile& profile) {
        return served_at_another_tick(profile, hz, slice, by_what_is_left);
      });
    };
    for (const Ns slice : {700 * kUsec, 2'800 * kUsec, 3 * kMsec, 12 * kMsec, 20 * kMsec}) {
      SCOPED_TRACE(fmt::format("{} at {} Hz", slice, hz));
      EXPECT_EQ(search(slice, true), kNowhere);
      EXPECT_EQ(search(slice, false), slice % tick_period(hz) == 0 ? kEverywhere
                                      : slice > tick_period(hz)    ? kFrom612
                                                                   : kNowhere);
    }
  }
}

}  // namespace
}  // namespace tickproof
