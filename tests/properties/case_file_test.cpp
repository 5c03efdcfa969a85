#include "properties/case_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "model/parameters.hpp"
#include "tests/scratch.hpp"

namespace tickproof {
namespace {

using Lines = std::vector<std::string>;

class CaseFiles : public testing::Test {
 protected:
  CaseFile load(const std::string& text) const { return load_case(scratch_.write("x.toml", text)); }
  /// What is said of a file with this text, without the directory: "x.toml:3: hz: ...".
  std::string refused(const std::string& text) const {
    const std::string message = refusal([&] { load(text); });
    const std::string directory = scratch_.path().string() + "/";
    EXPECT_TRUE(message.starts_with(directory)) << message;
    return message.substr(std::min(message.size(), directory.size()));
  }
  /// Every assignment as "key = value @ x.toml:LINE".
  Lines assignments(const std::string& text) const {
    Lines lines;
    for (const Assignment& assignment : load(text).assignments) {
      EXPECT_EQ(assignment.origin.kind, Origin::Kind::case_file);
      lines.push_back(assignment.key + " = " + assignment.value + " @ " +
                      std::filesystem::path(assignment.origin.where).filename().string());
    }
    return lines;
  }
  const std::filesystem::path& directory() const { return scratch_.path(); }

 private:
  Scratch scratch_;
};

const std::string kHog =
    "[[task]]\n"
    "name = 'hog'\n"
    "workload = 'hog'\n";

/// A property of the hog whose lines start with line 5.
std::string with_property(const std::string& lines) { return kHog + "[[property]]\n" + lines; }

TEST_F(CaseFiles, EverythingThatCanBeSaid) {
  const std::string text = R"(title = "a title"
source = "https://example.org/"
about = """
longer
text"""
kernel = "6.12"
hz = 100
cpus = 8
scaling = "log"
base_slice = "3ms"
preempt = "full"
stretch = "50us"

[tick]
mode = "periodic"
irq_time = true
loss = "0..3.6us"
switch_delay = "0"

[features]
RUN_TO_PARITY = false
HRTICK = true

[rules]
yield = "forfeit"

[search]
depth = 10

[[task]]
name = "a"
workload = "periodic"
count = 2
nice = -5
policy = "batch"
slice = "1ms"
burst = "1ms"
period = "4ms"
jitter = "0"
arrives = "fork"
start = "any"

[[task]]
name = "b"
workload = "sporadic"
sleep = "1ms"
burst = "1ms"

[[property]]
name = "latency"
kind = "wakeup-latency"
task = "b"
at_most = "10ms"
expect = "holds"
worst = "9ms"
because = "of the tick"

[[property]]
name = "ticks"
kind = "run-ticks"
task = "a"
at_most = 3
worst = "1 tick"
)";
  const CaseFile loaded = load(text);
  EXPECT_EQ(loaded.path, directory() / "x.toml");
  EXPECT_EQ(loaded.title, "a title");
  EXPECT_EQ(loaded.source, "https://example.org/");
  EXPECT_EQ(loaded.about, "longer\ntext");
  EXPECT_EQ(loaded.depth, 10);

  EXPECT_EQ(assignments(text), (Lines{"kernel = 6.12 @ x.toml:6",
                                      "hz = 100 @ x.toml:7",
                                      "cpus = 8 @ x.toml:8",
                                      "scaling = log @ x.toml:9",
                                      "base_slice = 3ms @ x.toml:10",
                                      "preempt = full @ x.toml:11",
                                      "stretch = 50us @ x.toml:12",
                                      "tick.mode = periodic @ x.toml:15",
                                      "tick.irq_time = on @ x.toml:16",
                                      "tick.loss = 0..3.6us @ x.toml:17",
                                      "tick.switch_delay = 0 @ x.toml:18",
                                      "feature.RUN_TO_PARITY = off @ x.toml:21",
                                      "feature.HRTICK = on @ x.toml:22",
                                      "rule.yield = forfeit @ x.toml:25",
                                      "task.a.workload = periodic @ x.toml:32",
                                      "task.a.count = 2 @ x.toml:33",
                                      "task.a.nice = -5 @ x.toml:34",
                                      "task.a.policy = batch @ x.toml:35",
                                      "task.a.slice = 1ms @ x.toml:36",
                                      "task.a.arrives = fork @ x.toml:40",
                                      "task.a.start = any @ x.toml:41",
                                      "task.a.burst = 1ms @ x.toml:37",
                                      "task.a.period = 4ms @ x.toml:38",
                                      "task.a.jitter = 0 @ x.toml:39",
                                      "task.b.workload = sporadic @ x.toml:45",
                                      "task.b.sleep = 1ms @ x.toml:46",
                                      "task.b.burst = 1ms @ x.toml:47"}));
  EXPECT_EQ(resolve(loaded.assignments).config.tasks.size(), 2U);

