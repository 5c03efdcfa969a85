// tickproof cases: what comes along?
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/shipped_cases.hpp"
#include "properties/case_file.hpp"

namespace tickproof {
namespace {

void print_cases() {
  for (const std::filesystem::path& path : shipped_cases()) {
    const CaseFile file = load_case(path);
    fmt::print("{}\n  {}\n  {}\n", path.string(), file.title, file.source);
    for (const CaseProperty& asked : file.properties) {
      fmt::print("    {:<14} {} of {}\n", asked.property.name, info_of(asked.property.kind).name,
                 asked.property.task);
    }
  }
}

}  // namespace

void add_cases(CLI::App& program) {
  program.add_subcommand("cases", "list the cases that come along")->callback(print_cases);
}

}  // namespace tickproof
