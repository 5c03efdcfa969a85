#include "report/result_json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/replay.hpp"
#include "report/schedule_json.hpp"
#include "tests/report/json_schema.hpp"
#include "tests/scratch.hpp"

namespace tickproof {
namespace {

using Json = nlohmann::json;

Json shipped_schema(const char* name) {
  return Json::parse(
      bytes_of(std::filesystem::path(TICKPROOF_SOURCE_DIR) / "report/schemas" / name));
}

/// The schema of results without two things that the checker does not know: another
/// file, and numbers that are not whole. The tests look at both themselves.
JsonSchema schema() {
  Json root = shipped_schema("result.schema.json");
  Json& finding = root["$defs"]["finding"]["properties"];
  EXPECT_EQ(finding["schedule"]["else"], (Json{{"$ref", "schedule.schema.json"}}));
  finding["schedule"].erase("else");
  EXPECT_EQ(finding["seconds"]["type"], "number");
  finding["seconds"].erase("type");
  return JsonSchema(root);
}

CaseReport make_report(std::initializer_list<std::pair<const char*, const char*>> settings) {
  std::vector<Assignment> assignments;
  for (const auto& [key, value] : settings) {
    assignments.push_back({key, value, {Origin::Kind::case_file, "x.toml:1"}});
  }
  CaseReport report;
  report.file.path = "x.toml";
  report.file.title = "a hog and a waker";
  report.resolved = resolve(assignments);
  return report;
}

CaseReport hog_and_waker() {
  return make_report({{"hz", "100"},
                      {"base_slice", "2.8ms"},
                      {"task.hog.workload", "hog"},
                      {"task.waker.workload", "sporadic"},
                      {"task.waker.sleep", "1ms"},
                      {"task.waker.burst", "200us"}});
}

CaseProperty latency() {
  CaseProperty asked;
  asked.property.name = "latency";
  asked.property.kind = PropertyKind::wakeup_latency;
  asked.property.task = "waker";
  return asked;
}

/// A case about which something is said in every field, but for a witness.
CaseReport by_hand() {
  CaseReport report = hog_and_waker();
  report.file.source = "https://example.org/";
  report.resolved.notes = {"a note"};
  Finding bounded{latency(), {}};
  bounded.asked.property.at_most = 12 * kMsec;
  bounded.asked.property.at_least = 0;
  bounded.answer.status = Status::bounded;
  bounded.answer.engine = "bounded search";
  bounded.answer.reason = "time limit";
  bounded.answer.depth = 4;
  bounded.answer.bound = 40'000'001;
  bounded.answer.covered = 999'999;
  bounded.answer.controls = 34;
  bounded.answer.transitions = 269;
  bounded.answer.seconds = 1.5;
  Finding unknown{latency(), {}};
  unknown.asked.property.kind = PropertyKind::run_ticks;
  unknown.answer.aim = Aim::smallest_ended;
  report.findings = {bounded, unknown};
  return report;
}

/// A witness that a search found.
CaseReport searched() {
  CaseReport report = hog_and_waker();
  Question question{make_system(report.resolved.config), latency().property, true, {}, nullptr};
  question.limits.depth = 3;
  report.findings.push_back({latency(), answer(question)});
  return report;
}

Json json_of(const std::vector<CaseReport>& reports) { return Json::parse(result_json(reports)); }

TEST(ResultJson, ConformsToItsSchema) {
  JsonSchema checker = schema();
  EXPECT_EQ(checker.error_in(json_of({})), "");
  EXPECT_EQ(checker.error_in(json_of({by_hand()})), "");
  EXPECT_EQ(checker.error_in(json_of({by_hand(), searched()})), "");
  EXPECT_EQ(checker.keys_not_seen(), std::set<std::string>());
}

TEST(ResultJson, SaysWhatWasFound) {
  const Json result = json_of({by_hand()});
  const Json& bounded = result["cases"][0]["findings"][0];
  EXPECT_EQ(bounded["status"], "bounded");
  EXPECT_EQ(bounded["unit"], "ns");
  EXPECT_EQ(bounded["at_most"], 12'000'000);
  EXPECT_EQ(bounded["bound"], 40'000'001);
  EXPECT_EQ(bounded["exact"], false);
  EXPECT_EQ(bounded["depth"], 4);
  EXPECT_EQ(bounded["covered_ns"], 999'999);
  EXPECT_EQ(bounded["seconds"], 1.5);
  EXPECT_EQ(bounded["schedule"], nullptr);
  const Json& unknown = result["cases"][0]["findings"][1];
  EXPECT_EQ(unknown["status"], "unknown");
  EXPECT_EQ(unknown["unit"], "ticks");
  EXPECT_EQ(unknown["looked_for"], "smallest");
  EXPECT_EQ(unknown["at_most"], nullptr);
  EXPECT_EQ(unknown["bound"], nullptr);
}

TEST(ResultJson, SaysWhereEachValueCameFrom) {
  const Json result = json_of({by_hand()});
  const Json& configuration = result["cases"][0]["configuration"];
  const auto has = [&](const Json& setting) {
    return std::find(configuration.begin(), configuration.end(), setting) != configuration.end();
  };
  EXPECT_TRUE(has({{"key", "hz"}, {"value", "100"}, {"from", "case"}, {"where", "x.toml:1"}}));
  EXPECT_TRUE(has({{"key", "cpus"}, {"value", "1"}, {"from", "profile default"}, {"where", ""}}));
}

TEST(ResultJson, AWitnessIsAScheduleThatReplays) {
  const Json result = json_of({searched()});
  const Json& finding = result["cases"][0]["findings"][0];
  const Json& schedule = finding["schedule"];
  ASSERT_TRUE(schedule.is_object());
  EXPECT_EQ(JsonSchema(shipped_schema("schedule.schema.json")).error_in(schedule), "");
  EXPECT_EQ(schedule["claim"]["value"], finding["witness_value"]);
  EXPECT_TRUE(finding["seconds"].is_number());
  const ReplayResult replayed = replay(load_schedule(schedule.dump(), "x.json"));
  EXPECT_TRUE(replayed.conforms) << replayed.difference;
}

// A title may hold anything that a file can.
TEST(ResultJson, IsJsonWhateverTheTitle) {
  CaseReport report = by_hand();
  report.file.title = "\"\xff\n\x01";
  EXPECT_EQ(schema().error_in(json_of({report})), "");
}

// --- the schema -------------------------------------------------------------

TEST(ResultJson, TheSchemaKnowsEveryKindOfProperty) {
  Json kinds = Json::array();
  for (const PropertyInfo& info : all_property_kinds()) kinds.push_back(info.name);
  EXPECT_EQ(shipped_schema("result.schema.json")["$defs"]["finding"]["properties"]["kind"]["enum"],
            kinds);
}

TEST(ResultJson, TheSchemaRefusesWhatTickproofNeverWrites) {
  const Json good = json_of({by_hand()});
  JsonSchema checker = schema();
  const Json::json_pointer finding("/cases/0/findings/0");
  for (const auto& [key, value] : good[finding].items()) {
    Json bad = good;
    bad[finding].erase(key);
    EXPECT_NE(checker.error_in(bad), "") << key;
  }
  const auto refuses = [&](const char* key, const Json& value) {
    Json bad = good;
    bad[finding][key] = value;
    EXPECT_NE(checker.error_in(bad), "") << key << " " << value;
  };
  refuses("extra", 0);
  refuses("status", "holds");
  refuses("status", "violated");  // nothing shows it
  refuses("witness_value", 5);    // no schedule shows it
  refuses("schedule", Json::object());
  refuses("unit", "ticks");
  refuses("bound", 1.5);
  refuses("bound", "1");
  refuses("depth", -1);
}

}  // namespace
}  // namespace tickproof
