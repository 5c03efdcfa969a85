#include "report/waiting.hpp"

#include <gtest/gtest.h>

#include "tests/report/runs.hpp"

namespace tickproof {
namespace {

using Pieces = std::vector<WaitPiece>;

std::vector<Wait> waits_of(const SystemSpec& spec, const Schedule& schedule, const char* task) {
  return record(spec, schedule, property_of(PropertyKind::scheduling_delay, task)).waits;
}

const std::vector<TaskSpec> kTwo{hog("A"), hog("B")};
const std::vector<TaskSpec> kThree{hog("A"), hog("B"), hog("C")};

// A leaves the CPU at 3.002 with vruntime 3.002; B's is the time since then. They meet
// at 6.004, and from there on only A is eligible. B had a new request at tick 6, with
// 2.998: it is served at 5.798, which is at 8.800, and the next tick sees that.
TEST(Waiting, OldRulesLookOnlyWhenTheRequestIsServed) {
  const SystemSpec spec = make_spec("6.8", 1000, kTwo);
  const Pieces expected{{3'002'000, 6'004'000, Reason::not_eligible},
                        {6'004'000, 8'800'000, Reason::within_slice},
                        {8'800'000, 9'000'000, Reason::awaits_tick},
                        {9'000'000, 9'002'000, Reason::resched_pending}};
  EXPECT_EQ(waits_of(spec, run_hogs(spec, 9 * kMsec), "A").at(0).pieces, expected);
}

// The same, but B was kept without protection, and since 6.12 the next tick looks.
TEST(Waiting, NewRulesLookAtOnceIfNobodyIsProtected) {
  const SystemSpec spec = make_spec("6.12", 1000, kTwo);
  const Pieces expected{{3'002'000, 6'004'000, Reason::not_eligible},
                        {6'004'000, 7'000'000, Reason::awaits_tick},
                        {7'000'000, 7'002'000, Reason::resched_pending}};
  EXPECT_EQ(waits_of(spec, run_hogs(spec, 7 * kMsec), "A").at(0).pieces, expected);
}

// B, as old as A, is the only one eligible from the first ns on. What keeps it waiting
// is in 6.8 the rule to look at requests only, in 6.12 that A is protected.
TEST(Waiting, ProtectionIsToBlameOnlyIfItDecides) {
  const auto expected = [](Reason reason) {
    return Pieces{{0, 2'800'000, reason},
                  {2'800'000, 3'000'000, Reason::awaits_tick},
                  {3'000'000, 3'002'000, Reason::resched_pending}};
  };
  SystemSpec spec = make_spec("6.8", 1000, kTwo);
  EXPECT_EQ(waits_of(spec, run_hogs(spec, 3 * kMsec), "B").at(0).pieces,
            expected(Reason::within_slice));
  spec = make_spec("6.12", 1000, kTwo);
  EXPECT_EQ(waits_of(spec, run_hogs(spec, 3 * kMsec), "B").at(0).pieces,
            expected(Reason::current_protected));
}

// B and C are both eligible, with the same deadline, and B came first. From 3.002 on B
// runs, protected while it is eligible: until its vruntime passes the mean of 3.002,
// itself and 0, that is at 1.501, at 4.503. Only the slice rule is left then.
TEST(Waiting, ATieGoesToTheFirstInTheQueue) {
  const SystemSpec spec = make_spec("6.8", 1000, kThree);
  const Pieces expected{{0, 3'002'000, Reason::tie},
                        {3'002'000, 4'503'001, Reason::current_protected},
                        {4'503'001, 5'802'000, Reason::within_slice},
                        {5'802'000, 6'000'000, Reason::awaits_tick},
                        {6'000'000, 6'002'000, Reason::resched_pending}};
  EXPECT_EQ(waits_of(spec, run_hogs(spec, 6 * kMsec), "C").at(0).pieces, expected);
}

// C arrives at 1.5 at V = 0.75, deadline 3.55: behind B's 2.8, and behind B as it runs
// from 3.002 on, until B is not eligible any more. B's vruntime is x, V is the mean of
// 3.002, x and 0.75: they meet at x = 1.876, and one ns later it is C's turn.
TEST(Waiting, AnEarlierDeadlineComesFirst) {
  const SystemSpec spec = make_spec("6.12", 1000, kThree);
  const Schedule schedule =
      Author(spec).wake(0, 0).wake(0, 1).wake(1'500 * kUsec, 2).ticks(6 * kMsec).schedule();
  const Pieces expected{{1'500'000, 4'878'001, Reason::earlier_deadline},
                        {4'878'001, 5'802'000, Reason::current_protected},
                        {5'802'000, 6'000'000, Reason::awaits_tick},
                        {6'000'000, 6'002'000, Reason::resched_pending}};
  EXPECT_EQ(waits_of(spec, schedule, "C").at(0).pieces, expected);
}

// The tick at 3 ms asks, the stretch lasts until 4.5.
TEST(Waiting, AStretchKeepsARescheduleFromHappening) {
  SystemSpec spec = make_spec("6.8", 1000, kTwo);
  spec.stretch = 5 * kMsec;
  const Schedule schedule = Author(spec).wake(0, 0).wake(0, 1).resched(4'500 * kUsec).schedule();
  const Pieces expected{{0, 2'800'000, Reason::within_slice},
                        {2'800'000, 3'000'000, Reason::awaits_tick},
                        {3'000'000, 4'500'000, Reason::resched_pending}};
  EXPECT_EQ(waits_of(spec, schedule, "B").at(0).pieces, expected);
}

// The delayed C (vruntime 3.498, deadline 5.798) would be picked before D (arrived at 7
// at V = 3.5, deadline 6.3), but only to be thrown off the queue: D comes first behind
// it. What D waits for is that A's protection ends.
TEST(Waiting, ADelayedTaskIsNobodysRival) {
  const SystemSpec spec = make_spec("6.12", 1000, {hog("A"), unconstrained("C"), hog("D")});
  const Schedule schedule = Author(spec)
                                .wake(0, 0)
                                .wake(0, 1)
                                .block(6'500 * kUsec, 1)
                                .wake(7 * kMsec, 2)
                                .ticks(9 * kMsec)
                                .schedule();
  const std::vector<Wait> waits = waits_of(spec, schedule, "D");
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_EQ(waits[0].pieces, (Pieces{{7'000'000, 9'000'000, Reason::current_protected}}));
}

// A is in the queue all the time that F or G runs. F is due from 1 on, until the stretch
// ends; G comes behind it.
TEST(Waiting, AHigherClassComesFirst) {
  const auto fifo = [](const char* name) {
    return with_policy(sporadic(name, 0, 2 * kMsec), Policy::fifo);
  };
  SystemSpec spec = make_spec("6.12", 1000, {hog("A"), fifo("F"), fifo("G")});
  spec.stretch = 400 * kUsec;
  const Schedule schedule = Author(spec)
                                .wake(0, 0)
                                .wake(kMsec, 1)
                                .wake(1'200 * kUsec, 2)
                                .resched(1'400 * kUsec)
                                .block(2'400 * kUsec, 1)
                                .block(2'600 * kUsec, 2)
                                .schedule();
  EXPECT_EQ(waits_of(spec, schedule, "A").at(0).pieces,
            (Pieces{{1'400'000, 2'600'000, Reason::higher_class}}));
  EXPECT_EQ(waits_of(spec, schedule, "F").at(0).pieces,
            (Pieces{{1'000'000, 1'400'000, Reason::resched_pending}}));
  EXPECT_EQ(waits_of(spec, schedule, "G").at(0).pieces,
            (Pieces{{1'200'000, 2'400'000, Reason::higher_class}}));
}

// Against a search ns by ns, with weights for which virtual time is rounded.
TEST(Waiting, FindsTheNsAtWhichATaskBecomesEligible) {
  for (const int nice : {-20, -7, 0, 5, 19}) {
    const SystemSpec spec = make_spec("6.8", 1000, {hog("A", nice), hog("B")});
    KernelDomain d(spec.fair.rules.delta_fair);
    Simulation<KernelDomain> simulation(d, spec, {kMsec});
    NoObserver<KernelDomain> nobody;
    simulation.apply({0, MoveKind::wake, 0, 0, 0, 0}, nobody);
    simulation.apply({0, MoveKind::wake, 0, 1, 0, 0}, nobody);
    State<KernelDomain> s = simulation.state();
    s.entities[1].vruntime = d.number(700);

    const Ns length = 100'000;
    Ns searched = 0;
    for (; searched < length; ++searched) {
      State<KernelDomain> later = s;
      Eevdf<KernelDomain> fair(d, spec.fair, later.cpus[0].rq, later.entities);
      fair.update_curr(d.number(searched));
      if (fair.eligible(1)) break;
    }
    EXPECT_EQ(Outlook(d, spec, s, 0, false).eligible_from(1, length), searched) << nice;
  }
}

TEST(Waiting, HasNothingToSayOfNoTime) {
  const SystemSpec spec = make_spec("6.8", 1000, kTwo);
  EXPECT_TRUE(waits_of(spec, Author(spec).wake(0, 0).wake(0, 1).schedule(), "B").empty());
}

}  // namespace
}  // namespace tickproof
