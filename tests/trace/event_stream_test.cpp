#include "trace/event_stream.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <boost/iostreams/filter/gzip.hpp>
#include <thread>

#include "tests/scratch.hpp"

namespace tickproof {
namespace {

std::vector<TraceItem> items_of(EventStream& events) {
  std::vector<TraceItem> items;
  for (TraceItem item; events.next(item);) items.push_back(item);
  return items;
}

class EventStreamOfText : public testing::Test {
 protected:
  std::size_t count(const std::string& text) const {
    return items_of(*open_event_stream(scratch_.write("trace.txt", text))).size();
  }
  std::string refusal_of(const std::string& text) const {
    const std::filesystem::path path = scratch_.write("trace.txt", text);
    std::string what = refusal([&] { items_of(*open_event_stream(path)); });
    EXPECT_EQ(what.rfind(path.string() + ": ", 0), 0U) << what;
    return what.substr(std::min(path.string().size() + 2, what.size()));
  }

  Scratch scratch_;
};

TEST_F(EventStreamOfText, EventsHolesAndPositions) {
  const auto events = open_event_stream(scratch_.write(
      "trace.txt",
      "# tracer: nop\n"
      "#\n"
      "            hog0-27      [001] d..2.     1.000002: sched_switch: prev_comm=hog0\r\n"
      "CPU:1 [LOST 12 EVENTS]\n"
      "            hog1-28      [001] d..2.     1.000003: sched_waking: comm=hog0"));
  TraceItem item;
  ASSERT_TRUE(events->next(item));
  EXPECT_EQ(events->position(), "line 3");
  EXPECT_EQ(std::get<TraceEvent>(item).fields, "prev_comm=hog0");
  EXPECT_EQ(std::get<TraceEvent>(item).time, 1'000'002'000);
  ASSERT_TRUE(events->next(item));
  EXPECT_EQ(events->position(), "line 4");
  EXPECT_EQ(std::get<LostEvents>(item).count, 12);
  EXPECT_EQ(std::get<LostEvents>(item).cpu, 1);
  ASSERT_TRUE(events->next(item));
  EXPECT_EQ(events->position(), "line 5");
  EXPECT_EQ(std::get<TraceEvent>(item).name, "sched_waking");
  EXPECT_FALSE(events->next(item));
}

// As `trace-cmd report` and `perf script -g --show-lost-events --header` print them.
TEST_F(EventStreamOfText, WhatTheToolsPrintAroundTheEvents) {
  EXPECT_EQ(
      count("version = 7\n"
            "CPU 0 is empty\n"
            "cpus=2\n"
            "CPU:1 [204600 EVENTS DROPPED]\n"
            "           <...>-1     [001]    12.345680: sched_switch:         hog 0:27 [120] R "
            "==> hog1:28 [98]\n"),
      2U);
  EXPECT_EQ(count("# ========\n"
                  "# hostname : x\n"
                  "#\n"
                  "kthreadd     0 [000]     0.000000: PERF_RECORD_COMM: kthreadd:2/2\n"
                  "migration/0  18 [000] 12942.039622: sched:sched_switch: prev_comm=a\n"
                  "\tffffffffb7ad6b30 __schedule+0x8e0 ([kernel.kallsyms])\n"
                  "\tffffffffb7ad7303 schedule+0x23 ([kernel.kallsyms])\n"
                  "\n"
                  "migration/0  18 [000] 12942.039623: PERF_RECORD_LOST lost 3\n"
                  "migration/0  18 [000] 12942.039624: sched:sched_switch: prev_comm=a\n"),
            3U);
}

TEST_F(EventStreamOfText, WhatIsNoTraceIsRefused) {
  const std::string line = "hog0-27 [000] d..2. 1.0: sched_switch: x=1\n";
  EXPECT_EQ(refusal_of(line + "some words\n").rfind("line 2: is no line of ftrace text", 0), 0U);
  EXPECT_EQ(refusal_of(line + line.substr(0, 20)).rfind("line 2: is no line", 0), 0U);
  EXPECT_NE(refusal_of(line + std::string(70'000, 'x')).find("line 2 is longer"),
            std::string::npos);
  EXPECT_NE(refusal_of(line + std::string("\0", 1)).find("line 2 holds a NUL byte"),
            std::string::npos);
}

// Each CPU has its own clock, and only that must not go backward.
TEST_F(EventStreamOfText, ClocksAreOfEachCpu) {
  const std::string start = "a-1 [000] d..2. 1.000005: x: y\na-1 [001] d..2. 1.000004: x: y\n";
  EXPECT_EQ(count(start + "a-1 [000] d..2. 1.000005: x: y\n"), 3U);
  EXPECT_EQ(refusal_of(start + "a-1 [000] d..2. 1.000004: x: y\n"),
            "line 3: the clock goes backward");
  EXPECT_EQ(refusal_of(start + "a-1 [001] d..2. 1.000003: x: y\n"),
            "line 3: the clock goes backward");
}

TEST_F(EventStreamOfText, WhatCantBeOpened) {
  EXPECT_NE(refusal([] { open_event_stream("/nowhere"); }).find("cannot be opened"),
            std::string::npos);
  EXPECT_NE(refusal([] { open_event_stream("/tmp"); }).find("is a directory"), std::string::npos);
}

/// Of this process, in KiB.
long peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// 100 MB through a pipe, which can't be kept as a file or be read twice.
TEST_F(EventStreamOfText, MemoryDoesNotGrowWithTheTrace) {
  constexpr int kLines = 1'000'000;
  const std::string line = "hog0-27 [000] d..2. 1.000001: eevdf_op: " + std::string(60, 'x') + "\n";
  const std::filesystem::path fifo = scratch_.path() / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::thread writer([&] {
    std::ofstream out(fifo, std::ios_base::binary);
    for (int i = 0; i < kLines; ++i) out << line;
  });
  const auto events = open_event_stream(fifo);
  TraceItem item;
  ASSERT_TRUE(events->next(item));
  const long before = peak_memory();
  int count = 1;
  while (events->next(item)) ++count;
  writer.join();
  EXPECT_EQ(count, kLines);
  EXPECT_LT(peak_memory() - before, 8'000) << "KiB";
}

// The same packed: 100 MB unpacked.
TEST_F(EventStreamOfText, MemoryDoesNotGrowWithAPackedTrace) {
  constexpr int kLines = 1'000'000;
  const std::string line = "hog0-27 [000] d..2. 1.000001: eevdf_op: " + std::string(60, 'x') + "\n";
  const std::filesystem::path path = scratch_.path() / "trace.gz";
  {
    std::ofstream file(path, std::ios_base::binary);
    boost::iostreams::filtering_ostream out;
    out.push(boost::iostreams::gzip_compressor(boost::iostreams::gzip::best_speed));
    out.push(file);
    for (int i = 0; i < kLines; ++i) out << line;
  }
  const auto events = open_event_stream(path);
  TraceItem item;
  ASSERT_TRUE(events->next(item));
  const long before = peak_memory();
  int count = 1;
  while (events->next(item)) ++count;
  EXPECT_EQ(count, kLines);
  EXPECT_LT(peak_memory() - before, 8'000) << "KiB";
}

}  // namespace
}  // namespace tickproof
