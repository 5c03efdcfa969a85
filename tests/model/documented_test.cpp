// docs/model.md names every rule, choice, feature and profile that the program has, and what
// it says of them is what their tables say.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "model/profiles.hpp"

namespace tickproof {
namespace {

std::string model_document() {
  std::ifstream file(TICKPROOF_SOURCE_DIR "/docs/model.md");
  EXPECT_TRUE(file);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void expect_in(const std::string& document, const std::string& text) {
  EXPECT_NE(document.find(text), std::string::npos) << text;
}

std::string code(std::string_view name) { return "`" + std::string(name) + "`"; }

TEST(Documented, TheTableOfRules) {
  std::string table;
  for (const RuleInfo& rule : all_rules()) {
    for (const Choice& choice : rule.choices) {
      const bool first = &choice == &rule.choices.front();
      table += "| " + (first ? code(rule.name) + " " : "") + "| " + code(choice.name) + " | " +
               std::string(choice.since) + " |\n";
    }
  }
  expect_in(model_document(), table);
}

// ... and says what it means.
TEST(Documented, EveryRuleInWords) {
  const std::string document = model_document();
  const std::string words = document.substr(document.find("What they mean."));
  for (const RuleInfo& rule : all_rules()) {
    expect_in(words, code(rule.name));
    for (const Choice& choice : rule.choices) {
      if (rule.choices.size() > 2) expect_in(words, std::string(choice.name));
    }
  }
}

TEST(Documented, EveryFeature) {
  const std::string document = model_document();
  for (const FeatureInfo& feature : all_features()) {
    expect_in(document, "| " + code(feature.name) + " | ");
  }
}

TEST(Documented, EveryProfile) {
  const std::string document = model_document();
  for (const Profile& profile : all_profiles()) {
    expect_in(document, "| " + code(profile.name) + " | " + std::string(profile.covers) + " | ");
  }
}

}  // namespace
}  // namespace tickproof
