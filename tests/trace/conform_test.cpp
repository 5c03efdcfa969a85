// The model against running kernels: traces of Linux 6.12.117, 7.2.13 and 7.3.4, in which
// each operation of the fair class prints the kernel's own numbers. Every one of them must
// come out the same; with any rule turned over, or any feature, some number must not.
#include "trace/conform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "model/profiles.hpp"
#include "model/setting.hpp"
#include "model/text_file.hpp"

namespace tickproof {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> traces_in(const fs::path& folder) {
  std::vector<fs::path> traces;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    if (entry.path().string().ends_with(".trace.txt.gz")) traces.push_back(entry.path());
  }
  std::sort(traces.begin(), traces.end());
  return traces;
}

const fs::path kAllTraces = fs::path(TICKPROOF_SOURCE_DIR) / "tests/data/traces";
const fs::path kTraces = kAllTraces / "6.12.117";
const std::array<std::string, 3> kKernels{"6.12.117", "7.2.13", "7.3.4"};

/// Plain traces hold no numbers to compare.
bool is_detailed(const fs::path& trace) {
  const std::string name = trace.filename().string();
  return name.find("-long") == std::string::npos && name.find("-notrace") == std::string::npos;
}

/// The first divergence.
std::optional<Divergence> replay(const fs::path& trace, Conformance& conformance) {
  TextLines lines(trace);
  for (std::string line; lines.next(line);) {
    const std::optional<TraceEvent> event = parse_ftrace_line(line);
    if (!event) continue;
    if (auto divergence = conformance.feed(*event)) return divergence;
  }
  return std::nullopt;
}

void expect_conforms(const fs::path& trace) {
  SCOPED_TRACE(trace.filename());
  Conformance conformance(read_trace_description(*find_trace_description(trace)));
  if (const auto d = replay(trace, conformance)) {
    ADD_FAILURE() << d->what << ": kernel " << d->kernel << ", model " << d->model << " after "
                  << conformance.operations;
  }
}

TEST(Conform, EveryNumberOfEveryOperation) {
  std::size_t count = 0;
  for (const std::string& kernel : kKernels) {
    for (const fs::path& trace : traces_in(kAllTraces / kernel)) {
      if (!is_detailed(trace)) continue;
      expect_conforms(trace);
      ++count;
    }
  }
  EXPECT_EQ(count, 47U);
}

TEST(Conform, CountsWhatItCompared) {
  const fs::path trace = kTraces / "h1000-s2800-hog2.trace.txt.gz";
  Conformance conformance(read_trace_description(*find_trace_description(trace)));
  ASSERT_FALSE(replay(trace, conformance));
  std::size_t operations = 0;
  std::size_t picks = 0;
  TextLines lines(trace);
  for (std::string line; lines.next(line);) {
    operations += line.find(" eevdf_op: ") != std::string::npos ? 1 : 0;
    for (const char* op : {"op=pick ", "op=wake ", "op=deq ", "op=deq_delay "}) {
      picks += line.find(op) != std::string::npos ? 1 : 0;
    }
  }
  EXPECT_EQ(conformance.operations, operations);
  EXPECT_EQ(conformance.decisions, picks);
  EXPECT_EQ(conformance.unknown, 0U);
}

/// Does a trace of that kernel diverge once `change` was made to its description?
template <class Change>
bool tells_apart(const std::string& kernel, const Change& change) {
  for (const fs::path& trace : traces_in(kAllTraces / kernel)) {
    if (!is_detailed(trace)) continue;
    TraceDescription description = read_trace_description(*find_trace_description(trace));
    change(description);
    Conformance conformance(description);
    if (replay(trace, conformance)) return true;
  }
  return false;
}

std::set<std::string> untold_rules(const std::string& kernel) {
  std::set<std::string> untold;
  const Rules& own = find_profile(kernel).rules;
  for (const RuleInfo& rule : all_rules()) {
    for (const Choice& choice : rule.choices) {
      if (choice.name == choice_of(rule, own)) continue;
      const bool told = tells_apart(kernel, [&](TraceDescription& description) {
        set_rule(description.rules, rule.name, choice.name);
      });
      if (!told) untold.insert(std::string(rule.name) + "=" + std::string(choice.name));
    }
  }
  return untold;
}

std::set<std::string> untold_features(const std::string& kernel) {
  std::set<std::string> untold;
  for (const FeatureInfo& feature : all_features()) {
    const bool told = tells_apart(kernel, [&](TraceDescription& description) {
      bool& value = description.features.*feature.field;
      value = !value;
    });
    if (!told) untold.insert(std::string(feature.name));
  }
  return untold;
}

