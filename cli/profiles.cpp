// tickproof profiles: which kernels, which rules?
#include "model/profiles.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "report/wrap.hpp"

namespace tickproof {
namespace {

constexpr std::size_t kIndent = 28;

/// "6.8, 6.13 to 7.3": the profiles for which `has` holds.
template <class Has>
std::string kernels_with(const Has& has) {
  const std::span<const Profile> all = all_profiles();
  std::string names;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!has(all[i])) continue;
    std::size_t last = i;
    while (last + 1 < all.size() && has(all[last + 1])) ++last;
    names += (names.empty() ? "" : ", ") + std::string(all[i].name);
    if (last > i) names += (last == i + 1 ? ", " : " to ") + std::string(all[last].name);
    i = last;
  }
  return names.empty() ? "no kernel" : names;
}

void print_all() {
  fmt::print(
      "Kernel profiles (--kernel takes any version; `tickproof profiles VERSION` says more)\n\n");
  for (const Profile& profile : all_profiles()) {
    fmt::print("  {:<10} {}; {}\n", profile.name, profile.covers, profile.note);
  }
  fmt::print("\nFeatures (--feature NAME or NO_NAME) and the kernels that have them on\n\n");
  for (const FeatureInfo& feature : all_features()) {
    fmt::print("{}",
               wrapped(fmt::format("  {}", feature.name), kernels_with([&](const Profile& profile) {
                         return profile.features.*feature.field;
                       }),
                       kIndent));
  }
  fmt::print(
      "\nRules (--rule NAME=CHOICE): what brought each choice, and the kernels that have it\n");
  for (const RuleInfo& rule : all_rules()) {
    fmt::print("\n{}: {} ({})\n", rule.name, rule.subject, rule.function);
    for (const Choice& choice : rule.choices) {
      const std::string kernels = kernels_with(
          [&](const Profile& profile) { return choice_of(rule, profile.rules) == choice.name; });
      fmt::print("{}", wrapped(fmt::format("  {}", choice.name),
                               fmt::format("{}; since {}", kernels, choice.since), kIndent));
    }
  }
}

void print_one(const std::string& version) {
  const Profile& profile = find_profile(version);
  fmt::print("{} is modelled by the profile {}: {}; {}\n\n", version, profile.name, profile.covers,
             profile.note);
  for (const RuleInfo& rule : all_rules()) {
    fmt::print("  {:<18} {:<22} {}\n", rule.name, choice_of(rule, profile.rules),
               rule.choices[static_cast<std::size_t>(rule.get(profile.rules))].since);
  }
  fmt::print("\n");
  for (const FeatureInfo& feature : all_features()) {
    fmt::print("  {}{}\n", profile.features.*feature.field ? "" : "NO_", feature.name);
  }
}

}  // namespace

void add_profiles(CLI::App& program) {
  auto version = std::make_shared<std::string>();
  CLI::App* app =
      program.add_subcommand("profiles", "list the kernel profiles, their rules and features");
  app->add_option("VERSION", *version,
                  "show the profile of this kernel: 6.14.3, v7.2-rc8, or what `uname -r` prints");
  app->callback([version] {
    if (version->empty()) {
      print_all();
    } else {
      print_one(*version);
    }
  });
}

}  // namespace tickproof
