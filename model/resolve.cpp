// From assignments to a configuration: which of them counts, what follows from
// them, and whether they fit together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "model/choices.hpp"
#include "model/keys.hpp"
#include "model/parameters.hpp"
#include "model/profiles.hpp"
#include "model/words.hpp"
#include "model/workload_fields.hpp"

namespace tickproof {
namespace {

/// Features that would matter to a run queue, and that the model lacks.
constexpr std::array<std::string_view, 1> kUnmodelled{"PARANOID_AVG"};

/// Published measurements (zihan zhou, LKML, 17 Dec 2024), rounded up.
constexpr Interval kAssumedLoss{0, 4 * kUsec};

/// `origin`, with what was made of the value from there.
Origin derived(Origin origin, const std::string& how) {
  origin.where += (origin.where.empty() ? "" : "; ") + how;
  return origin;
}

std::string task_stem(const std::string& task) { return "task." + task + "."; }

class Resolver {
 public:
  explicit Resolver(std::span<const Assignment> assignments) : assignments_(assignments) {}

  Resolved resolve() {
    choose_kernel();
    make_tasks();
    for (std::size_t i = 0; i < assignments_.size(); ++i) apply(i);
    derive_base_slice();
    derive_loss();
    check_intervals();
    for (TaskSpec& task : config().tasks) check_task(task);
    check_number_of_tasks();
    note_settings_without_effect();
    list_values();
    return std::move(resolved_);
  }

 private:
  /// The assignment that counts for a key, and its place among all.
  struct Given {
    Origin origin;
    std::size_t position;
  };

  Config& config() { return resolved_.config; }
  const Given* given(const std::string& key) const {
    const auto found = given_.find(key);
    return found == given_.end() ? nullptr : &found->second;
  }
  Origin origin_of(const std::string& key) const {
    const Given* const assignment = given(key);
    return assignment == nullptr ? Origin{} : assignment->origin;
  }
  [[noreturn]] void refuse(const std::string& key, const std::string& why) const {
    throw InputError(origin_of(key).where, key, why);
  }
  std::string hz_and_tick() {
    return fmt::format("{} at hz {}", format_duration(tick_period(config().hz)), config().hz);
  }

  static void set(Config& config, const Key& key, const Assignment& assignment) {
    try {
      key.parameter.set(config, key.name, assignment.value);
    } catch (const BadValue& error) {
      throw InputError(assignment.origin.where, assignment.key, printable(error.what()));
    }
  }

  /// First of all: every other assignment goes on top of the kernel's defaults.
  void choose_kernel() {
    config().kernel = kDefaultKernel;
    std::string asked = config().kernel;
    for (const Assignment& assignment : assignments_) {
      if (assignment.key != "kernel") continue;
      set(config(), find_key(assignment), assignment);
      asked = assignment.value;
    }
    profile_ = &find_profile(config().kernel);
    config().rules = profile_->rules;
    config().features = profile_->features;
    if (asked != profile_->name) {
      note(fmt::format("kernel {} is modelled by the profile {}: {}; {}", asked, profile_->name,
                       profile_->covers, profile_->note));
    }
  }

  void make_tasks() {
    for (const Assignment& assignment : assignments_) {
      const Key key = find_key(assignment);
      if (key.parameter.family != Parameter::Family::task) continue;
      std::vector<std::string> known;
      for (const TaskSpec& task : config().tasks) known.push_back(task.name);
      if (std::find(known.begin(), known.end(), key.name) != known.end()) continue;
      if (assignment.origin.kind != Origin::Kind::case_file) {
        throw InputError(assignment.origin.where, assignment.key, no_such("task", key.name, known));
      }
      if (!is_name(key.name)) {
        throw InputError(assignment.origin.where, assignment.key,
                         shown(key.name) + " is no name for a task; " + kNameForm);
      }
      config().tasks.emplace_back().name = key.name;
    }
    if (config().tasks.empty()) {
      throw InputError("configuration", "task",
                       "there is none; a [[task]] of a case file makes one");
    }
  }

  void apply(std::size_t position) {
    const Assignment& assignment = assignments_[position];
    const Key key = find_key(assignment);
    const bool from_kernel = assignment.origin.kind == Origin::Kind::sched_debug;
    if (key.parameter.family == Parameter::Family::feature && from_kernel &&
        find_feature(key.name) == nullptr) {
      note_unmodelled(key.name, assignment);
      return;
    }
    set(config(), key, assignment);
    given_.insert_or_assign(assignment.key, Given{assignment.origin, position});
  }