  ASSERT_EQ(loaded.properties.size(), 2U);
  const CaseProperty& latency = loaded.properties[0];
  EXPECT_EQ(latency.property.name, "latency");
  EXPECT_EQ(latency.property.kind, PropertyKind::wakeup_latency);
  EXPECT_EQ(latency.property.task, "b");
  EXPECT_EQ(latency.property.at_most, 10 * kMsec);
  EXPECT_EQ(latency.property.at_least, std::nullopt);
  EXPECT_EQ(latency.expect, Expected::holds);
  EXPECT_EQ(latency.worst, 9 * kMsec);
  EXPECT_EQ(latency.because, "of the tick");
  EXPECT_EQ(latency.where, loaded.path.string() + ":49");
  const CaseProperty& ticks = loaded.properties[1];
  EXPECT_EQ(ticks.property.kind, PropertyKind::run_ticks);
  EXPECT_EQ(ticks.property.at_most, 3);
  EXPECT_EQ(ticks.property.at_least, std::nullopt);
  EXPECT_EQ(ticks.expect, std::nullopt);
  EXPECT_EQ(ticks.worst, 1);
  EXPECT_EQ(ticks.where, loaded.path.string() + ":58");
}

TEST_F(CaseFiles, LittleIsEnough) {
  const CaseFile loaded = load(kHog);
  EXPECT_EQ(assignments(kHog), (Lines{"task.hog.workload = hog @ x.toml:3"}));
  EXPECT_TRUE(loaded.title.empty());
  EXPECT_TRUE(loaded.properties.empty());
  EXPECT_EQ(loaded.depth, std::nullopt);
}

TEST_F(CaseFiles, OtherWaysToWriteToml) {
  EXPECT_EQ(assignments("tick.mode = 'periodic'\r\n"
                        "features = {HRTICK = true}\r\n"
                        "task = [{name = 'a', workload = 'hog'},\r\n"
                        "        {name = 'b', workload = 'hog'}]\r\n"),
            (Lines{"tick.mode = periodic @ x.toml:1", "feature.HRTICK = on @ x.toml:2",
                   "task.a.workload = hog @ x.toml:3", "task.b.workload = hog @ x.toml:4"}));
}

// What the values mean is for resolve() to say, with the line that they came from.
TEST_F(CaseFiles, ValuesAreRefusedWithTheirLine) {
  for (const auto& [line, why] : std::vector<std::pair<std::string, std::string>>{
           {"hz = 0",
            "hz: '0' is not a whole number from 12 to 12287, as a rule 100, 250, 300 or "
            "1000"},
           {"hz = -100",
            "hz: '-100' is not a whole number from 12 to 12287, as a rule 100, 250, "
            "300 or 1000"},
           {"base_slice = '3'",
            "base_slice: '3' is not a time; write a number and a unit: 3ms, "
            "2.8ms, 700us, 0"},
           {"[features]\nNEXT_BUDDIES = true",
            "feature.NEXT_BUDDIES: no feature 'NEXT_BUDDIES'; did you mean NEXT_BUDDY? there are "
            "PLACE_LAG, "
            "PLACE_DEADLINE_INITIAL, PLACE_REL_DEADLINE, RUN_TO_PARITY, PREEMPT_SHORT, "
            "NEXT_BUDDY, PICK_BUDDY, DELAY_DEQUEUE, DELAY_ZERO, WAKEUP_PREEMPTION, HRTICK"}}) {
    const CaseFile loaded = load("# a comment\n" + line + "\n" + kHog);
    const int number = line.starts_with('[') ? 3 : 2;
    EXPECT_EQ(refusal([&] { resolve(loaded.assignments); }),
              loaded.path.string() + ":" + std::to_string(number) + ": " + why);
  }
}

TEST_F(CaseFiles, UnknownKeys) {
  EXPECT_EQ(
      refused("title = 't'\nhzz = 100\n"),
      "x.toml:2: no key 'hzz'; did you mean hz? there are title, source, about, tick, "
      "features, rules, task, property, search, sweep, kernel, hz, cpus, scaling, base_slice, "
      "preempt, stretch");
  EXPECT_EQ(refused("[ticks]\nmode = 'periodic'\n").substr(0, 48),
            "x.toml:1: no key 'ticks'; did you mean tick? the");
  EXPECT_EQ(refused("[tick]\nmod = 'periodic'\n"),
            "x.toml:2: tick: no key 'mod'; did you mean mode? there are mode, irq_time, loss, "
            "switch_delay");
  EXPECT_EQ(refused(kHog + "niec = 1\n"),
            "x.toml:4: task: no key 'niec'; did you mean nice? there are name, workload, count, "
            "nice, policy, slice, renice, slices, arrives, start, sleep, burst, period, jitter");
  EXPECT_EQ(refused(with_property("atmost = '1ms'\n")),
            "x.toml:5: property: no key 'atmost'; did you mean at_most? there are name, kind, "
            "task, at_most, at_least, expect, worst, because");
  EXPECT_EQ(refused("[search]\ndept = 3\n"),
            "x.toml:2: search: no key 'dept'; did you mean depth? there are depth");
  EXPECT_EQ(refused(kHog + "[task.more]\nx = 1\n").substr(0, 29), "x.toml:4: task: no key 'more'");
}

TEST_F(CaseFiles, WrongTypes) {
  for (const auto& [line, why] : std::vector<std::pair<std::string, std::string>>{
           {"kernel = 6.12", "kernel: is a number with a point; expected a string in quotes"},
           {"hz = '100'", "hz: is a string; expected an integer"},
           {"hz = 100.0", "hz: is a number with a point; expected an integer"},
           {"base_slice = 3", "base_slice: is an integer; expected a string in quotes"},
           {"title = 3", "title: is an integer; expected a string in quotes"},
           {"about = ['a', 'b']", "about: is an array; expected a string in quotes"},
           {"stretch = 07:00:00", "stretch: is a time of day; expected a string in quotes"},
           {"tick = 3", "tick: is an integer; expected a table [tick]"},
           {"tick.irq_time = 'on'", "tick.irq_time: is a string; expected true or false"},
           {"features = true", "features: is a boolean; expected a table [features]"},
           {"features.HRTICK = 1", "features.HRTICK: is an integer; expected true or false"},
           {"rules.yield = true", "rules.yield: is a boolean; expected a string in quotes"},
           {"search.depth = 'deep'", "search.depth: is a string; expected an integer"},
           {"task = 'hog'", "task: is a string; expected tables [[task]]"},
           {"task = ['hog']", "task: is an array of values; expected tables [[task]]"},
           {"task.name = 'hog'", "task: is a table; expected tables [[task]]"}}) {
    EXPECT_EQ(refused("\n" + line + "\n"), "x.toml:2: " + why);
  }
  EXPECT_EQ(refused(kHog + "nice = '1'\n"),
            "x.toml:4: task.nice: is a string; expected an integer");
}

TEST_F(CaseFiles, Lists) {
  const auto given = [&](const std::string& line) {
    return load("[[task]]\nname = \"a\"\nworkload = \"hog\"\n" + line).assignments.back().value;
  };
  EXPECT_EQ(given("renice = [0, 5]"), "0, 5");
  EXPECT_EQ(given("renice = \"0, 5\""), "0, 5");
  EXPECT_EQ(given("slices = [\"1ms\", \"default\"]"), "1ms, default");
  EXPECT_EQ(refused(kHog + "slices = 3\n"),
            "x.toml:4: task.slices: is an integer; expected a list, or a string with commas");
  EXPECT_EQ(refused(kHog + "renice = [0.5]\n"),
            "x.toml:4: task.renice: is a number with a point; expected a string in quotes");
}

TEST_F(CaseFiles, NoToml) {
  const std::string message = refused("title = 't'\n\nhz == 100\n");
  EXPECT_TRUE(message.starts_with("x.toml:3: Error while parsing")) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
  // toml++ quotes what it saw, the end of the line included.
  EXPECT_EQ(refused("tick.irq_time = tru\n"),
            "x.toml:1: Error while parsing boolean: expected 'true', saw 'tru?'");
  EXPECT_TRUE(refused("hz = 100\nhz = 250\n").starts_with("x.toml:2: "));
  EXPECT_TRUE(refused("title = 'unfinished").starts_with("x.toml:1: "));
  EXPECT_TRUE(refused("title = \"\xff\"\n").starts_with("x.toml:1: "));
}

TEST_F(CaseFiles, NoTextFile) {
  const std::string expected = "; expected a text file, plain or packed with gzip or xz";
  const auto missing = directory() / "missing.toml";
  EXPECT_EQ(refusal([&] { load_case(missing); }),
            missing.string() + ": cannot be opened: No such file or directory" + expected);
  EXPECT_EQ(refusal([&] { load_case(directory()); }),
            directory().string() + ": is a directory" + expected);
  EXPECT_EQ(refused(""), "x.toml: is empty" + expected);
  EXPECT_EQ(refused(std::string("a\0b", 3)),
            "x.toml: is a binary file (NUL byte at offset 1)" + expected);
}

TEST_F(CaseFiles, Tasks) {
  EXPECT_EQ(refused("[[task]]\nworkload = 'hog'\n"),
            "x.toml:1: task.name: is missing; expected a name");
  EXPECT_EQ(refused("[[task]]\nname = 'a'\n"),
            "x.toml:1: task.workload: is missing; expected what the task does");
  EXPECT_EQ(refused(kHog + "\n" + kHog),
            "x.toml:6: task.name: 'hog' is taken; expected another name for each");
  EXPECT_EQ(refused("[[task]]\nname = 'a.b'\n"),
            "x.toml:2: task.name: 'a.b' is no name; expected a letter, then letters, digits, '_' "
            "or '-'");
}

TEST_F(CaseFiles, NoTaskIsForResolveToSay) {
  const CaseFile loaded = load("hz = 100\n");
  EXPECT_EQ(refusal([&] { resolve(loaded.assignments); }),
            "configuration: task: there is none; a [[task]] of a case file makes one");
}

TEST_F(CaseFiles, IncompleteProperties) {
  EXPECT_EQ(refused(with_property("kind = 'run-length'\ntask = 'hog'\n")),
            "x.toml:4: property.name: is missing; expected a name");
  EXPECT_EQ(refused(with_property("name = 'p'\ntask = 'hog'\n")),
            "x.toml:4: property.kind: is missing; expected a kind of property");
  EXPECT_EQ(refused(with_property("name = 'p'\nkind = 'run-length'\n")),
            "x.toml:4: property.task: is missing; expected the name of a task");
}

TEST_F(CaseFiles, PropertiesOfNothing) {
  EXPECT_EQ(refused(with_property("name = 'p'\nkind = 'run-lenght'\ntask = 'hog'\n")),
            "x.toml:6: property.kind: no property 'run-lenght'; there are wakeup-latency, "
            "scheduling-delay, run-length, run-ticks");
  EXPECT_TRUE(refused(with_property("name = 'p'\nkind = \"\\u001b[m\"\ntask = 'hog'\n"))
                  .starts_with("x.toml:6: property.kind: no property '?[m'; there are"));
  EXPECT_EQ(refused(with_property("name = 'p'\nkind = 'run-length'\ntask = 'hug'\n")),
            "x.toml:7: property.task: no task 'hug'; did you mean hog? there are hog");
  EXPECT_EQ(refused(with_property("name = 'p'\nkind = 'run-length'\ntask = 'hog'\n"
                                  "[[property]]\nname = 'p'\n")),
            "x.toml:9: property.name: 'p' is taken; expected another name for each");
}

TEST_F(CaseFiles, PropertiesMayComeBeforeTheirTask) {
  EXPECT_EQ(load("[[property]]\nname = 'p'\nkind = 'run-length'\ntask = 'hog'\n" + kHog)
                .properties.size(),
            1U);
}

TEST_F(CaseFiles, Bounds) {
  const auto run = [](const std::string& kind, const std::string& line) {
    return with_property("name = 'p'\nkind = '" + kind + "'\ntask = 'hog'\n" + line + "\n");
  };
  for (const std::string key : {"at_most", "at_least", "worst"}) {
    EXPECT_EQ(refused(run("run-length", key + " = 10")),
              "x.toml:8: property." + key + ": is an integer; expected a string in quotes");
    EXPECT_EQ(refused(run("run-length", key + " = '10'")),
              "x.toml:8: property." + key +
                  ": '10' is not a time; write a number and a unit: 3ms, 2.8ms, 700us, 0");
    for (const std::string ticks : {"10ms", "-1", "three", "3 tick s", ""}) {
      EXPECT_EQ(refused(run("run-ticks", key + " = '" + ticks + "'")),
                "x.toml:8: property." + key + ": '" + ticks +
                    "' is no number of ticks; write 3 or 3 ticks");
    }
    EXPECT_EQ(refused(run("run-ticks", key + " = -1")),
              "x.toml:8: property." + key + ": '-1' is no number of ticks; write 3 or 3 ticks");
  }
  EXPECT_EQ(refused(run("run-length", "at_least = '2ms'\nat_most = '1ms'")),
            "x.toml:8: property.at_least: stands beside at_most; write two properties, each has a "
            "verdict");
  EXPECT_EQ(refused(run("run-length", "at_most = '2ms'\nexpect = 'proved'")),
            "x.toml:9: property.expect: 'proved' is not one of holds, violated, unknown");
  EXPECT_EQ(refused(run("run-length", "expect = 'holds'")),
            "x.toml:8: property.expect: there is no bound to judge; expected at_most or at_least "
            "beside it");
}

TEST_F(CaseFiles, Depth) {
  EXPECT_EQ(load("search.depth = 1\n").depth, 1);
  for (const std::string depth : {"0", "-3", "1000001"}) {
    EXPECT_EQ(refused("search.depth = " + depth + "\n"),
              "x.toml:1: search.depth: " + depth + " is no depth; expected 1 to 1000000");
  }
}

TEST(ParseValue, ReadsWhatFormatValueWrites) {
  for (const PropertyInfo& info : all_property_kinds()) {
    for (const Ns value : {0, 1, 3, 2'800'000}) {
      EXPECT_EQ(parse_value(info.kind, format_value(info.kind, value)), value) << info.name;
    }
  }
  EXPECT_EQ(parse_value(PropertyKind::run_ticks, "3"), 3);
}

TEST(SampleCase, PowerpcStory) {
  const CaseFile loaded =
      load_case(std::filesystem::path(TICKPROOF_SOURCE_DIR) / "cases/powerpc-hz/story.toml");
  EXPECT_EQ(loaded.source, "https://lore.kernel.org/lkml/20250330074734.16679-1/");
  const Config config = resolve(loaded.assignments).config;
  EXPECT_EQ(config.hz, 100);
  EXPECT_EQ(config.base_slice, 2'800 * kUsec);
  ASSERT_EQ(config.tasks.size(), 2U);
  EXPECT_EQ(describe_task(config.tasks[0], config),
            "hog x2: nice 0, slice 2.8ms (base), computes for ever");
  EXPECT_EQ(describe_task(config.tasks[1], config),
            "waker: nice 0, slice 2.8ms (base), sleeps >= 1ms, computes <= 200us");
  Lines properties;
  for (const CaseProperty& p : loaded.properties) {
    properties.push_back(p.property.name + ": " + std::string(info_of(p.property.kind).name) +
                         " of " + p.property.task);
  }
  EXPECT_EQ(properties, (Lines{"latency: wakeup-latency of waker", "run: run-length of hog",
                               "ticks: run-ticks of hog"}));
}

TEST_F(CaseFiles, AGridOfItsOwn) {
  const std::string head = "title = 't'\n[[sweep]]\ntitle = 'both'\n";
  const CaseFile loaded =
      load(head + "axes = ['hz=100,1000', 'task.a.slice=2ms']\nratio_to = 'hz=100'\n");
  ASSERT_EQ(loaded.sweeps.size(), 1U);
  const CaseSweep& sweep = loaded.sweeps[0];
  EXPECT_EQ(sweep.title, "both");
  EXPECT_EQ(sweep.ratio_to, "hz=100");
  ASSERT_EQ(sweep.axes.size(), 2U);
  ASSERT_EQ(sweep.axes[0].size(), 2U);
  EXPECT_EQ(sweep.axes[0][1].key, "hz");
  EXPECT_EQ(sweep.axes[0][1].value, "1000");
  EXPECT_EQ(sweep.axes[1][0].key, "task.a.slice");

  EXPECT_EQ(refused(head + "axes = ['hz']\n"),
            "x.toml:4: sweep.axes: 'hz' is no axis; write \"key=a,b\"");
  EXPECT_EQ(refused(head + "axes = 3\n"), "x.toml:4: sweep.axes: is no list of strings");
}

}  // namespace
}  // namespace tickproof
