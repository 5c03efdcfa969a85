// A run queue in the kernel's arithmetic whose tasks have slices of their own: what the
// rules of protection, wake-ups and lag are about.
#pragma once

#include <string>

#include "model/kernel_domain.hpp"
#include "tests/support/fair_queue.hpp"

namespace tickproof {

/// The rules and features of a kernel, to be turned over.
struct Kernel {
  explicit Kernel(const char* name)
      : rules(find_profile(name).rules), features(find_profile(name).features) {}
  Rules rules;
  Features features;
};

struct OwnKernelDomain {
  KernelDomain domain;
};

/// Base slice 3 ms, tick 1 ms; the first task is A, the next B.
class KernelQueue : private OwnKernelDomain, public FairQueue<KernelDomain> {
 public:
  static constexpr Ns kSlice = 3 * kMsec;

  explicit KernelQueue(const Kernel& k)
      : OwnKernelDomain{KernelDomain(k.rules.delta_fair)}, FairQueue(domain, k.rules, k.features) {}
  explicit KernelQueue(const char* kernel) : KernelQueue(Kernel(kernel)) {}

  /// A task that waits, behind those that wait already.
  TaskId waits(Ns vruntime, Ns deadline, Ns slice = kSlice, int nice = 0) {
    const TaskId id = add_queued(vruntime, deadline, nice);
    at(id).slice = Checked(slice);
    at(id).custom_slice = slice != settings.base_slice;
    return id;
  }
  /// A task that sleeps, with this lag.
  TaskId sleeps(Ns lag, Ns slice = kSlice, int nice = 0) {
    const TaskId id = add(nice);
    at(id).vlag = Checked(lag);
    at(id).slice = Checked(slice);
    at(id).custom_slice = slice != settings.base_slice;
    return id;
  }
  void run(TaskId id) { fair.switch_to(id); }
  /// A task that was picked when those before it waited.
  TaskId runs(Ns vruntime, Ns deadline, Ns slice = kSlice, int nice = 0) {
    const TaskId id = waits(vruntime, deadline, slice, nice);
    run(id);
    return id;
  }
  TaskId delayed(TaskId id) {
    at(id).delayed = true;
    return id;
  }
  TaskId of_policy(TaskId id, Policy policy) {
    at(id).policy = policy;
    return id;
  }

  /// Time passes for the running task. True: reschedule.
  bool charge(Ns time) { return fair.update_curr(Checked(time)); }
  bool wakes(TaskId id, const Wakeup& how = {}) { return fair.wakeup_preempts(id, how); }
  /// Something about the running task is changed by `change`, with a put and a set around it.
  template <class Change>
  void changed(const Change& change) {
    const TaskId id = rq.curr;
    fair.dequeue_for_change(id);
    fair.put_prev();
    change(id);
    fair.enqueue(id, false);
    fair.set_next(id, false);
  }

  Ns v() const { return fair.avg_vruntime().value(); }
  Ns vruntime(TaskId id) { return at(id).vruntime.value(); }
  Ns deadline(TaskId id) { return at(id).deadline.value(); }
  Ns lag(TaskId id) { return at(id).vlag.value(); }
  Ns vprot() { return at(rq.curr).vprot.value(); }
  std::string pick() { return name(fair.pick_next()); }
  static std::string name(TaskId id) {
    return id == kNobody ? "-" : std::string(1, char('A' + id));
  }
};

}  // namespace tickproof