  void note_unmodelled(const std::string& feature, const Assignment& assignment) {
    const bool matters =
        std::find(kUnmodelled.begin(), kUnmodelled.end(), feature) != kUnmodelled.end();
    if (!matters || !parse_choice<bool>(assignment.value)) return;
    note(fmt::format("{} is on in {}, and is not modelled", feature, assignment.origin.where));
  }

  void derive_base_slice() {
    if (given("base_slice") != nullptr) return;
    const Config& c = config();
    const Ns unit = scaled_base_slice(c.rules.slice_unit, Scaling::none, 1);
    config().base_slice = scaled_base_slice(c.rules.slice_unit, c.scaling, c.cpus);
    derived_.emplace("base_slice",
                     derived(origin_of("cpus"),
                             fmt::format("{} x {} for {} CPU{}", c.base_slice / unit,
                                         format_duration(unit), c.cpus, c.cpus == 1 ? "" : "s")));
  }

  void derive_loss() {
    if (given("tick.loss") != nullptr || !config().irq_time) return;
    config().loss = kAssumedLoss;
    derived_.emplace("tick.loss", derived(origin_of("tick.irq_time"), "assumed"));
    note("tick.loss: " + format_interval(kAssumedLoss) +
         " is an assumption that follows from tick.irq_time=on (measured at HZ=1000: "
         "rq_clock_task advances 3.1 to 3.6us less than the tick; zihan zhou, LKML, 17 Dec 2024); "
         "set tick.loss for another");
  }

  void check_intervals() {
    for (const auto& [key, interval] : {std::pair("tick.loss", config().loss),
                                        std::pair("tick.switch_delay", config().switch_delay)}) {
      if (interval.hi < tick_period(config().hz)) continue;
      refuse(key, fmt::format("{} reaches the tick period; expected less than {}",
                              format_interval(interval), hz_and_tick()));
    }
  }

  void check_task(TaskSpec& task) {
    const std::string stem = task_stem(task.name);
    const Given* const workload = given(stem + "workload");
    if (workload == nullptr) {
      throw InputError(first_mention(stem), stem + "workload",
                       fmt::format("is missing; expected one of {}",
                                   fmt::join(Choices<Workload::Kind>::names, ", ")));
    }
    if (task.slice) require_custom_slices(stem + "slice");
    if (!task.slices.empty()) require_custom_slices(stem + "slices");
    check_policy(task, stem);
    for (const WorkloadField& field : all_workload_fields()) {
      check_workload_field(task, stem, *workload, field);
    }
    const Workload& w = task.workload;
    if (w.kind == Workload::Kind::periodic && w.burst > w.period) {
      refuse(stem + "burst", fmt::format("{} is longer than the period; expected at most {}",
                                         format_duration(w.burst), format_duration(w.period)));
    }
  }

  /// The kernel throttles a SCHED_FIFO task that leaves the others no time, the model does
  /// not: what it said of a task that may run for ever would be about no kernel.
  void check_policy(TaskSpec& task, const std::string& stem) {
    if (task.policy != Policy::fifo) return;
    const Workload::Kind kind = task.workload.kind;
    if (kind != Workload::Kind::periodic && kind != Workload::Kind::sporadic) {
      refuse(stem + "policy",
             fmt::format("fifo does not go with the workload {}, which need not ever sleep; "
                         "expected periodic or sporadic",
                         name_of_choice(kind)));
    }
    for (const char* const field : {"nice", "slice", "renice", "slices"}) {
      if (given(stem + field) == nullptr) continue;
      note(fmt::format("{}{}: has no effect on a SCHED_FIFO task", stem, field));
    }
    task.renice.clear();
    task.slices.clear();
  }

  void require_custom_slices(const std::string& key) const {
    const Rules& rules = resolved_.config.rules;
    if (rules.custom_slice == CustomSlice::yes) return;
    const auto infos = all_rules();
    const auto rule = std::find_if(infos.begin(), infos.end(), [](const RuleInfo& info) {
      return info.name == "custom-slice";
    });
    refuse(key, fmt::format("{} has no slices of a task's own (rule {}={}); there are since {}",
                            resolved_.config.kernel, rule->name, choice_of(*rule, rules),
                            rule->choices[static_cast<std::size_t>(CustomSlice::yes)].since));
  }

