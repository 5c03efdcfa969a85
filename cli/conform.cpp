// tickproof conform: does a traced kernel do what the model says?
#include "trace/conform.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "cli/commands.hpp"
#include "cli/settings.hpp"
#include "model/setting.hpp"
#include "model/units.hpp"
#include "properties/case_file.hpp"
#include "report/summary.hpp"
#include "trace/event_stream.hpp"
#include "trace/one_cpu.hpp"
#include "trace/plain_trace.hpp"

namespace tickproof {
namespace {

struct Conform {
  std::string trace;
  std::string case_file;
  std::string description;
  std::optional<int> cpu;
  Settings settings;

  TraceDescription machine() const;
  ExitCode run() const;
};

/// The kernel and machine: of the description or the case, and what was named on top.
TraceDescription Conform::machine() const {
  TraceDescription result;
  std::vector<Assignment> base;
  std::optional<std::filesystem::path> described;
  if (!description.empty()) described = description;
  if (description.empty() && case_file.empty()) described = find_trace_description(trace);
  if (described) {
    result = read_trace_description(*described);
    base = assignments_of(result, *described);
  } else if (!case_file.empty()) {
    base = load_case(case_file).assignments;
  } else if (settings.empty()) {
    throw InputError(
        trace, "",
        "there is no description beside it; name one with --describe FILE.json, a "
        "case, or the kernel and machine with --kernel, --kconfig, --hz, --base-slice");
  }
  // A configuration has tasks; those of the trace are in the trace.
  base.push_back({"task.any.workload", "hog", {Origin::Kind::case_file, "conform"}});
  const Config config = resolve(settings.on_top_of(std::move(base))).config;
  result.kernel = config.kernel;
  result.rules = config.rules;
  result.features = config.features;
  result.hz = config.hz;
  result.base_slice = config.base_slice;
  return result;
}

std::string describe(const TraceDescription& machine) {
  return fmt::format("{}, HZ={}, base slice {}{}", machine.kernel, machine.hz,
                     format_duration(machine.base_slice),
                     departures(machine.kernel, machine.rules, machine.features));
}

/// A plain trace whose runs ran out.
ExitCode tell(const PlainTrace& plain, const Unexplained& found) {
  fmt::print("{}:\n  kernel: {}\n  model:  {}\n", plain.with_names(found.mismatch.what),
             plain.with_names(found.mismatch.kernel), plain.with_names(found.mismatch.model));
  fmt::print(
      "not explained: {}; {} switches before it are. No run was found that does this, with\n"
      "other values tried from {} on. That is no proof that there is none.\n",
      found.where, plain.switches - 1, found.since);
  return ExitCode::unknown;
}

ExitCode tell_explained(const PlainTrace& plain, const TraceDescription& machine) {
  fmt::print(
      "conforms: {} switches, {} wake-ups and {} ticks, as in a run of the model in kernel\n"
      "arithmetic from {}\n",
      plain.switches, plain.wakeups, plain.ticks,
      plain.explainer().pieces == 1
          ? "one starting state"
          : std::to_string(plain.explainer().pieces) + " starting states, one after the other");
  fmt::print("  model: {}\n", describe(machine));
  fmt::print(
      "  supposed: what the trace does not tell. A clock is read up to {} before its event, a\n"
      "  reschedule comes within {}{}\n",
      format_duration(PlainTrace::kSampleWithin), format_duration(PlainTrace::kReschedWithin),
      plain.sees_ticks() ? "" : ", ticks are on a grid that the switches tell");
  return ExitCode::holds;
}

ExitCode Conform::run() const {
  const TraceDescription machine = this->machine();
  Conformance conformance(machine);
  PlainTrace plain(machine);
  const std::unique_ptr<EventStream> events = open_event_stream(trace);
  OneCpu one_cpu(cpu);
  TraceItem item;
  while (events->next(item)) {
    if (const auto* const lost = std::get_if<LostEvents>(&item)) {
      if (!one_cpu.wants(*lost)) continue;
      const std::string count = lost->count > 0 ? std::to_string(lost->count) + " " : "";
      fmt::print("{}: {}events were lost; goes on where the queue is seen as a whole again\n",
                 events->position(), count);
      conformance.forget_state();
      if (const auto found = plain.forget_state()) return tell(plain, *found);
      continue;
    }
    const TraceEvent& event = std::get<TraceEvent>(item);
    try {
      if (!one_cpu.wants(event)) continue;
      if (const auto divergence = conformance.feed(event)) {
        fmt::print("{}:\n  kernel {}, model {}\ndiverges: {}; {} operations before it agree\n",
                   divergence->what, divergence->kernel, divergence->model, events->position(),
                   conformance.operations - 1);
        return ExitCode::violated;
      }
      if (conformance.operations + conformance.unknown == 0) {
        if (const auto found = plain.feed(event, events->position())) return tell(plain, *found);
      }
    } catch (const BadValue& error) {
      events->refuse(error.what());
    } catch (const Overflow& error) {
      fmt::print("{}\ndiverges: {}; the kernel went on with wrapped numbers\n", error.what(),
                 events->position());
      return ExitCode::violated;
    }
  }
  try {
    one_cpu.check_found();
  } catch (const BadValue& error) {
    throw InputError(trace, "", error.what());
  }
  if (conformance.operations == 0) {
    if (const auto found = plain.finish()) return tell(plain, *found);
    if (plain.switches == 0) {
      throw InputError(trace, "",
                       "holds neither detailed events (eevdf_op) nor sched_switch events; "
                       "docs/recording.md says how to record them");
    }
    return tell_explained(plain, machine);
  }
  fmt::print(
      "conforms: {} operations, {} decisions, every number as the kernel had it\n  model: {}\n",
      conformance.operations, conformance.decisions, describe(machine));
  if (conformance.unknown > 0) {
    fmt::print("  {} operations came before the queue was seen as a whole\n", conformance.unknown);
  }
  return ExitCode::holds;
}

}  // namespace

void add_conform(CLI::App& program, ExitCode& exit_code) {
  auto options = std::make_shared<Conform>();
  CLI::App* app = program.add_subcommand(
      "conform",
      "is a kernel's trace what the model does? Detailed events (eevdf_op) are replayed "
      "number by number; for plain ones (sched_switch, sched_waking, sched_wakeup) a "
      "run is looked for that does the same");
  app->add_option("TRACE", options->trace,
                  "a trace: ftrace text or that of `perf script`, plain, gz "
                  "or xz, or the trace.dat of trace-cmd")
      ->required();
  app->add_option("CASE", options->case_file,
                  "a case file for the kernel and machine (its tasks are not used)");
  app->add_option("--describe", options->description,
                  "the kernel and machine of the trace (default: NAME.json beside NAME.trace.txt)")
      ->type_name("FILE");
  app->add_option("--cpu", options->cpu, "of a trace of several CPUs, the one to look at")
      ->check(CLI::Range(0, 999'999))
      ->type_name("N");
  options->settings.add_to(*app);
  app->footer("Exit codes: 0 conforms, 1 diverges, 2 bad input, 3 a plain trace is not explained.");
  app->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace tickproof
