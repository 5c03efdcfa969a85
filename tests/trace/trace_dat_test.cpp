// Against files that are written as trace-cmd.dat.v6(5) says; trace-cmd 3.1.6 reads them,
// and `trace-cmd report -t -N` prints the fields and times that are expected here.
#include "trace/trace_dat.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/scratch.hpp"
#include "tests/support/trace_dat_file.hpp"

namespace tickproof {
namespace {

std::string text_of(const TraceItem& item) {
  if (const auto* const lost = std::get_if<LostEvents>(&item)) {
    return "CPU " + std::to_string(lost->cpu) + " lost " + std::to_string(lost->count);
  }
  const auto& event = std::get<TraceEvent>(item);
  return std::to_string(event.cpu) + " " + std::to_string(event.time) + " " +
         std::string(event.name) + ": " + std::string(event.fields);
}

std::vector<std::string> texts_of(const std::filesystem::path& path) {
  const auto events = open_event_stream(path);
  std::vector<std::string> texts;
  for (TraceItem item; events->next(item);) texts.push_back(text_of(item));
  return texts;
}

TraceDatFile empty_file() {
  return TraceDatFile(
      {dat_sched_switch(), dat_wakeup("sched_waking", 318), dat_wakeup("sched_wakeup", 317)}, 3);
}

/// `count` events of CPUs 0 and 1 in turns, 1234 ns apart; CPU 2 has none.
TraceDatFile long_file(int count) {
  TraceDatFile file = empty_file();
  for (int i = 0; i < count; ++i) {
    file.add(i % 2, 12'000'000'000 + 1'234ULL * static_cast<unsigned>(i), "sched_waking",
             {"hog0", std::to_string(i), "120", "1"});
  }
  return file;
}

const std::vector<std::string> kTwoCpus{
    "0 12345680135 sched_waking: comm=hog 0 ==> x= pid=27 prio=120 target_cpu=002",
    "1 12345680136 sched_switch: prev_comm=hog 0 ==> x= prev_pid=27 prev_prio=120 prev_state=R+ "
    "==> next_comm=swapper/1 next_pid=0 next_prio=98",
    "0 13000000000 sched_wakeup: comm=hog1 pid=28 prio=120 target_cpu=000",
    "CPU 0 lost 17",
    "0 13000001000 sched_switch: prev_comm=hog1 prev_pid=28 prev_prio=120 prev_state=S ==> "
    "next_comm=a next_pid=2 next_prio=-1",
    "CPU 1 lost 0",
    "1 99000000007 sched_switch: prev_comm=a prev_pid=2 prev_prio=120 prev_state=R ==> "
    "next_comm=b next_pid=3 next_prio=120",
};

TraceDatFile two_cpus() {
  TraceDatFile file = empty_file();
  file.add(0, 12'345'680'135, "sched_waking", {"hog 0 ==> x=", "27", "120", "2"});
  file.add(1, 12'345'680'136, "sched_switch",
           {"hog 0 ==> x=", "27", "120", "256", "swapper/1", "0", "98"});
  file.add(0, 13'000'000'000, "sched_wakeup", {"hog1", "28", "120", "0"});
  file.lose(0, 13'000'000'500, 17);
  file.add(0, 13'000'001'000, "sched_switch", {"hog1", "28", "120", "1", "a", "2", "-1"});
  file.lose(1, 99'000'000'000, 0);
  file.add(1, 99'000'000'007, "sched_switch", {"a", "2", "120", "0", "b", "3", "120"});
  return file;
}

TEST(TraceDat, EventsOfAllCpusInOrderOfTime) {
  const Scratch scratch;
  EXPECT_EQ(texts_of(scratch.write("trace.dat", two_cpus().bytes())), kTwoCpus);
}

// The file above after `trace-cmd convert --file-version 7 --compression zstd`.
TEST(TraceDat, Version7Packed) {
  EXPECT_EQ(texts_of(TICKPROOF_SOURCE_DIR "/tests/data/trace-dat/two-cpus-v7-zstd.dat"), kTwoCpus);
}

TEST(TraceDat, IsToldByItsBytesNotItsName) {
  const Scratch scratch;
  EXPECT_TRUE(is_trace_dat(scratch.write("trace.txt", empty_file().bytes())));
  EXPECT_FALSE(is_trace_dat(scratch.write("trace.dat", "hog0-27 [000] d..2. 1.0: x: y\n")));
  EXPECT_FALSE(is_trace_dat(scratch.write("short", "\x17\x08\x44trac")));
  EXPECT_FALSE(is_trace_dat("/nowhere"));
  EXPECT_EQ(texts_of(scratch.write("trace.txt", two_cpus().bytes())).size(), kTwoCpus.size());
}

TEST(TraceDat, ManyPages) {
  const Scratch scratch;
  const auto events = open_event_stream(scratch.write("trace.dat", long_file(10'000).bytes()));
  TraceItem item;
  int count = 0;
  for (; events->next(item); ++count) {
    ASSERT_EQ(std::get<TraceEvent>(item).time, 12'000'000'000 + 1'234L * count);
    ASSERT_EQ(events->position(), "record " + std::to_string(count + 1));
  }
  EXPECT_EQ(count, 10'000);
}

TEST(TraceDat, WithoutAnyEvent) {
  const Scratch scratch;
  EXPECT_TRUE(texts_of(scratch.write("trace.dat", empty_file().bytes())).empty());
}

// `trace-cmd record -B name`: nothing is in the main buffer.
TEST(TraceDat, EventsElsewhereAreNotTakenForNone) {
  const Scratch scratch;
  TraceDatFile file = empty_file();
  file.name_instance("mine");
  const auto path = scratch.write("trace.dat", file.bytes());
  EXPECT_EQ(refusal([&] { texts_of(path); }),
            path.string() +
                ": record 0: has all its events in the buffer mine; expected them in the main one "
                "(trace-cmd record without -B)");
}

// libtracecmd itself crashes on most of these.
TEST(TraceDat, EveryCutIsRefused) {
  const Scratch scratch;
  const std::string whole = long_file(400).bytes();
  for (std::size_t size = 10; size < whole.size(); size += 97) {
    const auto path = scratch.write("cut.dat", whole.substr(0, size));
    const std::string what = refusal([&] { texts_of(path); });
    EXPECT_EQ(what.rfind(path.string() + ": record ", 0), 0U) << size << ": " << what;
    EXPECT_NE(what.find("trace-cmd report"), std::string::npos) << what;
  }
}

// What is read from a bent file may be wrong, there is no checksum; but it is read or
// refused, nothing else.
TEST(TraceDat, BentBytesCrashNothing) {
  const Scratch scratch;
  const std::string whole = long_file(100).bytes();
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string bent = whole;
    for (int j = 0; j < 3; ++j) bent[10 + random() % (bent.size() - 10)] = '\xff';
    const auto path = scratch.write("bent.dat", bent);
    try {
      texts_of(path);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 300);
}

TEST(TraceDat, MayBeLeftHalfRead) {
  const Scratch scratch;
  const auto path = scratch.write("trace.dat", long_file(10'000).bytes());
  for (int i = 0; i < 20; ++i) {
    TraceItem item;
    EXPECT_TRUE(open_event_stream(path)->next(item));
  }
}

}  // namespace
}  // namespace tickproof