  /// A field that the workload does not use is an error, unless a later source of
  /// settings has changed the workload: then the field went with the old one.
  void check_workload_field(TaskSpec& task, const std::string& stem, const Given& workload,
                            const WorkloadField& field) const {
    const std::string key = stem + std::string(field.name);
    const Given* const value = given(key);
    Ns& time = task.workload.*field.member;
    const Workload::Kind kind = task.workload.kind;
    switch (field.use_in(kind)) {
      case WorkloadField::Use::may_be_zero: return;
      case WorkloadField::Use::above_zero:
        if (time > 0) return;
        if (value != nullptr) refuse(key, "is 0; expected a time above 0");
        throw InputError(
            workload.origin.where, key,
            fmt::format("is missing; the workload {} needs it, above 0", name_of_choice(kind)));
      case WorkloadField::Use::none:
        if (value == nullptr) return;
        if (value->origin.kind == workload.origin.kind || value->position > workload.position) {
          const std::string used = fields_used_in(kind);
          refuse(key, fmt::format("does not belong to the workload {}, which has {}",
                                  name_of_choice(kind), used.empty() ? "nothing to set" : used));
        }
        time = 0;
    }
  }

  std::string first_mention(const std::string& stem) const {
    return std::find_if(assignments_.begin(), assignments_.end(),
                        [&](const Assignment& a) { return a.key.starts_with(stem); })
        ->origin.where;
  }

  void check_number_of_tasks() {
    int total = 0;
    for (const TaskSpec& task : config().tasks) {
      total += task.count;
      if (total <= kMostTasks) continue;
      const std::string stem = task_stem(task.name);
      throw InputError(
          given(stem + "count") != nullptr ? origin_of(stem + "count").where : first_mention(stem),
          stem + "count",
          fmt::format("makes {} tasks in all; expected at most {}", total, kMostTasks));
    }
  }

  void note_settings_without_effect() {
    const Config& c = config();
    if (c.preemption == Preemption::lazy && !profile_->has_lazy) {
      note("preempt=lazy: " + c.kernel +
           " has no lazy preemption; it is modelled as it is from 6.13 on");
    }
    if (given("feature.PREEMPT_SHORT") != nullptr && c.features.preempt_short &&
        c.rules.short_wakeup == ShortWakeup::never) {
      note("feature.PREEMPT_SHORT: has no effect with the rule short-wakeup=never of " + c.kernel);
    }
  }

  void note(std::string text) { resolved_.notes.push_back(std::move(text)); }

  /// The members of a family that the configuration has.
  std::vector<std::string> names_in(Parameter::Family family) {
    std::vector<std::string> names;
    switch (family) {
      case Parameter::Family::single: names.emplace_back(); break;
      case Parameter::Family::feature:
        for (const FeatureInfo& info : all_features()) names.emplace_back(info.name);
        break;
      case Parameter::Family::rule:
        for (const RuleInfo& info : all_rules()) names.emplace_back(info.name);
        break;
      case Parameter::Family::task:
        for (const TaskSpec& task : config().tasks) names.push_back(task.name);
        break;
    }
    return names;
  }

  void list_values() {
    const std::span<const Parameter> table = all_parameters();
    for (auto row = table.begin(); row != table.end();) {
      const auto last = std::find_if(
          row, table.end(), [&](const Parameter& other) { return other.family != row->family; });
      for (const std::string& name : names_in(row->family)) {
        std::for_each(row, last, [&](const Parameter& p) { list_value(p, name); });
      }
      row = last;
    }
  }

  void list_value(const Parameter& p, const std::string& name) {
    std::string text = p.show(config(), name);
    if (text.empty()) return;
    const std::string key = key_of(p, name);
    const auto made = derived_.find(key);
    resolved_.values.push_back(
        {key, std::move(text), made == derived_.end() ? origin_of(key) : made->second});
  }

  std::span<const Assignment> assignments_;
  Resolved resolved_;
  const Profile* profile_ = nullptr;
  std::map<std::string, Given> given_;
  std::map<std::string, Origin> derived_;
};

}  // namespace

Resolved resolve(std::span<const Assignment> assignments) {
  return Resolver(assignments).resolve();
}

}  // namespace tickproof
