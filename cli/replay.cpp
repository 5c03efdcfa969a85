// tickproof replay: does a saved schedule do what it claims?
#include "report/replay.hpp"

#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "model/text_file.hpp"
#include "report/schedule_text.hpp"

namespace tickproof {
namespace {

ExitCode run(const std::string& path) {
  const ScheduleDocument document = load_schedule(read_text_file(path), path);
  const ReplayResult result = replay(document);
  if (result.recording) {
    std::cout << schedule_text(document.system, *result.recording, document.property) << '\n';
  }
  const Property& property = document.property;
  if (result.conforms) {
    fmt::print("conforms: {} moves, {} of {} is {} as claimed\n", document.schedule.moves.size(),
               info_of(property.kind).name, property.task,
               format_value(property.kind, document.claim.value));
    return ExitCode::holds;
  }
  fmt::print("does not conform: {}\n", result.difference);
  return ExitCode::violated;
}

}  // namespace

void add_replay(CLI::App& program, ExitCode& exit_code) {
  auto path = std::make_shared<std::string>();
  CLI::App* app = program.add_subcommand(
      "replay", "run a saved schedule in kernel arithmetic, without any solver");
  app->add_option(
         "SCHEDULE", *path,
         "a schedule in JSON (schemas/schedule.schema.json), as `worst --schedule` saves it")
      ->required();
  app->footer("Exit codes: 0 it does what it claims, 1 it does not, 2 bad input.");
  app->callback([path, &exit_code] { exit_code = run(*path); });
}

}  // namespace tickproof
