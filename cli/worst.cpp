// tickproof worst: how bad can it get?
#include <iostream>
#include <memory>

#include "cli/case_run.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "report/result_json.hpp"
#include "report/witness.hpp"

namespace tickproof {
namespace {

struct Worst {
  std::string path;
  std::string property;
  Settings settings;
  Effort effort;
  bool json = false;
  std::string schedule;

  ExitCode run();
};

ExitCode Worst::run() {
  const std::atomic<bool>& stop = catch_interrupts();
  CaseReport report = open_case(path, settings);
  const CaseProperty& asked = find_property(report.file, property);
  if (!json) std::cout << describe_configuration(report) << '\n' << std::flush;
  const Finding& finding = ask(report, asked, true, effort.limits(report.file, stop));
  if (json) {
    std::cout << result_json({report});
  } else {
    std::cout << describe_finding(finding);
    if (finding.answer.witness) std::cout << '\n' << witness_text(report, finding);
  }
  if (!schedule.empty()) {
    if (finding.answer.witness) {
      write_file(schedule, to_json(witness_document(report, finding)));
    } else {
      std::cerr << "tickproof: there is no schedule to write\n";
    }
  }
  return exit_code_of(finding);
}

}  // namespace

void add_worst(CLI::App& program, ExitCode& exit_code) {
  auto worst = std::make_shared<Worst>();
  CLI::App* app = program.add_subcommand(
      "worst", "find the worst value of a property, and the schedule that shows it");
  app->footer(kExitCodeHelp);
  app->add_option("CASE", worst->path, "case file")->required();
  app->add_option("--property", worst->property, "name of a property of the case")
      ->type_name("NAME")
      ->required();
  app->add_flag("--json", worst->json, "the result as JSON (schemas/result.schema.json)");
  app->add_option("--schedule", worst->schedule,
                  "write the witness to FILE, for `tickproof replay`")
      ->type_name("FILE");
  worst->effort.add_to(*app);
  worst->settings.add_to(*app);
  app->callback([worst, &exit_code] { exit_code = worst->run(); });
}

}  // namespace tickproof
