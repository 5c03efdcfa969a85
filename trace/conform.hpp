// Does a kernel do what the model says? Replays the detailed events of a trace, operation
// by operation, in the kernel domain: what the environment chose (who wakes, how much
// time is charged) is taken from the trace, everything else is computed, and every number
// must be the same.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/eevdf.hpp"
#include "model/kernel_domain.hpp"
#include "trace/description.hpp"
#include "trace/operation.hpp"

namespace tickproof {

/// The first operation at which kernel and model part.
struct Divergence {
  std::string what;    ///< "op update of pid 27: deadline"
  std::string kernel;  ///< what the trace says
  std::string model;   ///< what the model computed
};

class Conformance {
 public:
  explicit Conformance(const TraceDescription& description);

  /// Feeds the next event. A divergence is the first one: feed no more.
  std::optional<Divergence> feed(const TraceEvent& event);

  /// Events were lost: the state is unknown until the queue is seen as a whole again.
  void forget_state();

  std::size_t operations = 0;  ///< compared
  std::size_t decisions = 0;   ///< of these: picks, preemptions, delays
  std::size_t unknown = 0;     ///< passed over before the state was known

 private:
  using Queue = Eevdf<KernelDomain>;

  struct Handler {
    std::string_view op;
    std::optional<Divergence> (Conformance::*replay)(const Operation&, TaskId);
    bool tells_state;
  };
  static const std::array<Handler, 24> kHandlers;

  /// A wake-up that is being tested.
  struct Test {
    TaskId woken = kNobody;
    Wakeup how;
    bool done = false;  ///< by the model, behind the queue's listing
    bool was_protected = false;
    bool preempts = false;
  };

  /// The kernel's flags of enqueue and dequeue.
  struct Flags {
    std::int64_t special, initial, delayed;
  };

  std::optional<Divergence> replay(const Operation& o);
  std::optional<Divergence> update(const Operation& o, TaskId id);
  std::optional<Divergence> place(const Operation& o, TaskId id);
  std::optional<Divergence> enqueue(const Operation& o, TaskId id);
  std::optional<Divergence> dequeue(const Operation& o, TaskId id);
  std::optional<Divergence> begin_requeue(const Operation& o, TaskId id);
  std::optional<Divergence> requeue(const Operation& o, TaskId id);
  std::optional<Divergence> pick(const Operation& o, TaskId id);
  std::optional<Divergence> put_prev(const Operation& o, TaskId id);
  std::optional<Divergence> set_next(const Operation& o, TaskId id);
  std::optional<Divergence> begin_wakeup(const Operation& o, TaskId id);
  std::optional<Divergence> skip_wakeup(const Operation& o, TaskId id);
  std::optional<Divergence> wakeup(const Operation& o, TaskId id);
  std::optional<Divergence> hrtick(const Operation& o, TaskId id);
  std::optional<Divergence> yield(const Operation& o, TaskId id);
  std::optional<Divergence> reweight(const Operation& o, TaskId id);

  void adopt_empty_queue(const Operation& o);
  void adopt_snapshot(const Operation& pick);
  TaskId task_of(const Operation& o);
  TaskId add_task(const EntityNumbers& numbers, bool custom);
  std::optional<Divergence> compare(const Operation& o);
  std::optional<Divergence> compare_entity(const Operation& o);
  std::optional<Divergence> compare_numbers(const Operation& o);
  std::optional<Divergence> compare_tree(const Operation& o);
  std::optional<Divergence> test_wakeup(const Operation& o);
  std::optional<Divergence> differs(const Operation& o, const char* what, std::int64_t kernel,
                                    std::int64_t model);
  std::optional<Divergence> differs_bool(const Operation& o, const char* what, bool kernel,
                                         bool model);
  std::optional<Divergence> compare_snapshot(const Operation& o);
  void settle_silent_wakeup();
  Entity<KernelDomain>& entity(TaskId id) { return entities_[static_cast<std::size_t>(id)]; }
  std::string name(TaskId id) const;

  FairSettings settings_;
  Flags flags_;
  std::map<std::int64_t, Policy> policies_;
  KernelDomain d_;
  RunQueue<KernelDomain> rq_;
  std::vector<Entity<KernelDomain>> entities_;
  Queue queue_;
  std::map<std::int64_t, TaskId> id_of_;
  std::vector<std::int64_t> pid_of_;

  bool known_ = false;                ///< is the state of the queue known?
  std::vector<QueueEntry> snapshot_;  ///< `eevdf_se` lines since the last operation
  std::optional<TaskId> woken_;       ///< queued by a wake-up that was not tested yet
  bool forked_ = false;               ///< ... by a fork
  std::optional<Test> test_;          ///< from wake_in to wake
  bool requeued_ = false;             ///< between requeue_in and requeue
  Ns charged_at_ = 0;                 ///< exec_start of the running task
  Checked ran_;                       ///< charged to it since it was picked
};

}  // namespace tickproof
