#include "report/summary.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/choices.hpp"
#include "model/profiles.hpp"
#include "report/wrap.hpp"

namespace tickproof {
namespace {

constexpr std::size_t kIndent = 14;

std::string entry(std::string_view label, std::string_view text) {
  return wrapped(fmt::format("  {}", label), text, kIndent);
}

/// "rules as 6.12.117" or what differs from them.
std::string overrides(const Config& config) {
  const std::string text = departures(config.kernel, config.rules, config.features);
  return config.kernel + (text.empty() ? ", all rules and features as there" : text);
}

std::string describe_tick(const Config& config) {
  const bool ideal = config.loss == Interval{} && config.switch_delay == Interval{};
  return fmt::format(
      "HZ={} (every {}), {}, {}", config.hz, format_duration(tick_period(config.hz)),
      name_of_choice(config.tick_mode),
      ideal ? std::string("ideal accounting: no loss, no switch delay")
            : fmt::format("accounting loses {} a tick, a tick's switch comes {} after it",
                          format_interval(config.loss), format_interval(config.switch_delay)));
}

std::string describe_preemption(const Config& config) {
  return fmt::format("{}, tasks compute in user mode{}", name_of_choice(config.preemption),
                     config.stretch == 0 ? std::string()
                                         : ", but can't be switched out for up to " +
                                               format_duration(config.stretch));
}

std::string question_of(const Property& property) {
  std::string text = fmt::format("{} of {}", info_of(property.kind).name, property.task);
  if (property.at_most) text += " at most " + format_value(property.kind, *property.at_most);
  if (property.at_least) text += " at least " + format_value(property.kind, *property.at_least);
  return text;
}

/// "[22.999ms, 23ms]", or the value if both ends meet.
std::string bracket(PropertyKind kind, const Answer& answer) {
  const std::string low = answer.witness ? format_value(kind, answer.witness->value) : "nothing";
  const std::string high = answer.bound ? format_value(kind, *answer.bound) : "nothing";
  if (!answer.witness && !answer.bound) return "no value in any run";
  if (low == high) return low;
  return answer.aim == Aim::largest ? fmt::format("[{}, {}]", low, high)
                                    : fmt::format("[{}, {}]", high, low);
}

}  // namespace

bool as_expected(const Finding& finding) {
  const Answer& answer = finding.answer;
  if (finding.asked.expect) {
    const bool holds = answer.status == Status::proved || answer.status == Status::bounded;
    switch (*finding.asked.expect) {
      case Expected::holds:
        if (!holds) return false;
        break;
      case Expected::violated:
        if (answer.status != Status::violated) return false;
        break;
      case Expected::unknown:
        if (answer.status != Status::unknown) return false;
        break;
    }
  }
  if (!finding.asked.worst) return true;
  return is_exact(answer, finding.asked.property.kind) && *answer.bound == *finding.asked.worst;
}

std::string departures(const std::string& kernel, const Rules& rules, const Features& features) {
  const Profile& profile = find_profile(kernel);
  std::string text;
  for (const RuleInfo& rule : all_rules()) {
    if (rule.get(rules) == rule.get(profile.rules)) continue;
    text += fmt::format(", rule {}={}", rule.name, choice_of(rule, rules));
  }
  for (const FeatureInfo& feature : all_features()) {
    if (features.*feature.field == profile.features.*feature.field) continue;
    text += fmt::format(", {}{}", features.*feature.field ? "" : "NO_", feature.name);
  }
  return text;
}

std::vector<std::string> abstractions(const Config& config) {
  const bool any_fifo = std::any_of(config.tasks.begin(), config.tasks.end(),
                                    [](const auto& task) { return task.policy == Policy::fifo; });
  std::vector<std::string> list{
      "times are real numbers, and what the kernel rounds off a virtual time may be anything "
      "that it can round off: its 64-bit integers are covered",
      fmt::format(
          "one CPU: no migration, no {}higher scheduling class, no cgroups, no bandwidth limit",
          any_fifo ? "other " : ""),
  };
  if (any_fifo) {
    list.emplace_back(
        "SCHED_FIFO tasks have one priority; none is throttled, and no fair server runs");
  }
  const bool any_change =
      std::any_of(config.tasks.begin(), config.tasks.end(),
                  [](const auto& task) { return !task.renice.empty() || !task.slices.empty(); });
  if (any_change) {
    list.emplace_back("no new nice value or slice while a task is asleep but still queued");
  }
  if (config.features.hrtick) {
    list.emplace_back(
        "HRTICK fires at the ns that it is set for; a real timer comes later, as measured by 10 "
        "to 20us, and what it ends lasts longer by that");
  }
  if (config.rules.tie == Tie::any) {
    list.emplace_back(
        "of equal deadlines any is picked; a replay takes the first, so a witness may be missed");
  }
  if (config.switch_delay.hi > 0) list.emplace_back("nothing happens within a tick's switch delay");
  if (config.loss.hi > 0) list.emplace_back("time is lost at ticks only");
  return list;
}

std::string describe_configuration(const CaseReport& report) {
  const Config& config = report.resolved.config;
  std::string text = wrapped("", report.file.path.string() + ": " + report.file.title, 0);
  text += entry("kernel", overrides(config));
  text += entry("tick", describe_tick(config));
  text += entry("base slice",
                fmt::format("{} ({} CPUs, scaling {})", format_duration(config.base_slice),
                            config.cpus, name_of_choice(config.scaling)));
  text += entry("preemption", describe_preemption(config));
  for (const TaskSpec& task : config.tasks) text += entry("task", describe_task(task, config));
  for (const std::string& assumed : abstractions(config)) text += entry("abstraction", assumed);
  for (const std::string& note : report.resolved.notes) text += entry("note", note);
  text += entry("solver", "Z3 " + z3_version());
  return text;
}

std::string describe_origins(const Resolved& resolved) {
  std::string text;
  for (const Value& value : resolved.values) {
    text += fmt::format("  {:<28} {:<16} {}\n", value.key, value.text, describe(value.origin));
  }
  return text;
}

std::string describe_finding(const Finding& finding) {
  const Property& property = finding.asked.property;
  const Answer& answer = finding.answer;
  std::string text = fmt::format("{}: {}\n", property.name, name_of(answer.status));
  text +=
      entry("property", question_of(property) + ": " + std::string(info_of(property.kind).meaning));
  if (answer.status == Status::violated) {
    text += entry("witness", fmt::format("{}, replayed in kernel arithmetic",
                                         format_value(property.kind, answer.witness->value)));
  } else if (answer.witness || answer.depth > 0) {
    text += entry(answer.aim == Aim::largest ? "largest" : "smallest",
                  bracket(property.kind, answer) +
                      (is_exact(answer, property.kind) ? " (witness and bound meet)" : ""));
  }
  if (answer.status == Status::bounded) {
    text += entry("covers",
                  fmt::format("every run of up to {} events (starts, wake-ups, sleeps, yields, "
                              "ticks that act); no claim beyond. {}",
                              answer.depth,
                              answer.covered > 0 ? "That is at least the first " +
                                                       format_duration(answer.covered) + "."
                                                 : "Events may coincide, so no stretch of time."));
  }
  if (!answer.reason.empty()) text += entry("reason", answer.reason);
  text += entry("engine", fmt::format("{}; {} control states, {} transitions, {:.2f}s",
                                      answer.engine.empty() ? "none" : answer.engine,
                                      answer.controls, answer.transitions, answer.seconds));
  if (!as_expected(finding)) {
    text += entry("UNEXPECTED",
                  fmt::format("{} expects {}{}", finding.asked.where,
                              finding.asked.expect ? name_of_choice(*finding.asked.expect) : "",
                              finding.asked.worst
                                  ? " worst " + format_value(property.kind, *finding.asked.worst)
                                  : ""));
  }
  return text;
}

}  // namespace tickproof
