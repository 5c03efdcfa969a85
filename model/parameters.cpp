#include "model/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "model/choices.hpp"
#include "model/profiles.hpp"
#include "model/weights.hpp"
#include "model/words.hpp"
#include "model/workload_fields.hpp"

namespace tickproof {
namespace {

using Name = const std::string&;
using Text = const std::string&;

// Where a member lives: in the configuration, in one of its tasks, or in what that
// task does. `name` is the task's, and the task exists.

template <class SomeConfig, class T>
auto& at(SomeConfig& config, Name, T Config::*member) {
  return config.*member;
}
template <class SomeConfig>
auto& task_at(SomeConfig& config, Name name) {
  return *std::find_if(config.tasks.begin(), config.tasks.end(),
                       [&](const TaskSpec& task) { return task.name == name; });
}
template <class SomeConfig, class T>
auto& at(SomeConfig& config, Name name, T TaskSpec::*member) {
  return task_at(config, name).*member;
}
template <class SomeConfig, class T>
auto& at(SomeConfig& config, Name name, T Workload::*member) {
  return task_at(config, name).workload.*member;
}

/// What every row has: key, option and help.
struct Row {
  std::string key;
  const char* option;
  std::string help;
};

Parameter::Family family_of(std::string_view key) {
  if (key.starts_with("feature.")) return Parameter::Family::feature;
  if (key.starts_with("rule.")) return Parameter::Family::rule;
  if (key.starts_with("task.")) return Parameter::Family::task;
  return Parameter::Family::single;
}

Parameter parameter(const Row& row, std::string metavar, Parameter::Form form,
                    decltype(Parameter::set) set, decltype(Parameter::show) show) {
  return {row.key, row.option,     std::move(metavar), row.help, family_of(row.key),
          form,    std::move(set), std::move(show)};
}

template <class Owner, class Enum>
Parameter choice(const Row& row, Enum Owner::*member) {
  return parameter(
      row, fmt::format("{}", fmt::join(Choices<Enum>::names, "|")),
      std::is_same_v<Enum, bool> ? Parameter::Form::on_off : Parameter::Form::text,
      [=](Config& c, Name name, Text text) { at(c, name, member) = parse_choice<Enum>(text); },
      [=](const Config& c, Name name) { return std::string(name_of_choice(at(c, name, member))); });
}

int parse_whole(Text text, int least, int most, const std::string& hint) {
  const auto number = whole_number(text, least, most);
  if (!number) {
    throw BadValue(
        fmt::format("{} is not a whole number from {} to {}{}", shown(text), least, most, hint));
  }
  return static_cast<int>(*number);
}

template <class Owner>
Parameter whole(const Row& row, int Owner::*member, int least, int most,
                const std::string& hint = "") {
  return parameter(
      row, "N", Parameter::Form::whole,
      [=](Config& c, Name name, Text text) {
        at(c, name, member) = parse_whole(text, least, most, hint);
      },
      [=](const Config& c, Name name) { return std::to_string(at(c, name, member)); });
}

Ns parse_within(Text text, const Interval& allowed, const std::string& reason) {
  const Ns time = parse_duration(text);
  if (time < allowed.lo || time > allowed.hi) {
    throw BadValue(
        fmt::format("{} is not within {}{}", shown(text), format_interval(allowed), reason));
  }
  return time;
}

constexpr Interval kAnyTime{0, kLongestTime};
/// Among the slices of a task: the base slice.
const std::string kDefault = "default";

/// "a, b" without the blanks.
std::vector<std::string> split_list(Text text) {
  std::vector<std::string> items;
  for (const Assignment& item : split_values({"", text, {}})) {
    const auto first = item.value.find_first_not_of(' ');
    const auto last = item.value.find_last_not_of(' ');
    items.push_back(first == std::string::npos ? "" : item.value.substr(first, last - first + 1));
  }
  return items;
}

template <class Owner>
Parameter time(const Row& row, Ns Owner::*member, Interval allowed = kAnyTime,
               const std::string& reason = "") {
  return parameter(
      row, "TIME", Parameter::Form::text,
      [=](Config& c, Name name, Text text) {
        at(c, name, member) = parse_within(text, allowed, reason);
      },
      [=](const Config& c, Name name) { return format_duration(at(c, name, member)); });
}

/// A time of those workloads that have it.
Parameter workload_time(const WorkloadField& field) {
  Parameter p = time({"task.NAME." + std::string(field.name), "--task", std::string(field.help)},
                     field.member);
  p.show = [&field, show = p.show](const Config& c, Name name) {
    const Workload::Kind kind = at(c, name, &Workload::kind);
    return field.use_in(kind) == WorkloadField::Use::none ? std::string() : show(c, name);
  };
  return p;
}

/// `none` stands for no time at all.
template <class Owner>
Parameter time_or(const std::string& none, const Row& row, std::optional<Ns> Owner::*member,
                  Interval allowed = kAnyTime, const std::string& reason = "") {
  return parameter(
      row, "TIME|" + none, Parameter::Form::text,
      [=](Config& c, Name name, Text text) {
        at(c, name, member) =
            text == none ? std::nullopt : std::optional(parse_within(text, allowed, reason));
      },
      [=](const Config& c, Name name) {
        const std::optional<Ns> value = at(c, name, member);
        return value ? format_duration(*value) : none;
      });
}

/// "a, b": parse(text) reads one of them, show(value) writes it.
template <class T, class Parse, class Show>
Parameter list(const Row& row, const std::string& metavar, std::vector<T> TaskSpec::*member,
               const Parse& parse, const Show& show) {
  return parameter(
      row, metavar + ",...", Parameter::Form::list,
      [=](Config& c, Name name, Text text) {
        std::vector<T> values;
        for (const std::string& item : split_list(text)) {
          const T value = parse(item);
          if (std::find(values.begin(), values.end(), value) != values.end()) {
            throw BadValue(shown(item) + " comes twice");
          }
          values.push_back(value);
        }
        at(c, name, member) = std::move(values);
      },
      [=](const Config& c, Name name) {
        std::vector<std::string> texts;
        for (const T& value : at(c, name, member)) texts.push_back(show(value));
        return fmt::format("{}", fmt::join(texts, ", "));
      });
}

Parameter interval(const Row& row, Interval Config::*member) {
  return parameter(
      row, "TIME|LOW..HIGH", Parameter::Form::text,
      [=](Config& c, Name, Text text) { c.*member = parse_interval(text); },
      [=](const Config& c, Name) { return format_interval(c.*member); });
}

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.emplace_back(item.name);
  return names;
}

template <class Items>
std::string list_of(const Items& items) {
  return fmt::format("{}", fmt::join(names_of(items), ", "));
}

Parameter kernel() {
  return parameter(
      {"kernel", "--kernel", "kernel version: " + list_of(all_profiles())}, "VERSION",
      Parameter::Form::text, [](Config& c, Name, Text text) { c.kernel = find_profile(text).name; },
      [](const Config& c, Name) { return c.kernel; });
}

const FeatureInfo& feature_named(Name name) {
  const FeatureInfo* const info = find_feature(name);
  if (info != nullptr) return *info;
  throw BadValue(no_such("feature", name, names_of(all_features())));
}

Parameter feature() {
  return parameter(
      {"feature.NAME", "--feature",
       "a switch of /sys/kernel/debug/sched/features: " + list_of(all_features())},
      "on|off", Parameter::Form::on_off,
      [](Config& c, Name name, Text text) {
        c.features.*feature_named(name).field = parse_choice<bool>(text);
      },
      [](const Config& c, Name name) {
        return std::string(name_of_choice(c.features.*feature_named(name).field));
      });
}

Parameter rule() {
  return parameter(
      {"rule.NAME", "--rule", "a rule other than the kernel's own: " + list_of(all_rules())},
      "CHOICE", Parameter::Form::text,
      [](Config& c, Name name, Text text) { set_rule(c.rules, name, text); },
      [](const Config& c, Name name) {
        const auto rules = all_rules();
        return std::string(
            choice_of(*std::find_if(rules.begin(), rules.end(),
                                    [&](const RuleInfo& r) { return r.name == name; }),
                      c.rules));
      });
}

std::vector<Parameter> make_table() {
  // sysctl_sched_base_slice is an unsigned int.
  constexpr Interval kBaseSlices{1, std::numeric_limits<std::uint32_t>::max()};
  constexpr Interval kCustomSlices{kLeastCustomSlice, kMostCustomSlice};
  const std::string kWouldClamp = "; the kernel would clamp it without a word";
  const char* const task = "--task";
  std::vector<Parameter> table{
      kernel(),
      whole({"hz", "--hz", "ticks a second (CONFIG_HZ)"}, &Config::hz, kLeastHz, kMostHz,
            ", as a rule 100, 250, 300 or 1000"),
      whole({"cpus", "--cpus", "CPUs of the machine: they scale the base slice"}, &Config::cpus, 1,
            kMostCpus),
      choice({"scaling", "--scaling", "how the base slice grows with the CPUs (tunable_scaling)"},
             &Config::scaling),
      time({"base_slice", "--base-slice", "base slice in force (base_slice_ns), not scaled again"},
           &Config::base_slice, kBaseSlices),
      choice({"preempt", "--preempt", "preemption model"}, &Config::preemption),
      time({"stretch", "--stretch", "longest stretch in which the running task can't be switched"},
           &Config::stretch),
      choice({"tick.mode", "--tick-mode", "what the tick does on an idle CPU"}, &Config::tick_mode),
      choice({"tick.irq_time", "--irq-time",
              "is the time of interrupts charged to no task (IRQ_TIME_ACCOUNTING)?"},
             &Config::irq_time),
      interval({"tick.loss", "--tick-loss", "time of each tick period that no task is charged for"},
               &Config::loss),
      interval({"tick.switch_delay", "--switch-delay",
                "time from a tick's clock sample to the switch that it causes"},
               &Config::switch_delay),
      feature(),
      rule(),
      choice({"task.NAME.workload", task, "what the task does"}, &Workload::kind),
      whole({"task.NAME.count", task, "number of copies"}, &TaskSpec::count, 1, kMostTasks),
      whole({"task.NAME.nice", task, "nice value"}, &TaskSpec::nice, kLeastNice, kMostNice),
      choice({"task.NAME.policy", task, "scheduling policy"}, &TaskSpec::policy),
      time_or("base", {"task.NAME.slice", task, "slice of its own, or the base slice"},
              &TaskSpec::slice, kCustomSlices, kWouldClamp),
      list(
          {"task.NAME.renice", task, "nice values that it may be given at any time"}, "N",
          &TaskSpec::renice, [](Text text) { return parse_whole(text, kLeastNice, kMostNice, ""); },
          [](int nice) { return std::to_string(nice); }),
      list(
          {"task.NAME.slices", task, "slices that it may be given at any time"}, "TIME|default",
          &TaskSpec::slices,
          [=](Text text) {
            return text == kDefault ? kDefaultSlice
                                    : parse_within(text, kCustomSlices, kWouldClamp);
          },
          [](Ns slice) { return slice == kDefaultSlice ? kDefault : format_duration(slice); }),
      choice({"task.NAME.arrives", task, "first comes as a sleeper or as a new child"},
             &TaskSpec::arrival),
      time_or("any", {"task.NAME.start", task, "when it first comes"}, &TaskSpec::start),
  };
  for (const WorkloadField& field : all_workload_fields()) table.push_back(workload_time(field));
  return table;
}

/// The option that all of these rows share.
Option option_of(std::span<const Parameter> rows) {
  const Parameter& p = rows.front();
  if (p.family == Parameter::Family::single) {
    return {p.option, p.metavar, p.help, "", p.key};
  }
  const std::string prefix = p.key.substr(0, p.key.find('.') + 1);
  if (rows.size() == 1) return {p.option, "NAME=" + p.metavar, p.help, prefix, ""};
  std::vector<std::string> fields;
  for (const Parameter& row : rows) fields.push_back(row.key.substr(row.key.rfind('.') + 1));
  return {p.option, "NAME.FIELD=VALUE",
          fmt::format("changes a task of the case: {}", fmt::join(fields, ", ")), prefix, ""};
}

}  // namespace

std::span<const Parameter> all_parameters() {
  static const std::vector<Parameter> table = make_table();
  return table;
}

std::vector<Option> command_line_options() {
  std::vector<Option> options;
  const std::span<const Parameter> table = all_parameters();
  for (auto row = table.begin(); row != table.end();) {
    const auto last = std::find_if(
        row, table.end(), [&](const Parameter& other) { return other.option != row->option; });
    options.push_back(option_of({row, last}));
    row = last;
  }
  return options;
}

Assignment assignment_of(const Option& option, const std::string& text) {
  const Origin origin{Origin::Kind::command_line, option.name};
  if (option.prefix.empty()) return {option.key, text, origin};
  const auto equals = text.find('=');
  if (equals == std::string::npos) {
    throw InputError(option.name, "", shown(text) + " has no '='; expected " + option.metavar);
  }
  return {option.prefix + text.substr(0, equals), text.substr(equals + 1), origin};
}

}  // namespace tickproof
