#include "trace/operation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "model/setting.hpp"

namespace tickproof {
namespace {

// Of h1000-s2800-hog2, line 1000.
const std::string kLine =
    "op=update now=918263864 pid=28 arg=994525 arg2=2 vr=635859326 dl=637659325 vlag=-634659358 "
    "slice=2800000 w=1024 onrq=1 delayed=0 rel=0 custom=0 nr=2 curr=28 avgvr=120316928 "
    "avgload=1024 zero=634976821 V=635476822 resched=1";

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::size_t start = 0;
  while (start < line.size()) {
    const std::size_t end = std::min(line.find(' ', start), line.size());
    words.push_back(line.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

std::string line_of(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

void expect_line(const std::string& line) {
  SCOPED_TRACE(line);
  const Operation o = parse_operation(line);
  EXPECT_EQ(o.op, "update");
  EXPECT_EQ(o.now, 918'263'864);
  EXPECT_EQ(o.pid, 28);
  EXPECT_EQ(o.arg, 994'525);
  EXPECT_EQ(o.arg2, 2);
  EXPECT_EQ(o.vr, 635'859'326);
  EXPECT_EQ(o.dl, 637'659'325);
  EXPECT_EQ(o.vlag, -634'659'358);
  EXPECT_EQ(o.slice, 2'800'000);
  EXPECT_EQ(o.w, 1024);
  EXPECT_EQ(o.onrq, 1);
  EXPECT_EQ(o.nr, 2);
  EXPECT_EQ(o.curr, 28);
  EXPECT_EQ(o.v, 635'476'822);
}

TEST(ParseOperation, InAnyOrder) {
  expect_line(kLine);
  std::vector<std::string> words = words_of(kLine);
  std::mt19937 random(1);
  for (int i = 0; i < 20; ++i) {
    std::shuffle(words.begin(), words.end(), random);
    expect_line(line_of(words));
  }
}

// Other kernels print more.
TEST(ParseOperation, PassesOverWhatItDoesNotKnow) {
  expect_line("  new=1 " + kLine + "  lazy=0 vprotection=x ==> next=-1 ");
}

TEST(ParseOperation, EachFieldCountsOnce) {
  for (const char* missing : {"now", "pid", "vr", "curr", "V"}) {
    std::vector<std::string> words = words_of(kLine);
    const auto gone = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
      return word.starts_with(missing + std::string("="));
    });
    *gone = "slice=1";  // there already
    EXPECT_THROW(parse_operation(line_of(words)), BadValue) << missing;
  }
}

TEST(ParseOperation, NumbersThatAreNone) {
  for (const char* bad : {"w=1024x", "w=", "w=9223372036854775808", "w=--1", "w=1 024x=1 w=y"}) {
    std::string line = kLine;
    line.replace(line.find("w=1024"), 6, bad);
    EXPECT_THROW(parse_operation(line), BadValue) << bad;
  }
}

TEST(ParseQueueEntry, WithTheNameOfATask) {
  const std::string line =
      "site=pick i=1 pid=27 comm=hog 0 i=7 vr=-1 dl=637888842 vlag=634888805 slice=2800000 w=1024 "
      "onrq=1 delayed=0 curr=0 elig=1";
  const QueueEntry entry = parse_queue_entry(line);
  EXPECT_EQ(entry.pid, 27);
  EXPECT_EQ(entry.vr, -1);
  EXPECT_EQ(entry.elig, 1);
}

}  // namespace
}  // namespace tickproof
