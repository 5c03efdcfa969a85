#include "report/schedule_json.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "report/replay.hpp"
#include "tests/report/documents.hpp"
#include "tests/report/json_schema.hpp"
#include "tests/scratch.hpp"

namespace tickproof {
namespace {

using Json = nlohmann::json;

JsonSchema schema() {
  return JsonSchema(Json::parse(bytes_of(std::filesystem::path(TICKPROOF_SOURCE_DIR) /
                                         "report/schemas/schedule.schema.json")));
}

Json json_of(const ScheduleDocument& document) { return Json::parse(to_json(document)); }

/// What load_schedule() says of a document that it should refuse.
std::string refusal_of(const std::string& text) {
  return refusal([&] { load_schedule(text, "x.json"); });
}
std::string refusal_of(const Json& json) { return refusal_of(json.dump()); }

bool is_read(const Json& json) {
  try {
    load_schedule(json.dump(), "x.json");
    return true;
  } catch (const InputError& e) {
    EXPECT_TRUE(std::string_view(e.what()).starts_with("x.json: ")) << e.what();
    return false;
  }
}

TEST(ScheduleJson, IsReadAsItWasWritten) {
  for (const ScheduleDocument& document : {two_hogs(), everything()}) {
    const std::string text = to_json(document);
    const ScheduleDocument read = load_schedule(text, "x.json");
    EXPECT_EQ(to_json(read), text);
    EXPECT_EQ(read.tool, "tickproof 0.1.0");
    EXPECT_EQ(read.schedule, document.schedule);
    EXPECT_EQ(read.events, document.events);
    EXPECT_EQ(read.claim.value, document.claim.value);
    EXPECT_EQ(read.system.fair.rules, document.system.fair.rules);
    EXPECT_EQ(read.system.fair.features, document.system.fair.features);
    EXPECT_EQ(read.system.fair.base_slice, document.system.fair.base_slice);
    EXPECT_EQ(read.system.fair.tick, document.system.tick);
    ASSERT_EQ(read.system.tasks.size(), document.system.tasks.size());
    for (std::size_t i = 0; i < read.system.tasks.size(); ++i) {
      EXPECT_EQ(read.system.tasks[i].name, document.system.tasks[i].name);
      EXPECT_EQ(read.system.tasks[i].spec, document.system.tasks[i].spec);
      EXPECT_EQ(read.system.tasks[i].kind, document.system.tasks[i].kind);
    }
    EXPECT_TRUE(replay(read).conforms);
  }
}

TEST(ScheduleJson, EventsMayBeLeftOut) {
  ScheduleDocument document = two_hogs();
  document.events.reset();
  const ScheduleDocument read = load_schedule(to_json(document), "x.json");
  EXPECT_EQ(read.events, std::nullopt);
  EXPECT_TRUE(replay(read).conforms);
}

TEST(ScheduleJson, AMoveIsALine) {
  EXPECT_NE(to_json(two_hogs())
                .find("\n    {\"time_ns\":3000000,\"kind\":\"tick\",\"cpu\":0,\"loss_ns\":0,"
                      "\"delay_ns\":2000},\n"),
            std::string::npos);
}

// --- the schema -------------------------------------------------------------

TEST(ScheduleJson, HasTheKeysOfItsSchema) {
  JsonSchema checker = schema();
  EXPECT_EQ(checker.error_in(json_of(two_hogs())), "");
  EXPECT_EQ(checker.error_in(json_of(everything())), "");
  EXPECT_EQ(checker.keys_not_seen(), std::set<std::string>());
}

// A rule more or less is another document: the schema has to follow model/rules.cpp.
TEST(ScheduleJson, TheSchemaKnowsTheRules) {
  const Json root = Json::parse(bytes_of(std::filesystem::path(TICKPROOF_SOURCE_DIR) /
                                         "report/schemas/schedule.schema.json"));
  const Json& system = root["/$defs/system/properties"_json_pointer];
  Json rules;
  for (const RuleInfo& rule : all_rules()) {
    Json& choices = rules[std::string(rule.name)]["enum"] = Json::array();
    for (const Choice& choice : rule.choices) choices.push_back(choice.name);
  }
  EXPECT_EQ(system["rules"]["properties"], rules);
  Json features;
  for (const FeatureInfo& feature : all_features()) {
    features[std::string(feature.name)]["type"] = "boolean";
  }
  EXPECT_EQ(system["features"]["properties"], features);
}

/// Where the values below the root are: of the tasks, and of the moves and events of a
/// kind, one each, as they are alike.
std::vector<Json::json_pointer> places_in(const Json& json) {
  std::map<std::string, Json::json_pointer> places;
  const std::regex number("/[0-9]+");
  const Json flat = json.flatten();
  for (const auto& [path, leaf] : flat.items()) {
    for (Json::json_pointer place(path); !place.empty(); place = place.parent_pointer()) {
      std::string kind;
      if (std::smatch item; std::regex_search(path, item, std::regex("^/(moves|events)/[0-9]+"))) {
        kind = json[Json::json_pointer(item.str())]["kind"];
      }
      places.emplace(kind + std::regex_replace(place.to_string(), number, "/#"), place);
    }
  }
  std::vector<Json::json_pointer> found;
  for (const auto& [name, place] : places) found.push_back(place);
  return found;
}

TEST(ScheduleJson, ReaderAndSchemaRefuseTheSame) {
  const Json good = json_of(everything());
  JsonSchema checker = schema();
  for (const Json::json_pointer& pointer : places_in(good)) {
    const auto both_refuse = [&](const Json& bad) {
      EXPECT_NE(checker.error_in(bad), "") << pointer;
      EXPECT_FALSE(is_read(bad)) << pointer;
    };
    const Json& value = good[pointer];

    Json bad = good;
    bad[pointer] = value.is_array() ? Json::object() : Json::array();
    both_refuse(bad);
    bad[pointer] = value.is_string() ? Json(1) : Json("?");
    both_refuse(bad);

    bad = good;
    Json& parent = bad[pointer.parent_pointer()];
    if (parent.is_object()) {
      parent.erase(pointer.back());
      const std::string place = pointer.to_string();
      const bool is_optional = place == "/events" || place.ends_with("/slices_ns") ||
                               (place.starts_with("/system/tasks") && place.ends_with("/renice"));
      if (is_optional) {
        EXPECT_TRUE(is_read(bad));
        EXPECT_EQ(checker.error_in(bad), "");
      } else {
        both_refuse(bad);
      }
    }
    if (value.is_object()) {
      bad = good;
      bad[pointer]["extra"] = 0;
      both_refuse(bad);
    }
    if (value.is_number()) {
      bad = good;
      bad[pointer] = -100;  // some numbers may be negative
      EXPECT_EQ(is_read(bad), checker.error_in(bad).empty()) << pointer;
    }
  }
  Json bad = good;
  bad["extra"] = 0;
  EXPECT_NE(checker.error_in(bad), "");
  EXPECT_FALSE(is_read(bad));
}

// --- what is refused, and how ---------------------------------------------------

struct Refusal {
  const char* pointer;
  Json value;
  const char* message;  ///< behind "x.json: "
};

TEST(ScheduleJson, SaysWhereAndWhatWouldBeRight) {
  const Refusal refusals[] = {
      {"/format", "itf", "format: expected \"tickproof-schedule\", found '\"itf\"'"},
      {"/version", 2, "version: expected 1, found '2'"},
      {"/moves/3/time_ns", -5,
       "moves[3].time_ns: expected a whole number from 1000000 to 1000000000000, found '-5'"},
      {"/moves/3/time_ns", 999'999,
       "moves[3].time_ns: expected a whole number from 1000000 to 1000000000000, found '999999'"},
      {"/moves/3/time_ns", 2e6,
       "moves[3].time_ns: expected a whole number from 1000000 to 1000000000000, found "
       "'2000000.0'"},
      {"/moves/3/delay_ns", 18'446'744'073'709'551'615U,
       "moves[3].delay_ns: expected a whole number from 0 to 1000000000000, found "
       "'18446744073709551615'"},
      {"/moves/1/task", 2, "moves[1].task: expected a whole number from 0 to 1, found '2'"},
      {"/moves/1/cpu", 1, "moves[1].cpu: expected 0, found '1'"},
      {"/moves/1/kind", "jump",
       "moves[1].kind: 'jump' is not one of tick, wake, block, yield, resched, hrtick, "
       "renice, set-slice"},
      {"/moves/1/loss_ns", 0, "moves[1]: no key 'loss_ns'; there are time_ns, kind, cpu, task"},
      {"/moves/3/los_ns", 0,
       "moves[3]: no key 'los_ns'; did you mean loss_ns? there are time_ns, kind, cpu, loss_ns, "
       "delay_ns"},
      {"/events/3/tasks/0/queued/eligible", 1,
       "events[3].tasks[0].queued.eligible: expected true or false, found '1'"},
      {"/events/3/after", 2, "events[3].after: expected a whole number from 0 to 1, found '2'"},
      {"/events/0/tasks", Json::array(), "events[0].tasks: expected one a task: 2, found 0"},
      {"/events", Json::array(), "events: expected one a move: 12, found 0"},
      {"/first_tick_ns", Json::array(), "first_tick_ns: expected one a CPU: 1, found 0"},
      {"/first_tick_ns/0", 0,
       "first_tick_ns[0]: expected a whole number from 1 to 1000000, found '0'"},
      {"/first_tick_ns/0", 1'000'001,
       "first_tick_ns[0]: expected a whole number from 1 to 1000000, found '1000001'"},
      {"/system/hz", 250, "system.tick_ns: expected 4000000, found '1000000'"},
      {"/system/rules/trigger", "never",
       "system.rules.trigger: rule trigger has no choice 'never'; it is one of expiry, "
       "expiry-or-ineligible, expiry-or-unprotected"},
      {"/system/preemption", "rt",
       "system.preemption: 'rt' is not one of none, voluntary, full, lazy"},
      {"/system/loss_ns/lo", 1,
       "system.loss_ns.hi: expected a whole number from 1 to "
       "1000000000000, found '0'"},
      {"/system/tasks/0/nice", 20,
       "system.tasks[0].nice: expected a whole number from -20 to 19, found '20'"},
      {"/system/tasks/0/workload/kind", "periodic",
       "system.tasks[0].workload.period_ns: expected a whole number from 1 to 1000000000000, "
       "found '0'"},
      {"/system/tasks/0/copy_of", "a b",
       "system.tasks[0].copy_of: 'a b' is no name; expected a letter, then letters, digits, '_' "
       "or '-'"},
      {"/system/tasks/0/name", "B", "system.tasks[0].name: expected 'A', found 'B'"},
      {"/system/tasks/1/copy_of", "A", "system.tasks[0].name: expected 'A.1', found 'A'"},
      {"/property/task", "X", "property.task: no task 'X'"},
      {"/property/kind", "lag",
       "property.kind: no property 'lag'; there are wakeup-latency, scheduling-delay, run-length, "
       "run-ticks"},
      {"/tool", "\x1b[2J",
       "tool: expected a string of printable characters, found "
       "'\"\\u001b[2J\"'"},
      {"/claim", Json(), "claim: expected an object, found 'null'"},
  };
  for (const Refusal& expected : refusals) {
    Json bad = json_of(two_hogs());
    bad[Json::json_pointer(expected.pointer)] = expected.value;
    EXPECT_EQ(refusal_of(bad), "x.json: " + std::string(expected.message));
  }
}

TEST(ScheduleJson, RefusesCopiesThatDiffer) {
  Json bad = json_of(everything());
  bad["system"]["tasks"][1]["nice"] = 5;
  EXPECT_EQ(refusal_of(bad),
            "x.json: system.tasks[1]: expected a copy of 'hog' to be like the one before it, and "
            "next to it");
  bad = json_of(everything());
  std::swap(bad["system"]["tasks"][1], bad["system"]["tasks"][2]);
  EXPECT_EQ(refusal_of(bad),
            "x.json: system.tasks[2]: expected a copy of 'hog' to be like the one before it, and "
            "next to it");
}

TEST(ScheduleJson, RefusesAKeyThatComesTwice) {
  std::string text = to_json(two_hogs());
  const std::string task = "\"task\":1}";
  text.replace(text.find(task), task.size(), "\"task\":1,\"task\":0}");
  EXPECT_EQ(refusal_of(text), "x.json: moves[1].task: named twice; expected one value");
}

TEST(ScheduleJson, RefusesWhatIsNoJson) {
  const std::string why = " this is not JSON; expected a document that tickproof wrote";
  EXPECT_EQ(refusal_of(std::string()), "x.json:1:1:" + why);
  EXPECT_EQ(refusal_of(std::string("{\n  \"format\": \x01\x02\xff\xfe")), "x.json:2:13:" + why);
  EXPECT_EQ(refusal_of(std::string("\x7f\x45LF\0\0", 6)), "x.json:1:1:" + why);
  EXPECT_EQ(refusal_of(std::string("[]")), "x.json: expected an object, found '[]'");
  EXPECT_EQ(refusal_of(std::string("{}")), "x.json: there is no key 'format'");
  const std::string text = to_json(two_hogs());
  EXPECT_EQ(refusal_of(text + "}"),
            fmt::format("x.json:{}:1:", 1 + std::count(text.begin(), text.end(), '\n')) + why);
  EXPECT_EQ(refusal_of(std::string(100'000, '[')), "x.json:1:100001:" + why);
}

// Nothing that a damaged disk does to a document crashes the reader or the replay.
TEST(ScheduleJson, SurvivesDamage) {
  const std::string good = to_json(everything());
  for (std::size_t i = 0; i < good.size(); i += 11) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
    for (const std::string& text : {bad, good.substr(0, i)}) {
      try {
        replay(load_schedule(text, "x.json"));
      } catch (const InputError&) {
      }
    }
  }
}

}  // namespace
}  // namespace tickproof
