// HRTICK as it is from 7.1 on: set for the deadline, left to go on, hard
// (hrtick_start_fair(), hrtick_update(); 558c18d3fbb6, 97015376642f). The form up to 7.0 is in
// system_test.cpp; where the two differ, both are here. Slices are 3 ms, HZ is 100.
#include <gtest/gtest.h>

#include "model/kernel_domain.hpp"
#include "tests/support/runner.hpp"
#include "tests/support/systems.hpp"

namespace tickproof {
namespace {

constexpr Ns kSlice = 3 * kMsec;

/// A run of a kernel with HRTICK on.
class Timed {
 public:
  Timed(const char* kernel, std::vector<TaskSpec> tasks, int hz = 100,
        Preemption preemption = Preemption::full, Ns stretch = 0)
      : spec_(system(kernel, std::move(tasks), hz, preemption, stretch)),
        d_(spec_.fair.rules.delta_fair) {}

  Runner<KernelDomain>* operator->() { return &run_; }
  /// Time until it fires; -1 if it is off.
  Ns left() const { return run_.cpu().hrtick_armed ? run_.cpu().hrtick.value() : -1; }

 private:
  static SystemSpec system(const char* kernel, std::vector<TaskSpec> tasks, int hz,
                           Preemption preemption, Ns stretch) {
    Config config = config_of(kernel, hz, kSlice, std::move(tasks));
    config.features.hrtick = true;
    config.preemption = preemption;
    config.stretch = stretch;
    return make_system(config);
  }

