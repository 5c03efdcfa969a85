#include "trace/conform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/profiles.hpp"
#include "model/setting.hpp"
#include "model/words.hpp"

namespace tickproof {
namespace {

// kernel/sched/sched.h: DEQUEUE_SLEEP and ENQUEUE_WAKEUP are the same bit, and of a task
// that counts as queued before it is (7.3) ENQUEUE_QUEUED tells. The others were
// renumbered in 6.19.
constexpr std::int64_t kSleep = 0x01;
constexpr std::int64_t kWakeup = 0x01;
constexpr std::int64_t kQueued = 0x200000;
constexpr KernelVersion kRenumbered{6, 19};

constexpr std::int64_t kSyncWakeup = 0x10;  // WF_SYNC

Weight weight_of(std::int64_t w) {
  for (int nice = -20; nice <= 19; ++nice) {
    if (weight_of_nice(nice).value == w) return weight_of_nice(nice);
  }
  if (weight_of_idle_policy().value == w) return weight_of_idle_policy();
  throw BadValue("w=" + std::to_string(w) +
                 " is the weight of no nice level; groups of tasks are "
                 "not modelled");
}

/// What a task brings along that the model has not seen before.
void take_over(Entity<KernelDomain>& e, const EntityNumbers& numbers) {
  e.vruntime = Checked(numbers.vr);
  e.deadline = Checked(numbers.dl);
  e.vlag = Checked(numbers.vlag);
  e.vprot = Checked(numbers.vprot == kAbsent ? 0 : numbers.vprot);
}

FairSettings settings_of(const TraceDescription& description) {
  return {description.rules, description.features, description.base_slice,
          tick_period(description.hz)};
}

}  // namespace

Conformance::Conformance(const TraceDescription& description)
    : settings_(settings_of(description)),
      flags_(parse_kernel_version(description.kernel) < kRenumbered
                 ? Flags{0x10, 0x80, 0x200}
                 : Flags{0x10000, 0x80000, 0x20}),
      policies_(description.policies),
      d_(description.rules.delta_fair),
      queue_(d_, settings_, rq_, entities_) {}

void Conformance::forget_state() {
  known_ = false;
  snapshot_.clear();
  woken_.reset();
  test_.reset();
  requeued_ = false;
}

std::optional<Divergence> Conformance::feed(const TraceEvent& event) {
  if (event.name == "eevdf_se") {
    snapshot_.push_back(parse_queue_entry(event.fields));
    return std::nullopt;
  }
  if (event.name != "eevdf_op") return std::nullopt;
  const Operation o = parse_operation(event.fields);
  std::optional<Divergence> divergence;
  if (!known_) {
    // A queue that is empty, or one that a pick lists, is a start.
    const bool first = o.nr == ((o.arg & kQueued) != 0 ? 1 : 0);
    if (first && o.curr == -1 && o.op == "place_in") adopt_empty_queue(o);
    if (o.op == "pick") adopt_snapshot(o);
  }
  if (known_) {
    ++operations;
    divergence = replay(o);
  } else {
    ++unknown;
  }
  if (o.op != "pick_in" && o.op != "wake_in") snapshot_.clear();
  return divergence;
}

void Conformance::adopt_empty_queue(const Operation& o) {
  rq_ = RunQueue<KernelDomain>();
  for (Entity<KernelDomain>& e : entities_) e.on_rq = e.delayed = false;
  rq_.v0 = Checked(o.zero);
  known_ = true;
}

void Conformance::adopt_snapshot(const Operation& pick) {
  if (snapshot_.empty()) return;
  adopt_empty_queue(pick);
  for (const QueueEntry& entry : snapshot_) {
    const TaskId id = id_of_.contains(entry.pid)
                          ? id_of_.at(entry.pid)
                          : add_task(entry, entry.slice != settings_.base_slice);
    Entity<KernelDomain>& e = entity(id);
    take_over(e, entry);
    e.on_rq = entry.onrq != 0;
    e.delayed = entry.delayed != 0;
    if (entry.i == 0) {
      rq_.curr = id;
      // Protected as long as no other deadline was set: the kernel's own test.
      rq_.keeps_deadline = entry.vlag == entry.dl;
    } else {
      rq_.tree.push_back(id);
    }
  }
  if (const auto buddy = id_of_.find(pick.next); buddy != id_of_.end()) {
    rq_.next = buddy->second;
  }
}

TaskId Conformance::add_task(const EntityNumbers& numbers, bool custom) {
  Entity<KernelDomain> e;
  e.weight = weight_of(numbers.w);
  e.slice = Checked(numbers.slice);
  e.custom_slice = custom;
  const auto policy = policies_.find(numbers.pid);
  if (policy != policies_.end()) e.policy = policy->second;
  take_over(e, numbers);
  entities_.push_back(std::move(e));
  pid_of_.push_back(numbers.pid);
  return id_of_[numbers.pid] = static_cast<TaskId>(entities_.size()) - 1;
}

TaskId Conformance::task_of(const Operation& o) {
  const auto known = id_of_.find(o.pid);
  if (known != id_of_.end()) return known->second;
  const TaskId id = add_task(o, o.custom != 0);
  entity(id).rel_deadline = o.rel != 0;
  return id;
}

std::string Conformance::name(TaskId id) const {
  return id == kNobody ? "nobody" : "pid " + std::to_string(pid_of_[static_cast<std::size_t>(id)]);
}

std::optional<Divergence> Conformance::differs(const Operation& o, const char* what,
                                               std::int64_t kernel, std::int64_t model) {
  if (kernel == model) return std::nullopt;
  return Divergence{fmt::format("{} of pid {}: {}", o.op, o.pid, what), std::to_string(kernel),
                    std::to_string(model)};
}

std::optional<Divergence> Conformance::differs_bool(const Operation& o, const char* what,
                                                    bool kernel, bool model) {
  if (kernel == model) return std::nullopt;
  return Divergence{fmt::format("{} of pid {}: {}", o.op, o.pid, what), kernel ? "yes" : "no",
                    model ? "yes" : "no"};
}

/// A SCHED_IDLE task is preempted by a normal one's wake-up without any event.
void Conformance::settle_silent_wakeup() {
  if (!woken_) return;
  const TaskId woken = *std::exchange(woken_, std::nullopt);
  if (rq_.curr == kNobody) return;
  const auto policy = [&](TaskId id) { return entity(id).policy; };
  if (policy(rq_.curr) == Policy::idle && policy(woken) != Policy::idle) {
    queue_.wakeup_preempts(woken, {});
  }
}

/// What the line says of the entity and the queue, against the model's.
std::optional<Divergence> Conformance::compare(const Operation& o) {
  const auto curr = rq_.curr == kNobody ? -1 : pid_of_[static_cast<std::size_t>(rq_.curr)];
  if (auto d = differs(o, "the running task (curr)", o.curr, curr)) return d;
  if (auto d =
          differs(o, "queued tasks (nr)", o.nr, static_cast<std::int64_t>(queue_.nr_queued()))) {
    return d;
  }
  if (auto d = differs(o, "V", o.v, queue_.avg_vruntime().value())) return d;
  if (auto d = compare_tree(o)) return d;
  return o.pid < 0 ? std::nullopt : compare_entity(o);
}

/// What the kernel sums up over its tree, in its own units of weight.
std::optional<Divergence> Conformance::compare_tree(const Operation& o) {
  __extension__ using Wide = __int128;
  const std::int64_t unit = o.hw != kAbsent ? kFullWeight : 1;
  std::int64_t load = 0;
  Wide sum = 0;
  for (const TaskId id : rq_.tree) {
    const Entity<KernelDomain>& e = entity(id);
    load += e.weight.value * unit;
    sum += Wide{e.vruntime.value() - o.zero} * e.weight.value * unit;
  }
  if (auto d = differs(o, "zero_vruntime (zero)", o.zero, rq_.v0.value())) return d;
  if (auto d = differs(o, "weight of the tree (avgload)", o.avgload, load)) return d;
  if (auto d = differs(o, "sum of the tree (avgvr)", o.avgvr, static_cast<std::int64_t>(sum))) {
    return d;
  }
  if (o.next == kAbsent) return std::nullopt;
  const std::int64_t next = rq_.next == kNobody ? -1 : pid_of_[static_cast<std::size_t>(rq_.next)];
  return differs(o, "next buddy (next)", o.next, next);
}

std::optional<Divergence> Conformance::compare_entity(const Operation& o) {
  const bool queued = entity(task_of(o)).on_rq;
  if (auto d = differs_bool(o, "queued (onrq)", o.onrq != 0, queued)) return d;
  return compare_numbers(o);
}

std::optional<Divergence> Conformance::compare_numbers(const Operation& o) {
  const Entity<KernelDomain>& e = entity(task_of(o));
  if (auto d = differs_bool(o, "delayed", o.delayed != 0, e.delayed)) return d;
  if (auto d = differs_bool(o, "relative deadline (rel)", o.rel != 0, e.rel_deadline)) return d;
  if (auto d = differs(o, "weight (w)", o.w, e.weight.value)) return d;
  if (auto d = differs(o, "slice", o.slice, e.slice.value())) return d;
  if (auto d = differs(o, "vruntime (vr)", o.vr, e.vruntime.value())) return d;
  if (auto d = differs(o, "deadline (dl)", o.dl, e.deadline.value())) return d;
  if (o.hw != kAbsent) {
    if (auto d = differs(o, "full weight (hw)", o.hw, e.weight.value * kFullWeight)) return d;
  }
  if (o.vprot != kAbsent) {
    if (auto d = differs(o, "end of protection (vprot)", o.vprot, e.vprot.value())) return d;
  }
  return differs(o, "vlag", o.vlag, e.vlag.value());
}

/// The queue as a decision sees it: its order, and who is eligible.
std::optional<Divergence> Conformance::compare_snapshot(const Operation& o) {
  // The model's tree is in order of insertion, the kernel's in order of deadlines:
  // sorted by deadline, and stable, they are alike.
  std::vector<TaskId> tree = rq_.tree;
  std::stable_sort(tree.begin(), tree.end(),
                   [&](TaskId a, TaskId b) { return entity(a).deadline < entity(b).deadline; });
  std::size_t position = 0;
  for (const QueueEntry& entry : snapshot_) {
    const auto known = id_of_.find(entry.pid);
    const TaskId id = known == id_of_.end() ? kNobody : known->second;
    if (entry.i > 0) {
      if (position >= tree.size() || tree[position] != id) {
        return Divergence{fmt::format("queue before {} of pid {}, place {}", o.op, o.pid, entry.i),
                          "pid " + std::to_string(entry.pid),
                          position < tree.size() ? name(tree[position]) : "nobody"};
      }
      ++position;
    }
    if (id != kNobody && entry.elig >= 0) {
      if (auto d = differs_bool(o, fmt::format("pid {} is eligible", entry.pid).c_str(),
                                entry.elig != 0, queue_.eligible(id))) {
        return d;
      }
    }
  }
  return std::nullopt;
}

/// What is done for each kind of operation, and whether the line then tells the state
/// behind it (the others tell the state before, or a part of what is still to come).
const std::array<Conformance::Handler, 24> Conformance::kHandlers{{
    {"update", &Conformance::update, true},
    {"tick", nullptr, true},
    {"place_in", &Conformance::place, false},
    {"place", nullptr, false},
    {"enq", &Conformance::enqueue, true},
    {"deq_delay", &Conformance::dequeue, true},
    {"deq", &Conformance::dequeue, true},
    {"requeue_in", &Conformance::begin_requeue, false},
    {"requeue", &Conformance::requeue, true},
    {"pick_in", nullptr, false},
    {"pick", &Conformance::pick, true},
    {"putprev", &Conformance::put_prev, true},
    {"setnext", &Conformance::set_next, true},
    {"wake_in", &Conformance::begin_wakeup, false},
    {"wake_skip", &Conformance::skip_wakeup, true},
    {"wpick_in", nullptr, false},
    {"wpick", nullptr, false},
    {"prot", nullptr, true},
    {"wake", &Conformance::wakeup, true},
    {"hrtick", &Conformance::hrtick, true},
    {"yield_in", nullptr, false},
    {"yield", &Conformance::yield, true},
    {"reweight_in", nullptr, false},
    {"reweight", &Conformance::reweight, false},
}};

std::optional<Divergence> Conformance::replay(const Operation& o) {
  const auto handler = std::find_if(kHandlers.begin(), kHandlers.end(),
                                    [&](const Handler& known) { return known.op == o.op; });
  if (handler == kHandlers.end()) {
    throw BadValue("op=" + shown(o.op) + " is no operation of the fair class");
  }
  const TaskId id = o.pid < 0 ? kNobody : task_of(o);
  if (!test_ && woken_ && (o.op == "prot" || o.op == "wake")) {
    // A SCHED_IDLE task is preempted without further ado.
    test_ = Test{*std::exchange(woken_, std::nullopt), {.forked = forked_}};
  }
  if (test_) {
    if (auto divergence = test_wakeup(o)) return divergence;
    const bool drained = o.op == "deq" && (o.arg & flags_.delayed) != 0;
    if (drained) return compare_entity(o);
    const bool within = o.op.starts_with("w") || o.op == "prot";
    if (!within) test_.reset();  // a sync wake-up's test may end without a word
  }
  if (!o.op.starts_with("wake") && o.op != "update") settle_silent_wakeup();
  if (handler->replay != nullptr) {
    if (auto divergence = (this->*handler->replay)(o, id)) return divergence;
  }
  return handler->tells_state ? compare(o) : std::nullopt;
}

std::optional<Divergence> Conformance::update(const Operation& o, TaskId id) {
  if (id != rq_.curr) return Divergence{"update", "pid " + std::to_string(o.pid), name(rq_.curr)};
  charged_at_ = o.now;
  ran_ = ran_ + Checked(o.arg);
  const Checked deadline = entity(id).deadline;
  const bool asks = queue_.update_curr(Checked(o.arg));
  const bool expired = entity(id).deadline != deadline;
  if (auto d = differs_bool(o, "slice ended (arg2 bit 0)", (o.arg2 & 1) != 0, expired)) {
    return d;
  }
  if (queue_.nr_queued() == 1) return std::nullopt;
  return differs_bool(o, "asks for a reschedule (arg2)", o.arg2 != 0, asks);
}

std::optional<Divergence> Conformance::place(const Operation& o, TaskId id) {
  if (requeued_) return std::nullopt;  // a part of the requeue that is still to come
  // What sched_setattr() did to its slice meanwhile is the environment's doing.
  Entity<KernelDomain>& e = entity(id);
  e.slice = Checked(o.slice);
  e.custom_slice = o.custom != 0;
  if (auto d = differs(o, "vlag", o.vlag, e.vlag.value())) return d;
  return differs(o, "V", o.v, queue_.avg_vruntime().value());
}

std::optional<Divergence> Conformance::enqueue(const Operation& o, TaskId id) {
  forked_ = (o.arg & flags_.initial) != 0;
  queue_.enqueue(id, forked_);
  if ((forked_ || (o.arg & kWakeup) != 0) && rq_.curr != kNobody) woken_ = id;
  return std::nullopt;
}

std::optional<Divergence> Conformance::dequeue(const Operation& o, TaskId id) {
  if ((o.arg & flags_.delayed) != 0) {
    queue_.dequeue_delayed(id);
  } else if ((o.arg & kSleep) != 0) {
    ++decisions;  // to be delayed, or not
    queue_.dequeue_sleeper(id, (o.arg & flags_.special) != 0);
  } else {
    queue_.dequeue_for_change(id);
  }
  return std::nullopt;
}

std::optional<Divergence> Conformance::begin_requeue(const Operation& o, TaskId) {
  requeued_ = true;
  if (rq_.curr == kNobody) return std::nullopt;
  return differs_bool(o, "charged the running task first", charged_at_ == o.now,
                      settings_.rules.requeue_charge == RequeueCharge::yes);
}

std::optional<Divergence> Conformance::requeue(const Operation&, TaskId id) {
  requeued_ = false;
  forked_ = false;
  queue_.requeue_delayed(id);
  if (rq_.curr != kNobody) woken_ = id;
  return std::nullopt;
}

std::optional<Divergence> Conformance::pick(const Operation& o, TaskId id) {
  ++decisions;
  if (auto d = compare_snapshot(o)) return d;
  const TaskId picked = queue_.pick_next_entity();
  if (picked == id) return std::nullopt;
  return Divergence{"pick", "pid " + std::to_string(o.pid), name(picked)};
}

std::optional<Divergence> Conformance::put_prev(const Operation&, TaskId) {
  queue_.put_prev();
  return std::nullopt;
}

std::optional<Divergence> Conformance::set_next(const Operation& o, TaskId id) {
  // Kernels without vprot protect at any set_next_entity(), and don't tell why it ran.
  queue_.set_next(id, o.vprot == kAbsent || o.arg != 0);
  charged_at_ = o.now;
  ran_ = Checked(0);
  return std::nullopt;
}

std::optional<Divergence> Conformance::begin_wakeup(const Operation& o, TaskId id) {
  woken_.reset();
  test_ = Test{id, {.forked = forked_, .sync = o.vprot != kAbsent && (o.arg2 & kSyncWakeup) != 0}};
  return differs_bool(o, "current is protected (arg)", o.arg != 0, queue_.is_protected());
}

std::optional<Divergence> Conformance::skip_wakeup(const Operation& o, TaskId id) {
  woken_.reset();
  const bool preempts = queue_.wakeup_preempts(id, {.forked = forked_, .pending = o.arg == 1});
  return differs_bool(o, "preempts", false, preempts);
}

/// Lets the model decide about the wake-up under test, once the queue was listed.
std::optional<Divergence> Conformance::test_wakeup(const Operation& o) {
  if (std::exchange(test_->done, true)) return std::nullopt;
  if (auto d = compare_snapshot(o)) return d;
  test_->was_protected = queue_.is_protected();
  test_->preempts = queue_.wakeup_preempts(test_->woken, test_->how);
  return std::nullopt;
}

std::optional<Divergence> Conformance::wakeup(const Operation& o, TaskId id) {
  ++decisions;
  if (!test_ || test_->woken != id) {
    return Divergence{"wake", "pid " + std::to_string(o.pid), "no wake-up is under test"};
  }
  const Test test = *std::exchange(test_, std::nullopt);
  if (auto d = differs_bool(o, "preempts (arg)", o.arg != 0, test.preempts)) return d;
  if (o.vprot != kAbsent) return std::nullopt;
  // arg2: a short slice cancels the protection, be it that there is none.
  return differs_bool(o, "protection of the running task behind it (arg2)",
                      test.was_protected && o.arg2 == 0, queue_.is_protected());
}

/// The timer's delay, before the kernel makes it at least 10 us; where time spent in
/// interrupts stretches it (arg2 is not 1024) it is not known by how much.
std::optional<Divergence> Conformance::hrtick(const Operation& o, TaskId id) {
  if (o.arg2 != 1024) return std::nullopt;
  const Checked left = settings_.rules.hrtick == Hrtick::deadline
                           ? queue_.time_to_deadline(rq_.curr)
                           : entity(id).slice - ran_;
  return differs(o, "delay of HRTICK (arg)", o.arg, left.value());
}

std::optional<Divergence> Conformance::yield(const Operation&, TaskId) {
  queue_.yield();
  return std::nullopt;
}

std::optional<Divergence> Conformance::reweight(const Operation& o, TaskId id) {
  queue_.reweight(id, weight_of(o.w));
  entity(id).slice = Checked(o.slice);  // as in place()
  entity(id).custom_slice = o.custom != 0;
  // Whether it counts as queued meanwhile differs from version to version.
  return compare_numbers(o);
}

}  // namespace tickproof