// What no trace of a kernel tells from its own rule: tests/model/told_apart_test.cpp has a
// run for each that does, or says why there is none.
TEST(Conform, EveryRuleIsToldApart) {
  using Untold = std::set<std::string>;
  EXPECT_EQ(untold_rules("6.12.117"),
            (Untold{"buddy-pick=if-next-buddy",             // its trace has both features on
                    "custom-slice=no", "slice-unit=750us",  // the configuration's business
                    "fork-wakeup=never", "idle-wakeup=always", "tie=any", "hrtick=deadline",
                    "hrtick=slice-lazy",  // the delay is not traced
                    // Only with protection in virtual time:
                    "cut-from=not-ahead", "protection-cut=short-wakeup",
                    "protection-cut=tested-wakeup", "protection-start=pick", "short-buddy=yes"}));
  EXPECT_EQ(untold_rules("7.2.13"),
            (Untold{"custom-slice=no", "slice-unit=750us", "fork-wakeup=tested",
                    "idle-protection=kept", "idle-wakeup=always", "tie=any",
                    // No trace has a buddy:
                    "buddy-pick=every-pick", "buddy-pick=if-next-buddy", "buddy-pick=if-pick-buddy",
                    "next-buddy=any-wakee"}));
  EXPECT_EQ(untold_rules("7.3.4"),
            (Untold{"custom-slice=no", "slice-unit=750us", "fork-wakeup=tested",
                    "idle-wakeup=always", "tie=any",
                    // No trace has a buddy that is not short:
                    "buddy-pick=every-pick", "buddy-pick=if-pick-buddy", "next-buddy=any-wakee"}));
}

TEST(Conform, EveryFeatureIsToldApart) {
  // Of HRTICK an operation does not know: it is one more event that charges.
  EXPECT_EQ(untold_features("6.12.117"), std::set<std::string>{"HRTICK"});
  EXPECT_EQ(untold_features("7.2.13"), (std::set<std::string>{"HRTICK", "PICK_BUDDY"}));
  EXPECT_EQ(untold_features("7.3.4"), std::set<std::string>{"HRTICK"});
}

// A lost stretch is passed over: what follows the next pick is judged again.
TEST(Conform, GoesOnBehindLostEvents) {
  const fs::path trace = kTraces / "h1000-s3000-dd.trace.txt.gz";
  Conformance conformance(read_trace_description(*find_trace_description(trace)));
  TextLines lines(trace);
  for (std::string line; lines.next(line);) {
    if (lines.number() == 2'000) conformance.forget_state();
    if (lines.number() > 2'000 && lines.number() < 2'050) continue;
    const std::optional<TraceEvent> event = parse_ftrace_line(line);
    if (!event) continue;
    const auto d = conformance.feed(*event);
    ASSERT_FALSE(d) << lines.number() << ": " << d->what << ": kernel " << d->kernel << ", model "
                    << d->model;
  }
  EXPECT_GT(conformance.unknown, 0U);
  EXPECT_GT(conformance.operations, 5'000U);
}

// One number changed anywhere is found at that line.
TEST(Conform, OneNumberOffDiverges) {
  const fs::path trace = kTraces / "h1000-s2800-hog2.trace.txt.gz";
  for (const char* field : {"vr=", "dl=", "slice=", " V=", "nr="}) {
    Conformance conformance(read_trace_description(*find_trace_description(trace)));
    TextLines lines(trace);
    std::optional<Divergence> divergence;
    for (std::string line; !divergence && lines.next(line);) {
      std::size_t at = line.find(field);
      const bool changed = lines.number() >= 1'000 && line.find("op=tick") != std::string::npos;
      if (changed) line.replace(at + std::string_view(field).size(), 1, "9");
      const std::optional<TraceEvent> event = parse_ftrace_line(line);
      if (event) divergence = conformance.feed(*event);
      if (changed) break;
    }
    ASSERT_TRUE(divergence) << field;
    EXPECT_EQ(divergence->what.rfind("tick of pid", 0), 0U) << divergence->what;
  }
}

// The rest of the traces, where they are at hand.
TEST(Conform, TheOtherTraces) {
  const fs::path folder = fs::path(TICKPROOF_SOURCE_DIR) / "../shared/traces";
  if (!fs::exists(folder)) GTEST_SKIP() << "there is no " << folder;
  std::size_t count = 0;
  for (const std::string& kernel : kKernels) {
    for (const fs::path& trace : traces_in(folder / kernel)) {
      if (!is_detailed(trace)) continue;
      expect_conforms(trace);
      ++count;
    }
  }
  EXPECT_EQ(count, 108U);
}

TEST(Operation, NeedsEveryField) {
  const std::string whole =
      "op=tick now=1 pid=2 arg=0 arg2=0 vr=3 dl=4 vlag=-5 slice=6 w=1024 onrq=1 delayed=0 rel=0 "
      "custom=0 nr=1 curr=2 avgvr=0 avgload=0 zero=0 V=3 resched=0";
  const Operation o = parse_operation(whole);
  EXPECT_EQ(o.op, "tick");
  EXPECT_EQ(o.vlag, -5);
  EXPECT_EQ(o.v, 3);
  for (std::size_t cut = 0; cut < whole.find(" V=3"); cut += 7) {
    EXPECT_THROW(parse_operation(std::string_view(whole).substr(0, cut)), BadValue) << cut;
  }
  EXPECT_THROW(parse_operation("op=tick now=1x"), BadValue);
  EXPECT_THROW(parse_operation("op=tick now=99999999999999999999"), BadValue);
  EXPECT_THROW(parse_queue_entry("site=pick i=0"), BadValue);
}

TEST(Description, SaysWhatIsWrong) {
  EXPECT_FALSE(find_trace_description("/nowhere/x.trace.txt.gz"));
  EXPECT_THROW(read_trace_description("/nowhere/x.json"), InputError);
}

}  // namespace
}  // namespace tickproof
