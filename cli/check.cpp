// tickproof check: does each property hold?
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "cli/case_run.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "report/result_json.hpp"
#include "report/witness.hpp"

namespace tickproof {
namespace {

struct Check {
  std::vector<std::string> cases;
  std::vector<std::string> properties;
  Settings settings;
  Effort effort;
  bool json = false;
  bool origins = false;
  bool prove = false;

  ExitCode run();
};

ExitCode Check::run() {
  const std::atomic<bool>& stop = catch_interrupts();
  // All input is looked at before any work is done.
  std::vector<CaseReport> reports;
  for (const std::string& path : cases) {
    CaseReport& report = reports.emplace_back(open_case(path, settings));
    for (const std::string& name : properties) find_property(report.file, name);
    if (report.file.properties.empty()) {
      throw InputError(path, "property", "there is none to check; write a [[property]] table");
    }
  }
  ExitCode code = ExitCode::holds;
  for (CaseReport& report : reports) {
    if (!json) {
      std::cout << describe_configuration(report);
      if (origins) std::cout << describe_origins(report.resolved);
    }
    for (const CaseProperty& asked : report.file.properties) {
      const bool wanted = properties.empty() || std::find(properties.begin(), properties.end(),
                                                          asked.property.name) != properties.end();
      if (!wanted) continue;
      const Finding& finding = ask(report, asked, false, effort.limits(report.file, stop));
      code = worse(code, exit_code_of(finding));
      if (prove && finding.answer.status == Status::bounded) code = worse(code, ExitCode::unknown);
      if (json) continue;
      std::cout << '\n' << describe_finding(finding);
      if (finding.answer.status == Status::violated) {
        std::cout << '\n' << witness_text(report, finding);
      }
      std::cout.flush();
    }
    if (!json && &report != &reports.back()) std::cout << '\n';
  }
  if (json) std::cout << result_json(reports);
  return code;
}

}  // namespace

void add_check(CLI::App& program, ExitCode& exit_code) {
  auto check = std::make_shared<Check>();
  CLI::App* app = program.add_subcommand("check", "say for each property of a case if it holds");
  app->footer(kExitCodeHelp);
  app->add_option("CASE", check->cases, "case files")->required();
  app->add_option("--property", check->properties, "only the property of this name; repeatable")
      ->type_name("NAME")
      ->take_all()
      ->expected(1);
  app->add_flag("--json", check->json, "the result as JSON (schemas/result.schema.json)");
  app->add_flag("--origins", check->origins, "list every value with where it came from");
  app->add_flag("--prove", check->prove, "only a proof will do: exit 3 where a verdict is bounded");
  check->effort.add_to(*app);
  check->settings.add_to(*app);
  app->callback([check, &exit_code] { exit_code = check->run(); });
}

}  // namespace tickproof
