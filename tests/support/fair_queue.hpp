// One run queue with entities whose numbers a test sets itself.
#pragma once

#include <vector>

#include "model/eevdf.hpp"
#include "tests/support/systems.hpp"

namespace tickproof {

template <Domain D>
class FairQueue {
 public:
  using Num = typename D::Num;

  /// With the rules and features of `kernel`, base slice 3 ms, tick 1 ms.
  FairQueue(D& d, const char* kernel)
      : FairQueue(d, find_profile(kernel).rules, find_profile(kernel).features) {}
  FairQueue(D& d, const Rules& rules, const Features& features)
      : settings{rules, features, 3 * kMsec, kMsec}, d_(d) {}
  FairQueue(const FairQueue&) = delete;
  FairQueue& operator=(const FairQueue&) = delete;

  /// A task that is not on the queue.
  TaskId add(int nice = 0) {
    Entity<D> e;
    e.weight = weight_of_nice(nice);
    e.slice = d_.number(settings.base_slice);
    entities.push_back(e);
    return static_cast<TaskId>(entities.size()) - 1;
  }
  /// A task that waits on the queue, behind those that wait already.
  TaskId add_queued(Ns vruntime, Ns deadline, int nice = 0) {
    const TaskId id = add(nice);
    at(id).vruntime = d_.number(vruntime);
    at(id).deadline = d_.number(deadline);
    at(id).on_rq = true;
    rq.tree.push_back(id);
    return id;
  }
  /// The task that runs, protected.
  TaskId add_running(Ns vruntime, Ns deadline, int nice = 0) {
    const TaskId id = add_queued(vruntime, deadline, nice);
    fair.switch_to(id);
    return id;
  }

  Entity<D>& at(TaskId id) { return entities[static_cast<std::size_t>(id)]; }

  FairSettings settings;
  RunQueue<D> rq;
  std::vector<Entity<D>> entities;

 private:
  D& d_;

 public:
  Eevdf<D> fair{d_, settings, rq, entities};
};

}  // namespace tickproof
