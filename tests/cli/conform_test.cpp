// `tickproof conform` as a user sees it.
#include <gtest/gtest.h>

#include <boost/iostreams/filter/gzip.hpp>

#include "model/text_file.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/scratch.hpp"
#include "tests/support/trace_dat_file.hpp"

namespace tickproof {
namespace {

const std::string kFolder = TICKPROOF_SOURCE_DIR "/tests/data/traces/6.12.117/";
const std::string kName = "h1000-s2800-hog2";

class ConformProgram : public testing::Test {
 protected:
  /// Runs it on a trace that is not beside its description.
  ProgramRun run(const std::filesystem::path& trace) const {
    return run_program("conform " + trace.string() + " --describe " + kFolder + kName + ".json");
  }
  void expect_refusal(const std::filesystem::path& trace, const std::string& why) const {
    const ProgramRun refused = run(trace);
    EXPECT_EQ(refused.exit_code, 2) << refused.output;
    EXPECT_NE(refused.output.find(why), std::string::npos) << refused.output;
  }

  Scratch scratch_;
  std::string text_ = read_text_file(kFolder + kName + ".trace.txt.gz");
};

TEST_F(ConformProgram, ARealTraceConforms) {
  const ProgramRun result = run_program("conform " + kFolder + kName + ".trace.txt.gz");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(result.output.rfind("conforms: 5793 operations, 590 decisions", 0), 0U)
      << result.output;
}

TEST_F(ConformProgram, AnAlteredOneDiverges) {
  const std::size_t pick = text_.find("op=pick ", text_.size() / 2);
  const std::size_t number = text_.find(" vr=", pick) + 4;
  text_[number] = text_[number] == '1' ? '2' : '1';
  const ProgramRun result = run(scratch_.write("x.trace.txt", text_));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_NE(result.output.find("vruntime (vr)"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("diverges: line "), std::string::npos) << result.output;
}

// The packing is told by the first bytes, which a pipe gives once.
TEST_F(ConformProgram, APipeIsReadOnce) {
  const ProgramRun result =
      run_program("--version >/dev/null; cat " + kFolder + kName + ".trace.txt.gz | " +
                  TICKPROOF_BINARY + " conform /dev/stdin --describe " + kFolder + kName + ".json");
  EXPECT_EQ(result.exit_code, 0) << result.output;
}

TEST_F(ConformProgram, LostEventsAreSaid) {
  const std::size_t line = text_.find('\n', text_.size() / 2) + 1;
  text_.insert(line, "CPU:0 [LOST 12 EVENTS]\n");
  const ProgramRun result = run(scratch_.write("x.trace.txt", text_));
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_NE(result.output.find(": 12 events were lost"), std::string::npos) << result.output;
  text_.insert(line, "CPU:0 [LOST EVENTS]\n");
  const ProgramRun uncounted = run(scratch_.write("x.trace.txt", text_));
  EXPECT_NE(uncounted.output.find(": events were lost"), std::string::npos) << uncounted.output;
}

// The same trace in the forms that other tools give it.
TEST_F(ConformProgram, PerfScriptConforms) {
  std::string text = text_;
  for (std::size_t at = 0; (at = text.find(": eevdf_", at)) != std::string::npos; at += 8) {
    text.insert(at + 2, "sched:");
  }
  const ProgramRun result = run(scratch_.write("perf.txt", text));
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(result.output.rfind("conforms: 5793 operations, 590 decisions", 0), 0U)
      << result.output;
}

/// The detailed events of a text as a trace.dat, on the CPU `cpu` of two.
std::string dat_of(const std::string& text, int cpu) {
  std::optional<TraceDatFile> file;
  std::vector<DatEvent> kinds;
  for (const bool adds : {false, true}) {
    if (adds) file.emplace(kinds, 2);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const auto event = parse_ftrace_line(line);
      if (!event || !event->name.starts_with("eevdf_")) continue;
      const std::string name(event->name);
      if (adds) {
        file->add(cpu, static_cast<std::uint64_t>(event->time), name, dat_values(event->fields));
      } else if (std::none_of(kinds.begin(), kinds.end(),
                              [&](const DatEvent& kind) { return kind.name == name; })) {
        const auto id = static_cast<std::uint16_t>(400 + kinds.size());
        kinds.push_back(dat_event_like(name, id, event->fields));
      }
    }
  }
  return file->bytes();
}

TEST_F(ConformProgram, TraceDatConforms) {
  const std::string dat = dat_of(text_, 1);
  const ProgramRun result = run(scratch_.write("trace", dat));
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(result.output.rfind("conforms: 5793 operations, 590 decisions", 0), 0U)
      << result.output;
  expect_refusal(scratch_.write("cut.dat", std::string_view(dat).substr(0, dat.size() / 2)),
                 "truncated or corrupt");
}

TEST_F(ConformProgram, TraceDatDiverges) {
  const std::size_t tick = text_.find("op=tick ", text_.size() / 2);
  char& digit = text_[text_.find(" vr=", tick) + 4];
  digit = digit == '1' ? '2' : '1';
  const ProgramRun result = run(scratch_.write("trace.dat", dat_of(text_, 0)));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_NE(result.output.find("diverges: record "), std::string::npos) << result.output;
}

// Of two CPUs that do the same, one is looked at.
TEST_F(ConformProgram, OneOfSeveralCpus) {
  std::string two;
  std::istringstream lines(text_);
  for (std::string line; std::getline(lines, line);) {
    two += line + "\n";
    const std::size_t cpu = line.find(" [000] ");
    if (cpu != std::string::npos) two += line.replace(cpu, 7, " [002] ") + "\n";
  }
  two += "CPU:0 [LOST 12 EVENTS]\n";
  const std::string path = scratch_.write("two.trace.txt", two).string();
  expect_refusal(path, "is of CPU 2, the lines before of CPU 0");
  expect_refusal(path, "--cpu");
  const ProgramRun result = run(path + " --cpu 2");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_EQ(result.output.rfind("conforms: 5793 operations, 590 decisions", 0), 0U)
      << result.output;
  expect_refusal(path + " --cpu 1", "holds no event of CPU 1 (--cpu); it has events of CPU 0, 2");
}

// A plain trace with the wrong slice, and a hole before anything could be judged: what was
// kept back up to there is judged then. A request of 5 ms never ends at the third tick.
TEST_F(ConformProgram, AHoleHidesNothing) {
  const std::string name = kFolder + "h1000-s3000-hog2-notrace";
  const std::string whole = read_text_file(name + ".trace.txt.gz");
  std::size_t end = whole.find("sched_switch: ");
  for (int i = 0; i < 20; ++i) end = whole.find("sched_switch: ", end + 1);
  const std::string start = whole.substr(0, whole.find('\n', end) + 1);
  const auto trace = scratch_.write("x.trace.txt", start + "CPU:0 [LOST 3 EVENTS]\n");
  const std::string command = "conform " + trace.string() + " --describe " + name + ".json";
  EXPECT_EQ(run_program(command).exit_code, 0);
  const ProgramRun wrong = run_program(command + " --base-slice 5ms");
  EXPECT_EQ(wrong.exit_code, 3) << wrong.output;
  EXPECT_NE(wrong.output.find("not explained: "), std::string::npos) << wrong.output;
}

TEST_F(ConformProgram, BadInputIsRefused) {
  const std::size_t line = text_.find('\n', text_.size() / 2) + 1;
  const std::string half = text_.substr(0, line);

  expect_refusal(scratch_.write("cut.trace.txt", half + text_.substr(line, 100)), "line ");
  expect_refusal(scratch_.write("words.trace.txt", half + "some words\n"),
                 "no line of ftrace text");
  expect_refusal(
      scratch_.write("cpus.trace.txt", half + "a-1 [001] d..2. 99.000001: sched_switch: x=1\n"),
      "is of CPU 1");
  expect_refusal(
      scratch_.write("clock.trace.txt", half + "a-1 [000] d..2. 0.000001: sched_switch: x=1\n"),
      "the clock goes backward");
  expect_refusal(scratch_.write("plain.trace.txt", "a-1 [000] d..2. 0.000001: sched_switch: x=1\n"),
                 "line 1: ");
  expect_refusal(scratch_.write("other.trace.txt", "a-1 [000] d..2. 0.000001: sched_fork: x=1\n"),
                 "neither detailed events");
  expect_refusal(scratch_.write("empty.trace.txt", ""), "neither detailed events");
  std::string packed_text = packed<boost::iostreams::gzip_compressor>(half);
  packed_text.resize(packed_text.size() / 2);
  expect_refusal(scratch_.write("cut.trace.txt.gz", packed_text), "truncated or corrupt gzip");
  expect_refusal(scratch_.write("binary.trace.txt", half + std::string("\0\1", 2) + "\n"), "NUL");
  expect_refusal("/nowhere.trace.txt", "cannot be opened");
  expect_refusal("/tmp", "is a directory");

  const ProgramRun undescribed =
      run_program("conform " + scratch_.write("alone.trace.txt", half).string());
  EXPECT_EQ(undescribed.exit_code, 2);
  EXPECT_NE(undescribed.output.find("--describe"), std::string::npos) << undescribed.output;
}

TEST_F(ConformProgram, ABadDescriptionIsRefused) {
  const std::string trace = kFolder + kName + ".trace.txt.gz";
  const std::string rest = R"("base_slice_ns": 1, "features": [], "tasks": []})";
  for (const auto& [json, why] : {std::pair<std::string, std::string>{"{", "is no JSON"},
                                  {"[]", "kernel: is missing"},
                                  {R"({"kernel": "2.4"})", "no profile for kernel '2.4'"},
                                  {R"({"kernel": "6.8", "features": [7]})", "NO_NAME"},
                                  {R"({"kernel": "6.8", "features": 1})", "expected a list"},
                                  {R"({"kernel": "6.8", "hz": 0, )" + rest, "hz: expected"}}) {
    const ProgramRun result =
        run_program("conform " + trace + " --describe " + scratch_.write("d.json", json).string());
    EXPECT_EQ(result.exit_code, 2) << json;
    EXPECT_NE(result.output.find(why), std::string::npos) << result.output;
  }
}

}  // namespace
}  // namespace tickproof
