// The keys of a schedule document, each named once: what report/json_archive.hpp
// writes and reads. Times have "_ns" in their names.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "model/parameters.hpp"
#include "report/json_archive.hpp"
#include "report/schedule_json.hpp"

namespace tickproof {

template <>
struct Choices<Life> {
  static constexpr std::array<std::string_view, 3> names{"unborn", "asleep", "awake"};
};
template <>
struct Choices<Resched> {
  static constexpr std::array<std::string_view, 3> names{"none", "lazy", "now"};
};
template <>
struct Choices<Extreme> {
  static constexpr std::array<std::string_view, 2> names{"largest", "smallest"};
};

inline constexpr Interval kAnyTime{0, kLongestTime};
inline constexpr Interval kNotNegative{0, INT64_MAX};

/// The numbers that tasks and CPUs may have.
struct Ids {
  Interval tasks;
  Interval cpus;

  explicit Ids(const SystemSpec& spec)
      : tasks{0, static_cast<Ns>(spec.tasks.size()) - 1}, cpus{0, spec.cpus - 1} {}
};

/// A name that a case file could give.
template <class Archive>
void describe_name(Archive& json, const std::string& key, std::string& name) {
  json.word(
      key, [&] { return name; },
      [&](const std::string& text) {
        if (!is_name(text)) throw BadValue(shown(text) + " is no name; " + kNameForm);
        name = text;
      });
}

template <class Archive>
void describe(Archive& json, Rules& rules) {
  for (const RuleInfo& rule : all_rules()) {
    json.word(
        std::string(rule.name), [&] { return choice_of(rule, rules); },
        [&](const std::string& choice) { set_rule(rules, rule.name, choice); });
  }
}

template <class Archive>
void describe(Archive& json, Features& features) {
  for (const FeatureInfo& feature : all_features()) {
    json.flag(std::string(feature.name), features.*feature.field);
  }
}

template <class Archive>
void describe(Archive& json, Interval& interval) {
  json.whole("lo", interval.lo, kAnyTime);
  json.whole("hi", interval.hi, {interval.lo, kLongestTime});
}

template <class Archive>
void describe(Archive& json, Workload& workload) {
  json.choice("kind", workload.kind);
  // A period of 0 would be due for ever.
  const Ns least = workload.kind == Workload::Kind::periodic ? 1 : 0;
  json.whole("period_ns", workload.period, {least, kLongestTime});
  json.whole("jitter_ns", workload.jitter, kAnyTime);
  json.whole("sleep_ns", workload.sleep, kAnyTime);
  json.whole("burst_ns", workload.burst, kAnyTime);
}

/// 0 is the base slice.
inline constexpr Interval kSettableSlices{kDefaultSlice, kMostCustomSlice};

template <class Archive>
void describe(Archive& json, SystemSpec::TaskInfo& task) {
  json.text("name", task.name);
  describe_name(json, "copy_of", task.spec.name);
  json.whole("nice", task.spec.nice, {kLeastNice, kMostNice});
  json.choice("policy", task.spec.policy);
  json.whole_or_null("slice_ns", task.spec.slice, {kLeastCustomSlice, kMostCustomSlice});
  json.wholes_if_any("renice", task.spec.renice, {kLeastNice, kMostNice});
  json.wholes_if_any("slices_ns", task.spec.slices, kSettableSlices);
  json.choice("arrival", task.spec.arrival);
  json.whole_or_null("start_ns", task.spec.start, kAnyTime);
  json.object("workload", [&](auto& inner) { describe(inner, task.spec.workload); });
}

template <class Archive>
void describe(Archive& json, SystemSpec& spec) {
  json.object("rules", [&](auto& inner) { describe(inner, spec.fair.rules); });
  json.object("features", [&](auto& inner) { describe(inner, spec.fair.features); });
  // Still 0 where it is about to be read.
  int hz = spec.tick == 0 ? 0 : static_cast<int>((kSec + spec.tick / 2) / spec.tick);
  json.whole("hz", hz, {kLeastHz, kMostHz});
  json.whole("tick_ns", spec.tick, {tick_period(hz), tick_period(hz)});
  spec.fair.tick = spec.tick;
  json.whole("base_slice_ns", spec.fair.base_slice, {1, kLongestTime});
  json.object("loss_ns", [&](auto& inner) { describe(inner, spec.loss); });
  json.object("switch_delay_ns", [&](auto& inner) { describe(inner, spec.switch_delay); });
  json.whole("stretch_ns", spec.stretch, kAnyTime);
  json.choice("preemption", spec.preemption);
  json.whole("cpus", spec.cpus, {1, kMostCpus});
  json.list("tasks", spec.tasks, [](auto& inner, auto& task) { describe(inner, task); });
}

template <class Archive>
void describe(Archive& json, Property& property) {
  describe_name(json, "name", property.name);
  json.word(
      "kind", [&] { return info_of(property.kind).name; },
      [&](const std::string& name) { property.kind = find_property_kind(name).kind; });
  json.text("task", property.task);
  json.whole_or_null("at_most", property.at_most, kNotNegative);
  json.whole_or_null("at_least", property.at_least, kNotNegative);
}

template <class Archive>
void describe(Archive& json, Claim& claim) {
  json.choice("extreme", claim.extreme);
  json.whole("value", claim.value, kNotNegative);
}

template <class Archive>
void describe(Archive& json, MoveKind& kind) {
  constexpr std::array kKinds{MoveKind::tick,   MoveKind::wake,     MoveKind::block,
                              MoveKind::yield,  MoveKind::resched,  MoveKind::hrtick,
                              MoveKind::renice, MoveKind::set_slice};
  json.word(
      "kind", [&] { return name_of(kind); },
      [&](const std::string& name) {
        const auto* const found = std::find_if(kKinds.begin(), kKinds.end(),
                                               [&](MoveKind k) { return name_of(k) == name; });
        if (found == kKinds.end()) {
          std::string names;
          for (const MoveKind k : kKinds)
            names += std::string(names.empty() ? "" : ", ") + name_of(k);
          throw BadValue(fmt::format("{} is not one of {}", shown(name), names));
        }
        kind = *found;
      });
}

/// What a move and its event have in common. Ticks and timers are no task's.
template <class Archive, class Move>
void describe_move(Archive& json, Move& move, const Ids& ids) {
  describe(json, move.kind);
  json.whole("cpu", move.cpu, ids.cpus);
  if (is_of_a_task(move.kind)) json.whole("task", move.task, ids.tasks);
  if (move.kind == MoveKind::renice) json.whole("nice", move.value, {kLeastNice, kMostNice});
  if (move.kind == MoveKind::set_slice) json.whole("slice_ns", move.value, kSettableSlices);
}

/// `earliest`: the time of the move before.
template <class Archive>
void describe(Archive& json, ScheduledMove& move, const Ids& ids, Ns earliest) {
  json.whole("time_ns", move.time, {earliest, kLongestTime});
  describe_move(json, move, ids);
  if (move.kind == MoveKind::tick) {
    json.whole("loss_ns", move.loss, kAnyTime);
    json.whole("delay_ns", move.delay, kAnyTime);
  }
}

template <class Archive>
void describe(Archive& json, QueuedView& queued) {
  json.whole("vruntime_ns", queued.vruntime, kAnyNumber);
  json.whole("deadline_ns", queued.deadline, kAnyNumber);
  json.whole("lag_ns", queued.lag, kAnyNumber);
  json.flag("running", queued.running);
  json.flag("delayed", queued.delayed);
  json.flag("eligible", queued.eligible);
  json.flag("protected", queued.is_protected);
}

template <class Archive>
void describe(Archive& json, Event& event, const Ids& ids) {
  json.whole("time_ns", event.time, kAnyTime);
  json.whole("settled_ns", event.settled, kNotNegative);
  describe_move(json, event, ids);
  json.whole("tick", event.tick, kNotNegative);
  json.whole_or_null("before", event.before, kNobody, ids.tasks);
  json.whole_or_null("after", event.after, kNobody, ids.tasks);
  json.flag("scheduled", event.scheduled);
  json.choice("resched", event.resched);
  json.list("tasks", event.tasks, [](auto& inner, TaskView& task) {
    inner.choice("life", task.life);
    inner.object_or_null("queued", task.queued,
                         [](auto& deeper, QueuedView& queued) { describe(deeper, queued); });
  });
}

template <class Archive>
void describe(Archive& json, ScheduleDocument& document) {
  json.constant("format", "tickproof-schedule");
  json.constant("version", 1);
  json.text("tool", document.tool);
  json.object("system", [&](auto& inner) { describe(inner, document.system); });
  json.object("property", [&](auto& inner) { describe(inner, document.property); });
  json.object("claim", [&](auto& inner) { describe(inner, document.claim); });
  json.wholes("first_tick_ns", document.schedule.first_tick, {1, document.system.tick});
  const Ids ids(document.system);
  Ns earliest = 0;
  json.list("moves", document.schedule.moves, [&](auto& inner, ScheduledMove& move) {
    describe(inner, move, ids, earliest);
    earliest = move.time;
  });
  json.optional_list("events", document.events,
                     [&](auto& inner, Event& event) { describe(inner, event, ids); });
}

}  // namespace tickproof
