// tickproof conform: does a traced kernel do what the model says?
#include "trace/conform.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "model/setting.hpp"
#include "model/text_file.hpp"

namespace tickproof {
namespace {

struct Conform {
  std::string trace;
  std::string description;

  ExitCode run() const;
};

std::string at_line(const TextLines& lines) { return "line " + std::to_string(lines.number()); }

ExitCode Conform::run() const {
  std::filesystem::path described = description;
  if (description.empty()) {
    const auto found = find_trace_description(trace);
    if (!found) {
      throw InputError(trace, "",
                       "there is no description beside it; name one with --describe FILE.json");
    }
    described = *found;
  }
  const TraceDescription machine = read_trace_description(described);
  Conformance conformance(machine);
  TextLines lines(trace);
  std::string line;
  std::optional<int> cpu;
  Ns clock = 0;
  while (lines.next(line)) {
    const auto refuse = [&](const std::string& why) {
      throw InputError(trace, at_line(lines), why);
    };
    if (is_ftrace_comment(line)) continue;
    if (const auto lost = parse_lost_events(line)) {
      fmt::print("{}: {} events were lost; goes on where the queue is seen as a whole again\n",
                 at_line(lines), *lost);
      conformance.forget_state();
      continue;
    }
    const std::optional<TraceEvent> event = parse_ftrace_line(line);
    if (!event) {
      refuse("is no line of ftrace text; expected TASK-PID [CPU] FLAGS TIME: EVENT: FIELDS");
    }
    if (cpu && *cpu != event->cpu) {
      refuse(
          fmt::format("is of CPU {}, the lines before of CPU {}; only traces of one CPU can be "
                      "replayed",
                      event->cpu, *cpu));
    }
    cpu = event->cpu;
    if (event->time < clock) refuse("the clock goes backward");
    clock = event->time;
    try {
      if (const auto divergence = conformance.feed(*event)) {
        fmt::print("{}:\n  kernel {}, model {}\ndiverges: {}; {} operations before it agree\n",
                   divergence->what, divergence->kernel, divergence->model, at_line(lines),
                   conformance.operations - 1);
        return ExitCode::violated;
      }
    } catch (const BadValue& error) {
      refuse(error.what());
    }
  }
  if (conformance.operations == 0) {
    throw InputError(trace, "",
                     "holds no detailed events (eevdf_op); plain traces can't be judged yet");
  }
  fmt::print("conforms: {} operations, {} decisions, every number as Linux {} had it\n",
             conformance.operations, conformance.decisions, machine.kernel);
  if (conformance.unknown > 0) {
    fmt::print("  {} operations came before the queue was seen as a whole\n", conformance.unknown);
  }
  return ExitCode::holds;
}

}  // namespace

void add_conform(CLI::App& program, ExitCode& exit_code) {
  auto options = std::make_shared<Conform>();
  CLI::App* app = program.add_subcommand(
      "conform", "replay a kernel's trace in the model, operation by operation");
  app->add_option("TRACE", options->trace, "ftrace text with eevdf_op events, plain, gz or xz")
      ->required();
  app->add_option("--describe", options->description,
                  "the kernel and machine of the trace (default: NAME.json beside NAME.trace.txt)")
      ->type_name("FILE");
  app->footer("Exit codes: 0 conforms, 1 diverges, 2 bad input.");
  app->callback([options, &exit_code] { exit_code = options->run(); });
}

}  // namespace tickproof
