// tickproof profiles: which kernels, which rules?
#include "model/profiles.hpp"

#include <fmt/format.h>

#include "cli/commands.hpp"

namespace tickproof {
namespace {

void print_profiles() {
  fmt::print("Kernel profiles (--kernel NAME)\n\n");
  for (const Profile& profile : all_profiles()) {
    fmt::print("  {:<10} {}; {}\n", profile.name, profile.covers, profile.note);
  }
  const auto print_head = [](std::string_view first) {
    fmt::print("\n{:<18}", first);
    for (const Profile& profile : all_profiles()) fmt::print(" {:<20}", profile.name);
    fmt::print("\n");
  };
  print_head("rule");
  for (const RuleInfo& rule : all_rules()) {
    fmt::print("{:<18}", rule.name);
    for (const Profile& profile : all_profiles()) {
      fmt::print(" {:<20}", choice_of(rule, profile.rules));
    }
    fmt::print("\n");
  }
  print_head("feature");
  for (const FeatureInfo& feature : all_features()) {
    fmt::print("{:<23}", feature.name);
    for (const Profile& profile : all_profiles()) {
      fmt::print(" {:<20}", profile.features.*feature.field ? "on" : "off");
    }
    fmt::print("\n");
  }
  fmt::print("\nChoices of each rule (--rule NAME=CHOICE), and what brought them\n");
  for (const RuleInfo& rule : all_rules()) {
    fmt::print("\n{}: {} ({})\n", rule.name, rule.subject, rule.function);
    for (const Choice& choice : rule.choices) {
      fmt::print("  {:<22} {}\n", choice.name, choice.since);
    }
  }
}

}  // namespace

void add_profiles(CLI::App& program) {
  program.add_subcommand("profiles", "list the kernel profiles, their rules and features")
      ->callback(print_profiles);
}

}  // namespace tickproof
