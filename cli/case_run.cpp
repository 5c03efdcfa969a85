#include "cli/case_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/progress.hpp"
#include "model/words.hpp"

namespace tickproof {

void Effort::add_to(CLI::App& app) {
  const char* group = "How hard to try";
  app.add_option("--depth", depth,
                 fmt::format("events to search (default: the case's, or {})", kDefaultDepth))
      ->type_name("N")
      ->check(CLI::Range(1, kMostDepth))
      ->group(group);
  app.add_option("--timeout", seconds, "seconds for each property, 0 for no limit")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group(group);
}

SearchLimits Effort::limits(const CaseFile& file, const std::atomic<bool>& stop) const {
  SearchLimits limits;
  limits.depth = static_cast<std::size_t>(depth > 0 ? depth : file.depth.value_or(kDefaultDepth));
  limits.seconds = seconds;
  limits.stop = &stop;
  return limits;
}

CaseReport open_case(const std::string& path, const Settings& settings) {
  CaseReport report;
  report.file = load_case(path);
  report.resolved = resolve(settings.on_top_of(report.file.assignments));
  report.resolved.notes.insert(report.resolved.notes.end(), settings.notes().begin(),
                               settings.notes().end());
  return report;
}

const Finding& ask(CaseReport& report, const CaseProperty& asked, bool wants_value,
                   const SearchLimits& limits) {
  ProgressLine line;
  Question question{
      make_system(report.resolved.config), asked.property, wants_value, limits,
      [&](std::size_t depth, const std::optional<Witness>& witness) {
        line.show(fmt::format(
            "{}: {} events{}", asked.property.name, depth,
            witness ? ", at worst so far " + format_value(asked.property.kind, witness->value)
                    : ""));
      }};
  report.findings.push_back({asked, answer(question)});
  return report.findings.back();
}

const CaseProperty& find_property(const CaseFile& file, const std::string& name) {
  std::vector<std::string> names;
  for (const CaseProperty& asked : file.properties) {
    if (asked.property.name == name) return asked;
    names.push_back(asked.property.name);
  }
  throw InputError(file.path.string(), "--property", no_such("property", name, names));
}

ExitCode exit_code_of(const Finding& finding) {
  switch (finding.answer.status) {
    case Status::proved:
    case Status::bounded: return ExitCode::holds;
    case Status::violated: return ExitCode::violated;
    case Status::unknown: return ExitCode::unknown;
  }
  return ExitCode::internal;
}

ExitCode worse(ExitCode a, ExitCode b) {
  // A violation is a fact, and outweighs what is not known.
  const auto rank = [](ExitCode code) {
    return code == ExitCode::violated ? 2 : code == ExitCode::unknown ? 1 : 0;
  };
  return rank(a) >= rank(b) ? a : b;
}

}  // namespace tickproof
