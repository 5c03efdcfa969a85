// Lines as perf 6.1 prints them, and as tools/perf/util/event.c of other versions does.
#include "trace/perf_script.hpp"

#include <gtest/gtest.h>

namespace tickproof {
namespace {

TEST(PerfScript, LostEvents) {
  const auto expect = [](const char* line, int cpu, std::int64_t count) {
    const auto lost = parse_perf_lost(line);
    ASSERT_TRUE(lost) << line;
    EXPECT_EQ(lost->cpu, cpu) << line;
    EXPECT_EQ(lost->count, count) << line;
  };
  expect("            hog0    27 [003]    12.345678: PERF_RECORD_LOST lost 123", 3, 123);
  expect("  a [7] b    27 [003]    12.345678: PERF_RECORD_LOST lost 123", 3, 123);
  expect("perf-exec 13465 [000] 26264.804856: PERF_RECORD_LOST lost 1", 0, 1);
  expect("bash 13495 26267.895303: PERF_RECORD_LOST lost 480", -1, 480);  // of a task
  expect("PERF_RECORD_LOST lost 7", -1, 7);
  expect("            hog0    27 [003]    12.345678: PERF_RECORD_LOST", 3, 0);
  expect("            hog0    27 [003]    12.345678: PERF_RECORD_LOST_SAMPLES lost 9", 3, 9);
  for (const char* line : {"hog0 27 [003] 12.3: PERF_RECORD_LOST lost x", "lost 3", "",
                           "hog0 27 [003] 12.3: PERF_RECORD_COMM: LOST:27/27"}) {
    EXPECT_FALSE(parse_perf_lost(line)) << line;
  }
}

TEST(PerfScript, WhatIsPassedOver) {
  for (const char* line :
       {"\tffffffffb7ad6b30 __schedule+0x8e0 ([kernel.kallsyms])",
        "\t               1 [unknown] ([unknown])", "\t           961aa",
        "swapper 0 [000] 12.3: PERF_RECORD_SWITCH IN", "PERF_RECORD_FINISHED_INIT"}) {
    EXPECT_TRUE(is_perf_remark(line)) << line;
  }
  for (const char* line : {"", "some words", "   some words", "\tdeadline missed", "\t12",
                           "\t                 ", "hog0 PERF_RECORD_X"}) {
    EXPECT_FALSE(is_perf_remark(line)) << line;
  }
}

}  // namespace
}  // namespace tickproof
