// The model against running kernels: traces of Linux 6.12.117, in which each operation of
// the fair class prints the kernel's own numbers. Every one of them must come out the
// same; with any rule turned over, or any feature that a trace does not have off, some
// number must not.
#include "trace/conform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

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

const fs::path kTraces = fs::path(TICKPROOF_SOURCE_DIR) / "tests/data/traces/6.12.117";

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
  const std::vector<fs::path> traces = traces_in(kTraces);
  EXPECT_GE(traces.size(), 19U);
  for (const fs::path& trace : traces) expect_conforms(trace);
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

/// Traces that diverge once `change` was made to their description.
template <class Change>
std::size_t tell_apart(const Change& change) {
  std::size_t count = 0;
  for (const fs::path& trace : traces_in(kTraces)) {
    TraceDescription description = read_trace_description(*find_trace_description(trace));
    change(description);
    Conformance conformance(description);
    count += replay(trace, conformance) ? 1 : 0;
  }
  return count;
}

TEST(Conform, EveryRuleIsToldApart) {
  // The last two are the configuration's business, not an operation's; the other needs a
  // SCHED_IDLE task and a kernel without WAKEUP_PREEMPTION.
  const std::vector<std::string_view> untold{"idle-wakeup", "custom-slice", "slice-unit"};
  const Rules& own = find_profile("6.12.117").rules;
  for (const RuleInfo& rule : all_rules()) {
    for (const Choice& choice : rule.choices) {
      if (choice.name == choice_of(rule, own)) continue;
      const std::size_t count = tell_apart([&](TraceDescription& description) {
        set_rule(description.rules, rule.name, choice.name);
      });
      const bool is_untold = std::find(untold.begin(), untold.end(), rule.name) != untold.end();
      EXPECT_EQ(count == 0, is_untold) << rule.name << "=" << choice.name;
    }
  }
}

TEST(Conform, EveryFeatureIsToldApart) {
  for (const FeatureInfo& feature : all_features()) {
    // Of HRTICK an operation does not know: it is one more event that charges.
    if (feature.name == "HRTICK") continue;
    EXPECT_GT(tell_apart([&](TraceDescription& d) {
                d.features.*feature.field = !(d.features.*feature.field);
              }),
              0U)
        << feature.name;
  }
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
  const fs::path folder = fs::path(TICKPROOF_SOURCE_DIR) / "../shared/traces/6.12.117";
  if (!fs::exists(folder)) GTEST_SKIP() << "there is no " << folder;
  std::size_t count = 0;
  for (const fs::path& trace : traces_in(folder)) {
    const std::string name = trace.filename().string();
    // Plain traces, and a feature that is not modelled: see docs/traces.md.
    if (name.find("-long") != std::string::npos || name.find("-notrace") != std::string::npos ||
        name.find("NEXT_BUDDY") != std::string::npos) {
      continue;
    }
    expect_conforms(trace);
    ++count;
  }
  EXPECT_EQ(count, 49U);
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
