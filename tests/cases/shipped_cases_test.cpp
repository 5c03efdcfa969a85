// The shipped cases keep their word: every verdict and every worst value that a file
// under cases/ expects is what the engines find, within the depth that it names.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/parameters.hpp"
#include "model/system.hpp"
#include "properties/case_file.hpp"
#include "report/summary.hpp"
#include "solver/engine.hpp"

namespace tickproof {
namespace {

using Path = std::filesystem::path;

/// As in the command line, for files that name no depth.
constexpr int kDepth = 6;
/// For one property; a search that takes longer is too slow to be shipped.
constexpr double kSeconds = 60;

Path cases_directory() { return Path(TICKPROOF_SOURCE_DIR) / "cases"; }

std::vector<Path> shipped_files() {
  std::vector<Path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cases_directory())) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// "powerpc_hz__s0_1_slice_ineffective".
std::string test_name(const testing::TestParamInfo<Path>& file) {
  const Path path = file.param.lexically_relative(cases_directory()).replace_extension();
  std::string name;
  for (const Path& part : path) {
    if (!name.empty()) name += "__";
    for (const char c : part.string())
      name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  return name;
}

class ShippedCase : public testing::TestWithParam<Path> {
 protected:
  const CaseFile file_ = load_case(GetParam());
};

TEST_P(ShippedCase, SaysWhereItComesFromAndWhy) {
  EXPECT_FALSE(file_.title.empty());
  EXPECT_TRUE(file_.source.starts_with("https://")) << file_.source;
  EXPECT_FALSE(file_.about.empty());
  EXPECT_FALSE(file_.properties.empty());
  for (const CaseProperty& asked : file_.properties) {
    const bool expects = asked.expect || asked.worst;
    EXPECT_TRUE(!expects || !asked.because.empty()) << asked.where;
  }
}

TEST_P(ShippedCase, IsAsExpected) {
  const Resolved resolved = resolve(file_.assignments);
  const SystemSpec spec = make_system(resolved.config);
  for (const CaseProperty& asked : file_.properties) {
    if (!asked.expect && !asked.worst) continue;
    Question question{spec, asked.property, false, {}, nullptr};
    question.limits.depth = static_cast<std::size_t>(file_.depth.value_or(kDepth));
    question.limits.seconds = kSeconds;
    const Finding finding{asked, answer(question)};
    EXPECT_TRUE(as_expected(finding)) << describe_finding(finding);
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShippedCase, testing::ValuesIn(shipped_files()), test_name);

TEST(ShippedCases, CoverEveryClaim) {
  constexpr std::array<std::string_view, 11> kClaims{"s0-1", "s0-2", "s0-3", "s0-4", "s0-5", "s0-6",
                                                     "s0-7", "h1",   "h2",   "z1",   "z2"};
  const std::vector<Path> files = shipped_files();
  for (const std::string_view claim : kClaims) {
    EXPECT_TRUE(std::any_of(files.begin(), files.end(),
                            [&](const Path& file) {
                              return file.filename().string().starts_with(std::string(claim) + "-");
                            }))
        << "no case file of the claim " << claim;
  }
}

}  // namespace
}  // namespace tickproof