  SystemSpec spec_;
  KernelDomain d_;
  Runner<KernelDomain> run_{d_, spec_};
};

const std::vector<const char*> kByDeadline{"7.1", "7.2", "7.3"};
const std::vector<const char*> kBySlice{"6.6", "6.12", "6.13", "6.17", "7.0"};

TEST(HrtickByDeadline, FiresWhenTheRequestIsServed) {
  for (const char* kernel : kByDeadline) {
    Timed run(kernel, {hog("A"), hog("B")});
    run->wake(0, 0);
    EXPECT_EQ(run.left(), -1) << kernel;  // alone
    run->wake(kMsec, 1);
    EXPECT_EQ(run.left(), 2 * kMsec) << kernel;
    run->hrtick(kSlice);
    EXPECT_EQ(run.left(), kSlice) << kernel;
    EXPECT_EQ(run->hrtick(2 * kSlice).switches(), "A@0 B@3 A@6") << kernel;
  }
}

// In real time of the task's weight, rounded down: 3 ms are 9170149 of virtual time at
// weight 335, and those 9170149 * 335 / 1024 = 2999999.9. So it fires a ns early.
TEST(HrtickByDeadline, IsInTheWeightOfTheTask) {
  for (const char* kernel : kByDeadline) {
    Timed run(kernel, {hog("A", 5), hog("B", 5)});
    run->wake(0, 0).wake(0, 1);
    EXPECT_EQ(run.left(), 2'999'999) << kernel;
    // The request is not served then: 2999999 * 1024 / 335 = 9170146. B is picked, since A is
    // ahead of V. When B's timer fires it is where A is, and protected for 3 ns more: it is
    // picked again, no timer is set, and B runs up to the tick. That is a model's run. In a
    // running kernel the timer comes some us late, and a request is served when it does.
    EXPECT_EQ(run->hrtick(2'999'999).switches(), "A@0 B@2.999999") << kernel;
    EXPECT_EQ(run->entity(0).vruntime.value(), 9'170'146) << kernel;
    EXPECT_EQ(run->hrtick(5'999'998).switches(), "A@0 B@2.999999") << kernel;
    EXPECT_EQ(run.left(), -1) << kernel;
    EXPECT_EQ(run->ticks(10 * kMsec).switches(), "A@0 B@2.999999 A@10") << kernel;
  }
}

// A has run alone for 3.5 ms: its request was renewed by B's coming, up to 6.5 ms. By slice it
// has nothing left, and a reschedule is asked for at once; B, a batch task, gets the CPU.
TEST(HrtickByDeadline, IsNotSetForWhatWasLeftOfTheSlice) {
  for (const char* kernel : kByDeadline) {
    Timed run(kernel, {hog("A"), with_policy(hog("B"), Policy::batch)});
    run->wake(0, 0).wake(3'500 * kUsec, 1);
    EXPECT_EQ(run.left(), kSlice) << kernel;
    EXPECT_EQ(run->switches(), "A@0") << kernel;
  }
  for (const char* kernel : kBySlice) {
    Timed run(kernel, {hog("A"), with_policy(hog("B"), Policy::batch)});
    EXPECT_EQ(run->wake(0, 0).wake(3'500 * kUsec, 1).switches(), "A@0 B@3.5") << kernel;
  }
}

// hrtick_start(): at least 10 us.
TEST(HrtickByDeadline, IsNotShorterThanTenMicroseconds) {
  for (const char* kernel : kByDeadline) {
    Timed run(kernel, {hog("A"), with_policy(hog("B"), Policy::batch)});
    run->wake(0, 0).wake(2'997 * kUsec, 1);
    EXPECT_EQ(run.left(), 10 * kUsec) << kernel;
  }
}

// B, at 1 ms against A's 3, is eligible and leaves when it falls asleep at 4 ms. A is alone,
// and no timer is set for it; from 7.1 on B's goes on, up to 6 ms.
TEST(HrtickByDeadline, GoesOnWhenTheOtherTaskSleeps) {
  const std::vector<TaskSpec> tasks{hog("A"), unconstrained("B"), hog("C")};
  for (const char* kernel : kByDeadline) {
    Timed run(kernel, tasks);
    run->wake(0, 0).wake(0, 1).hrtick(kSlice).block(4 * kMsec, 1);
    ASSERT_EQ(run->switches(), "A@0 B@3 A@4") << kernel;
    EXPECT_EQ(run.left(), 2 * kMsec) << kernel;
    // It fires on a lone task, which goes on.
    run->hrtick(6 * kMsec);
    EXPECT_EQ(run->switches(), "A@0 B@3 A@4") << kernel;
    EXPECT_EQ(run.left(), -1) << kernel;
  }
  for (const char* kernel : kBySlice) {
    Timed run(kernel, tasks);
    run->wake(0, 0).wake(0, 1).hrtick(kSlice).block(4 * kMsec, 1);
    EXPECT_EQ(run.left(), -1) << kernel;
  }
}

// So if C comes at 5 ms, a timer that goes on is not set again, though A's request lasts up to
// 7 ms. By slice it is set for that.
TEST(HrtickByDeadline, IsNotSetAgainWhileItGoesOn) {
  const std::vector<TaskSpec> tasks{hog("A"), unconstrained("B"),
                                    with_policy(hog("C"), Policy::batch)};
  for (const char* kernel : kByDeadline) {
    Timed run(kernel, tasks);
    run->wake(0, 0).wake(0, 1).hrtick(kSlice).block(4 * kMsec, 1).wake(5 * kMsec, 2);
    ASSERT_EQ(run->switches(), "A@0 B@3 A@4") << kernel;
    EXPECT_EQ(run.left(), kMsec) << kernel;
  }
  for (const char* kernel : kBySlice) {
    Timed run(kernel, tasks);
    run->wake(0, 0).wake(0, 1).hrtick(kSlice).block(4 * kMsec, 1).wake(5 * kMsec, 2);
    ASSERT_EQ(run->switches(), "A@0 B@3 A@4") << kernel;
    EXPECT_EQ(run.left(), 2 * kMsec) << kernel;
  }
}

// At 1 ms a tick loses 30 us of A's time. Set again at C's coming, at 1.5 ms, the timer knows
// of that: 1.53 ms are left. One that goes on fires at 3 ms.
TEST(HrtickByDeadline, DoesNotLearnOfLostTime) {
  const auto left = [](const char* kernel) {
    Config config = config_of(kernel, 1000, kSlice, {hog("A"), hog("B"), hog("C")});
    config.features.hrtick = true;
    config.loss = {30 * kUsec, 30 * kUsec};
    KernelDomain d(config.rules.delta_fair);
    const SystemSpec spec = make_system(config);
    Runner<KernelDomain> run(d, spec);
    run.wake(0, 0).wake(0, 1).wake(1'500 * kUsec, 2);
    return run.cpu().hrtick.value();
  };
  for (const char* kernel : kByDeadline) EXPECT_EQ(left(kernel), 1'500 * kUsec) << kernel;
  for (const char* kernel : kBySlice) EXPECT_EQ(left(kernel), 1'530 * kUsec) << kernel;
}

// A's request is served with A far behind the light B: neither put_prev nor set_next, so
// that no timer is set. It is when the next task comes.
TEST(HrtickByDeadline, IsNotSetForTheSameTask) {
  for (const char* kernel : kByDeadline) {
    Timed run(kernel, {hog("A"), hog("B", 5), with_policy(hog("C"), Policy::batch)}, 100);
    run->wake(0, 0).wake(0, 1).hrtick(kSlice);
    ASSERT_EQ(run->switches(), "A@0 B@3") << kernel;
    EXPECT_EQ(run.left(), 2'999'999) << kernel;
    // A ns before the end of its request B, at 9.17, is ahead of V, and A is picked.
    run->hrtick(5'999'999);
    ASSERT_EQ(run->switches(), "A@0 B@3 A@5.999999") << kernel;
    run->hrtick(8'999'999);
    ASSERT_EQ(run->switches(), "A@0 B@3 A@5.999999") << kernel;
    EXPECT_EQ(run.left(), -1) << kernel;
    run->wake(9'500 * kUsec, 2);
    EXPECT_NE(run.left(), -1) << kernel;
  }
}

TEST(HrtickByDeadline, IsOffOnAnIdleCpu) {
  for (const char* kernel : kByDeadline) {
    Timed run(kernel, {unconstrained("A"), unconstrained("B")});
    run->wake(0, 0).wake(0, 1).block(kMsec, 0).block(2 * kMsec, 1);
    EXPECT_EQ(run->cpu().rq.curr, kNobody) << kernel;
    EXPECT_EQ(run.left(), -1) << kernel;
  }
}

// In a kernel stretch of 5 ms, with lazy preemption: a hard request ends it, a lazy one waits
// for the tick or the end of the stretch.
TEST(HrtickRequest, IsLazyIn613To70) {
  const auto switches = [](const char* kernel, Preemption preemption) {
    Timed run(kernel, {hog("A"), hog("B")}, 100, preemption, 5 * kMsec);
    return run->wake(0, 0).wake(0, 1).hrtick(kSlice).switches();
  };
  for (const Profile& profile : all_profiles()) {
    const std::string kernel(profile.name);
    const bool lazily =
        profile.first >= KernelVersion{6, 13} && profile.first < KernelVersion{7, 1};
    EXPECT_EQ(switches(kernel.c_str(), Preemption::lazy), lazily ? "A@0" : "A@0 B@3") << kernel;
    // Without lazy preemption a stretch is one that can't be preempted.
    EXPECT_EQ(switches(kernel.c_str(), Preemption::full), "A@0") << kernel;
  }
}

// It knows of the deadline only. The protection of A, whose slice is 10 ms beside one of 3,
// ends at 3 ms, and that is seen at a tick.
TEST(HrtickByDeadline, DoesNotSeeTheEndOfProtection) {
  Timed run("7.2", {with_slice(hog("A"), 10 * kMsec), with_slice(hog("B"), 3 * kMsec)}, 250);
  // B preempts A when it comes, and A follows when B's request is served, at 3 ms.
  run->wake(0, 0).wake(0, 1).hrtick(3 * kMsec);
  ASSERT_EQ(run->switches(), "A@0 B@0 A@3");
  EXPECT_EQ(run.left(), 10 * kMsec);
  // A at 5 ms of 3 + 3 is still protected at tick 4; at tick 8 it has run for 5 ms.
  EXPECT_EQ(run->ticks(8 * kMsec).switches(), "A@0 B@0 A@3 B@8");
}

}  // namespace
}  // namespace tickproof
