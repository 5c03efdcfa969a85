#include "trace/sched_debug.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/scratch.hpp"

namespace tickproof {
namespace {

using Lines = std::vector<std::string>;

class SchedDebug : public testing::Test {
 protected:
  /// Every assignment as "key = value @ FILE".
  Lines lines() const {
    Lines lines;
    for (const Assignment& assignment : read_sched_debug(scratch_.path()).assignments) {
      EXPECT_EQ(assignment.origin.kind, Origin::Kind::sched_debug);
      const std::filesystem::path where = assignment.origin.where;
      EXPECT_EQ(where.parent_path(), scratch_.path());
      lines.push_back(assignment.key + " = " + assignment.value + " @ " +
                      where.filename().string());
    }
    return lines;
  }
  /// What is said of `file` if it holds `text`, without the path in front.
  std::string refused(const std::string& file, const std::string& text) const {
    const std::string path = write(file, text).string();
    const std::string message = refusal([&] { read_sched_debug(scratch_.path()); });
    EXPECT_TRUE(message.starts_with(path + ": ")) << message;
    return message.substr(std::min(message.size(), path.size() + 2));
  }
  std::filesystem::path write(const std::string& file, const std::string& text) const {
    return scratch_.write(file, text);
  }
  const std::filesystem::path& directory() const { return scratch_.path(); }

 private:
  Scratch scratch_;
};

const std::string kExpected = "; expected a directory with files as in /sys/kernel/debug/sched";

// Written as kernel/sched/debug.c of 6.12 prints them: a blank after every word.
TEST_F(SchedDebug, AllFiles) {
  write("base_slice_ns", "2800000\n");
  write("tunable_scaling", "1\n");
  write("preempt", "none (voluntary) full \n");
  write("features", "PLACE_LAG NO_NEXT_BUDDY RUN_TO_PARITY NO_HRTICK NONTASK_CAPACITY \n");
  write("latency_warn_ms", "not read\n");
  EXPECT_EQ(lines(),
            (Lines{"base_slice = 2800000ns @ base_slice_ns", "scaling = log @ tunable_scaling",
                   "preempt = voluntary @ preempt", "feature.PLACE_LAG = on @ features",
                   "feature.NEXT_BUDDY = off @ features", "feature.RUN_TO_PARITY = on @ features",
                   "feature.HRTICK = off @ features", "feature.NONTASK_CAPACITY = on @ features"}));
  EXPECT_TRUE(read_sched_debug(directory()).notes.empty());
}

TEST_F(SchedDebug, OneFileIsEnough) {
  write("preempt", "full (lazy) \n");
  EXPECT_EQ(lines(), (Lines{"preempt = lazy @ preempt"}));
}

TEST_F(SchedDebug, Scalings) {
  for (const auto& [number, name] : std::vector<std::pair<std::string, std::string>>{
           {"0", "none"}, {"1", "log"}, {"2", "linear"}}) {
    write("tunable_scaling", number + "\n");
    EXPECT_EQ(lines(), (Lines{"scaling = " + name + " @ tunable_scaling"}));
  }
  for (const std::string bad : {"3", "-1", "log", "1 2"}) {
    EXPECT_EQ(refused("tunable_scaling", bad + "\n"),
              "scaling: '" + bad + "' is no scaling; expected 0 (none), 1 (log) or 2 (linear)");
  }
}

// A u32 in the kernel, without bounds of its own.
TEST_F(SchedDebug, BaseSlices) {
  for (const std::string good : {"1", "4294967295"}) {
    write("base_slice_ns", good + "\n");
    EXPECT_EQ(lines(), (Lines{"base_slice = " + good + "ns @ base_slice_ns"}));
  }
  for (const std::string bad : {"0", "4294967296", "-1", "3ms", "2.8", "3000000 1"}) {
    EXPECT_EQ(refused("base_slice_ns", bad + "\n"),
              "base_slice: '" + bad +
                  "' is no slice; expected nanoseconds, a whole number from 1 to 4294967295");
  }
}

TEST_F(SchedDebug, UnreadablePreempt) {
  for (const std::string bad :
       {"none voluntary full", "(none) (full)", "full (laziest)", "()", "(", "none (full"}) {
    EXPECT_EQ(refused("preempt", bad + " \n"),
              "preempt: '" + bad +
                  "' names no one model; expected one of none, voluntary, full and lazy in "
                  "parentheses, as in 'none (voluntary) full lazy'");
  }
}

TEST_F(SchedDebug, UnreadableFeatures) {
  for (const std::string bad : {"place_lag", "NO_", "3", "PLACE-LAG", "NO_no", "\x1b[31m"}) {
    const std::string shown = bad.front() == '\x1b' ? "?[31m" : bad;
    EXPECT_EQ(refused("features", "PLACE_LAG " + bad + "\n"),
              "feature: '" + shown +
                  "' is no feature; expected words like RUN_TO_PARITY or NO_RUN_TO_PARITY");
  }
  EXPECT_EQ(refused("features", "HRTICK NO_HRTICK\n"),
            "feature.HRTICK: is named twice; expected each feature once, on (NAME) or off "
            "(NO_NAME)");
  EXPECT_EQ(refused("features", "\n"),
            "feature: no feature is named; expected words NAME or NO_NAME");
}

TEST_F(SchedDebug, EmptyFileIsNotLeftOut) {
  write("tunable_scaling", "1\n");
  EXPECT_EQ(refused("base_slice_ns", ""),
            "is empty; expected a text file, plain or packed with gzip or xz");
}

TEST_F(SchedDebug, NoneOfTheFiles) {
  EXPECT_EQ(refusal([&] { read_sched_debug(directory()); }),
            directory().string() +
                ": has none of base_slice_ns, tunable_scaling, preempt, features" + kExpected);
}

TEST_F(SchedDebug, NotADirectory) {
  const auto file = write("features", "HRTICK\n");
  EXPECT_EQ(refusal([&] { read_sched_debug(file); }),
            file.string() + ": is not a directory" + kExpected);
  EXPECT_EQ(refusal([&] { read_sched_debug(file / "x"); }),
            (file / "x").string() + ": cannot be opened: Not a directory" + kExpected);
  const auto missing = directory() / "nothing";
  EXPECT_EQ(refusal([&] { read_sched_debug(missing); }),
            missing.string() + ": cannot be opened: No such file or directory" + kExpected);
}

}  // namespace
}  // namespace tickproof
