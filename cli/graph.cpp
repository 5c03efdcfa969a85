// tickproof graph: what does a machine look like?
#include <iostream>
#include <memory>

#include "cli/case_run.hpp"
#include "cli/commands.hpp"
#include "cli/shipped_cases.hpp"
#include "solver/machines.hpp"

namespace tickproof {
namespace {

struct Graph {
  std::string machine = "system";
  std::string path;
  Settings settings;

  void run() const;
};

void Graph::run() const {
  std::string file = path;
  if (file.empty()) {
    for (const std::filesystem::path& shipped : shipped_cases()) {
      if (shipped.filename() == "story.toml") file = shipped.string();
    }
    if (file.empty()) throw InputError("graph", "--case", "name a case file");
  }
  const CaseReport report = open_case(file, settings);
  if (report.file.properties.empty()) {
    throw InputError(file, "property", "there is none; the graph is that of a watched property");
  }
  const TransitionSystem system =
      extract(make_system(report.resolved.config), report.file.properties.front().property);
  try {
    write_machine(std::cout, system, machine);
  } catch (const BadValue& error) {
    throw InputError("graph", "MACHINE", error.what());
  }
}

}  // namespace

void add_graph(CLI::App& program) {
  auto graph = std::make_shared<Graph>();
  CLI::App* app = program.add_subcommand(
      "graph", "print the control graph of a machine as DOT, from what is given to the solver");
  app->add_option("MACHINE", graph->machine, "system, task:NAME, tick, resched or queue")
      ->capture_default_str();
  app->add_option("--case", graph->path, "the system (default: the shipped powerpc story)")
      ->type_name("FILE");
  graph->settings.add_to(*app);
  app->callback([graph] { graph->run(); });
}

}  // namespace tickproof
