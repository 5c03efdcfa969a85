// Plain traces of a real kernel, and what becomes of them when they are altered: what the
// kernel did is explained, what it did not do is not.
#include "trace/plain_trace.hpp"

#include <gtest/gtest.h>

#include "model/text_file.hpp"
#include "tests/scratch.hpp"
#include "trace/event_stream.hpp"

namespace tickproof {
namespace {

const std::string kFolder = TICKPROOF_SOURCE_DIR "/tests/data/traces/6.12.117/";

struct Told {
  std::optional<Unexplained> unexplained;
  std::size_t switches = 0;
  std::size_t wakeups = 0;
  std::size_t pieces = 0;
};

class Plain : public testing::Test {
 protected:
  Told judge(const std::string& text, const TraceDescription& description) {
    PlainTrace plain(description);
    const auto events = open_event_stream(scratch_.write("x.trace.txt", text));
    Told told;
    TraceItem item;
    while (!told.unexplained && events->next(item)) {
      if (std::holds_alternative<LostEvents>(item)) {
        told.unexplained = plain.forget_state();
      } else {
        told.unexplained = plain.feed(std::get<TraceEvent>(item), events->position());
      }
    }
    if (!told.unexplained) told.unexplained = plain.finish();
    told.switches = plain.switches;
    told.wakeups = plain.wakeups;
    told.pieces = plain.explainer().pieces;
    return told;
  }
  static std::string text_of(const std::string& name) {
    return read_text_file(kFolder + name + ".trace.txt.gz");
  }
  static TraceDescription machine_of(const std::string& name) {
    return read_trace_description(kFolder + name + ".json");
  }
  static std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
      ++found;
    }
    return found;
  }

  Scratch scratch_;
};

TEST_F(Plain, WhatTheKernelDidIsExplained) {
  for (const char* name : {"h1000-s3000-hog2-notrace", "h1000-s3000-hog3-notrace"}) {
    const std::string text = text_of(name);
    const Told told = judge(text, machine_of(name));
    EXPECT_FALSE(told.unexplained) << name << ": " << told.unexplained->where;
    EXPECT_EQ(told.switches, count(text, "sched_switch: ")) << name;
    EXPECT_EQ(told.pieces, 1U) << name;
  }
}

// The same without the numbers of the detailed events, the tick's own events there or not.
TEST_F(Plain, WithTheTicksOrWithout) {
  const std::string name = "h1000-s2800-hog2";
  std::string with_ticks;
  std::string without;
  TextLines lines(kFolder + name + ".trace.txt.gz");
  for (std::string line; lines.next(line);) {
    if (line.find("eevdf_") != std::string::npos) continue;
    with_ticks += line + "\n";
    if (line.find("hrtimer") == std::string::npos) without += line + "\n";
  }
  ASSERT_GT(count(with_ticks, "tick_nohz_handler"), 1'000U);
  EXPECT_FALSE(judge(with_ticks, machine_of(name)).unexplained);
  EXPECT_FALSE(judge(without, machine_of(name)).unexplained);
}

// A slice of 3 ms takes 3 or 4 ticks of 1 ms (h1000-s3000); one of 2 ms never takes 4, and
// one of 5 ms never 3.
TEST_F(Plain, AnotherSliceIsNot) {
  const std::string name = "h1000-s3000-hog2-notrace";
  for (const Ns slice : {2 * kMsec, 5 * kMsec}) {
    TraceDescription machine = machine_of(name);
    machine.base_slice = slice;
    const Told told = judge(text_of(name), machine);
    EXPECT_TRUE(told.unexplained) << slice;
    EXPECT_LT(told.switches, 30U) << slice;
  }
}

// A hog that runs in place of another, for one turn: it is ahead, and was not eligible.
TEST_F(Plain, AnotherPickIsNot) {
  const std::string name = "h1000-s3000-hog3-notrace";
  std::string text = text_of(name);
  const std::size_t at = text.find("==> next_comm=hog1 next_pid=28", text.size() / 10);
  const std::size_t next = text.find("hog1 next_pid=28", at);
  const std::size_t prev = text.find("prev_comm=hog1 prev_pid=28", next);
  ASSERT_NE(prev, std::string::npos);
  const std::string behind = text.substr(prev, text.find('\n', prev) - prev);
  const bool to_0 = behind.find("next_comm=hog0") != std::string::npos;
  text.replace(next, 16, to_0 ? "hog2 next_pid=29" : "hog0 next_pid=27");
  text.replace(prev, 26, to_0 ? "prev_comm=hog2 prev_pid=29" : "prev_comm=hog0 prev_pid=27");
  EXPECT_TRUE(judge(text, machine_of(name)).unexplained);
}

TEST_F(Plain, ASwitchThatIsMissingIsRefused) {
  const std::string name = "h1000-s3000-hog3-notrace";
  std::string text = text_of(name);
  const std::size_t at = text.find("sched_switch: prev_comm=hog0", text.size() / 2);
  const std::size_t start = text.rfind('\n', at) + 1;
  text.erase(start, text.find('\n', at) + 1 - start);
  EXPECT_THROW(judge(text, machine_of(name)), BadValue);
}

// Behind a hole it goes on from what it then sees, as a piece of its own.
TEST_F(Plain, GoesOnBehindLostEvents) {
  const std::string name = "h1000-s3000-hog2-notrace";
  std::string text = text_of(name);
  const std::size_t from = text.find('\n', text.size() / 2) + 1;
  const std::size_t to = text.find('\n', from + 2'000) + 1;
  text.replace(from, to - from, "CPU:0 [LOST 12 EVENTS]\n");
  const Told told = judge(text, machine_of(name));
  EXPECT_FALSE(told.unexplained) << told.unexplained->where;
  EXPECT_GE(told.pieces, 2U);
}

TEST_F(Plain, ANiceValueThatChangesIsRefused) {
  const std::string text =
      " a-1 [000] d..2. 1.000000: sched_switch: prev_comm=a prev_pid=1 prev_prio=120 "
      "prev_state=R ==> next_comm=b next_pid=2 next_prio=120\n"
      " b-2 [000] d..2. 1.003000: sched_switch: prev_comm=b prev_pid=2 prev_prio=125 "
      "prev_state=R ==> next_comm=a next_pid=1 next_prio=120\n";
  EXPECT_THROW(judge(text, machine_of("h1000-s2800-hog2")), BadValue);
}

}  // namespace
}  // namespace tickproof
