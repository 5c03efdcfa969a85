// What a user sees: output and exit codes.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/run_program.hpp"

namespace tickproof {
namespace {

using ::testing::Test;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t width = 0;
  for (std::string line; std::getline(lines, line);) width = std::max(width, line.size());
  return width;
}

std::string first_line_with(const std::string& text, const std::string& part) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (contains(line, part)) return line;
  }
  return {};
}

// Two hogs at HZ=1000 with 2.8ms under the rules of 6.8: of the golden trace of two
// hogs (A@0 B@3 A@9) the one that waits from 3 to 9 ms waits 6 ms.
const std::string kTwoHogs = R"(
title = "two hogs"
kernel = "6.8"
hz = 1000
base_slice = "2.8ms"
[[task]]
name = "hog"
workload = "hog"
count = 2
[[property]]
name = "keeps"
kind = "scheduling-delay"
task = "hog"
at_most = "6ms"
[[property]]
name = "breaks"
kind = "scheduling-delay"
task = "hog"
at_most = "5.9ms"
[search]
depth = 6
)";

class Cli : public Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = directory_ / name;
    std::ofstream(path) << text;
    return path.string();
  }
  void SetUp() override {
    directory_ =
        std::filesystem::temp_directory_path() / ("tickproof-cli-" + std::to_string(getpid()));
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::filesystem::path directory_;
};

TEST_F(Cli, CheckSaysWhatHoldsAndExitsWithTheWorst) {
  const std::string file = write("hogs.toml", kTwoHogs);
  const ProgramRun both = run_program("check " + file);
  EXPECT_EQ(both.exit_code, 1) << both.output;
  EXPECT_TRUE(contains(both.output, "\nkeeps: bounded\n")) << both.output;
  EXPECT_TRUE(contains(both.output, "\nbreaks: violated\n")) << both.output;
  EXPECT_TRUE(contains(both.output, "6ms, replayed in kernel arithmetic")) << both.output;
  EXPECT_LE(widest_line(both.output), 72U);

  EXPECT_EQ(run_program("check " + file + " --property keeps").exit_code, 0);
  EXPECT_EQ(run_program("check " + file + " --property keeps --prove").exit_code, 3);
}

TEST_F(Cli, AVerdictNamesWhatItIsAbout) {
  const ProgramRun run = run_program("check " + write("hogs.toml", kTwoHogs) +
                                     " --property keeps --rule yield=forfeit --tick-loss 0..1us");
  for (const std::string part :
       {"6.8", "rule yield=forfeit", "HZ=1000", "loses 0..1us", "base slice  2.8ms",
        "hog x2: nice 0", "up to 6 events", "bounded search", "Z3 4."}) {
    EXPECT_TRUE(contains(run.output, part)) << part << "\n" << run.output;
  }
}

TEST_F(Cli, AWitnessReplaysAndAnAlteredOneDoesNot) {
  const std::string file = write("hogs.toml", kTwoHogs);
  const std::string saved = (directory_ / "schedule.json").string();
  const ProgramRun worst = run_program("worst " + file + " --property keeps --schedule " + saved);
  EXPECT_EQ(worst.exit_code, 0) << worst.output;
  EXPECT_EQ(first_line_with(worst.output, "  largest     "),
            "  largest     6ms (witness and bound meet)");
  const ProgramRun replay = run_program("replay " + saved);
  EXPECT_EQ(replay.exit_code, 0) << replay.output;
  EXPECT_TRUE(contains(replay.output, "conforms: ")) << replay.output;

  std::stringstream text;
  text << std::ifstream(saved).rdbuf();
  nlohmann::json document = nlohmann::json::parse(text.str());
  document["claim"]["value"] = document["claim"]["value"].get<long>() + 1;
  const ProgramRun altered = run_program("replay " + write("altered.json", document.dump()));
  EXPECT_EQ(altered.exit_code, 1) << altered.output;
  EXPECT_TRUE(contains(altered.output, "claim.value")) << altered.output;
}

TEST_F(Cli, JsonHasTheVerdicts) {
  const ProgramRun run = run_program("check " + write("hogs.toml", kTwoHogs) + " --json");
  const nlohmann::json result = nlohmann::json::parse(run.output);
  const nlohmann::json& findings = result["cases"][0]["findings"];
  EXPECT_EQ(findings[0]["status"], "bounded");
  EXPECT_EQ(findings[0]["bound"], 6'000'000);
  EXPECT_EQ(findings[1]["status"], "violated");
  EXPECT_EQ(findings[1]["schedule"]["format"], "tickproof-schedule");
}

TEST_F(Cli, SweepIsAGridInEveryFormat) {
  const std::string sweep =
      "sweep " + write("hogs.toml", kTwoHogs) + " --property keeps --hz 100,1000 --ratio-to hz=100";
  // HZ=100: 20 ms for two hogs, the known worst wait under these rules; 6/20 = 0.30.
  const ProgramRun text = run_program(sweep);
  EXPECT_TRUE(contains(text.output, " 100   20ms B 1.00\n")) << text.output;
  EXPECT_TRUE(contains(text.output, "1000    6ms B 0.30\n")) << text.output;
  EXPECT_LE(widest_line(text.output), 72U);
  const ProgramRun csv = run_program(sweep + " --format csv");
  EXPECT_EQ(csv.output,
            "hz,keeps,keeps verdict,keeps ratio\n"
            "100,20ms,bounded,1.00\n"
            "1000,6ms,bounded,0.30\n");
  EXPECT_TRUE(contains(run_program(sweep + " --format markdown").output,
                       "| 1000 | 6ms | bounded | 0.30 |"));
  const nlohmann::json json = nlohmann::json::parse(run_program(sweep + " --format json").output);
  EXPECT_EQ(json["points"].size(), 2U);
}

TEST_F(Cli, KernelFilesSetValuesAndTheLastOneWins) {
  const std::string config =
      TICKPROOF_SOURCE_DIR "/tests/data/configs/linux-6.12-powerpc-ppc64_defconfig";
  // That file has CONFIG_HZ_100=y.
  const std::string check = "check " + story() + " --depth 1 --property latency --origins ";
  EXPECT_TRUE(
      contains(run_program(check + "--hz 1000 --kconfig " + config).output, "HZ=100 (every 10ms)"));
  const ProgramRun last = run_program(check + "--kconfig " + config + " --hz 1000");
  EXPECT_TRUE(contains(last.output, "HZ=1000 (every 1ms)")) << last.output;
  EXPECT_TRUE(contains(first_line_with(last.output, "  hz  "), "command line (--hz)"));
}

TEST_F(Cli, BadInputIsRefusedWithPlaceAndKey) {
  const struct {
    std::string arguments;
    std::string message;
  } refused[] = {
      {"check " + story() + " --hz 0", "--hz: hz: '0' is not a whole number from 12"},
      {"check " + story() + " --base-slice 3", "--base-slice: base_slice: '3' is not a time"},
      {"check " + story() + " --task hog.nice=40", "task.hog.nice: '40'"},
      {"check " + story() + " --task hog.count=5000", "task.hog.count: '5000'"},
      {"check " + story() + " --kconfig /", "is a directory"},
      {"check " + story() + " --property nope", "no property 'nope'"},
      {"check " + write("empty.toml", ""), "empty.toml: is empty"},
      {"check " + write("key.toml", "title = 'x'\nhzz = 100\n"), "key.toml:2: no key 'hzz'"},
      {"check /nonexistent.toml", "/nonexistent.toml: cannot be opened"},
      {"replay " + write("bad.json", "{\"format\": 1}"), "bad.json"},
      {"graph nothing", "no machine 'nothing'"},
      {"check", "CASE is required"},
      {"check x.toml --bogus", "--bogus"},
  };
  for (const auto& [arguments, message] : refused) {
    const ProgramRun run = run_program(arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments << "\n" << run.output;
    EXPECT_TRUE(contains(run.output, message)) << arguments << "\n" << run.output;
  }
}

TEST_F(Cli, GraphIsThatOfTheSystem) {
  const ProgramRun run = run_program("graph task:waker");
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_TRUE(contains(run.output, "digraph G")) << run.output;
  for (const std::string state : {"unborn", "queued", "asleep", "delayed"}) {
    EXPECT_TRUE(contains(run.output, "[label=" + state + "]")) << run.output;
  }
  // Nobody runs without having been queued or woken up.
  EXPECT_FALSE(contains(run.output, "[label=yield]"));
}

TEST_F(Cli, ListsProfilesAndCases) {
  const ProgramRun profiles = run_program("profiles");
  for (const std::string part : {"6.8 ", "6.12.117", "forfeit", "PREEMPT_SHORT", "85e511df3cec"}) {
    EXPECT_TRUE(contains(profiles.output, part)) << part;
  }
  EXPECT_TRUE(contains(run_program("cases").output, "powerpc-hz/story.toml"));
}

TEST_F(Cli, AWriteErrorIsNotASuccess) {
  EXPECT_EQ(run_program("profiles > /dev/full").exit_code, 4);
}

}  // namespace
}  // namespace tickproof
