#include "trace/kconfig.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/iostreams/filter/gzip.hpp>
#include <string>
#include <vector>

#include "model/text_file.hpp"
#include "tests/scratch.hpp"

namespace tickproof {
namespace {

/// Every assignment as "key = value @ LINE", without the line where it follows
/// from an absent symbol. The rest of each origin is checked here.
std::vector<std::string> lines_of(const Overlay& overlay, const std::filesystem::path& path) {
  std::vector<std::string> lines;
  for (const Assignment& assignment : overlay.assignments) {
    EXPECT_EQ(assignment.origin.kind, Origin::Kind::kconfig);
    std::string where = assignment.origin.where;
    EXPECT_TRUE(where.starts_with(path.string())) << where;
    where.erase(0, path.string().size());
    EXPECT_TRUE(where.empty() || where.front() == ':') << where;
    if (!where.empty()) where.replace(0, 1, " @ ");
    lines.push_back(assignment.key + " = " + assignment.value + where);
  }
  return lines;
}

using Lines = std::vector<std::string>;

const std::string kNoHzFull =
    "CONFIG_NO_HZ_FULL=y acts only on CPUs that nohz_full= names at boot; the others behave as "
    "with NO_HZ_IDLE";
const std::string kHrtick =
    "CONFIG_SCHED_HRTICK=y: HRTICK is built; the feature HRTICK decides whether it is used";
const std::string kDynamic =
    "CONFIG_PREEMPT_DYNAMIC=y: the boot option preempt= can change the preemption model";
const std::string kRealTime =
    "CONFIG_PREEMPT_RT=y: fair tasks under PREEMPT_RT are modelled as full preemption";
const std::string kNoHz = "no HZ line: the Kconfig default, 250";
const std::string kNoTick = "no NO_HZ or HZ_PERIODIC line: the Kconfig default, periodic";
const std::string kNoPreempt =
    "no PREEMPT line: the Kconfig default, none up to 6.19 (from 7.0 on lazy, where the "
    "architecture has it)";
std::string dropped_later(const std::string& symbol) {
  return symbol +
         "=y in a defconfig has no effect from 7.0 on where the architecture has PREEMPT_LAZY: "
         "lazy is built";
}

// The expectations for the five real files were read with
//   xzcat FILE | grep -nE '^(# )?CONFIG_(HZ|NO_HZ|PREEMPT|IRQ_TIME|SCHED_HRTICK|PARAVIRT_TIME)'
// (grep -n for the defconfigs).

// 505:CONFIG_HZ=250  106:CONFIG_NO_HZ_FULL=y  132:CONFIG_PREEMPT_VOLUNTARY=y
// 137:CONFIG_PREEMPT_DYNAMIC=y  506:CONFIG_SCHED_HRTICK=y
// 146:# CONFIG_IRQ_TIME_ACCOUNTING is not set
// 393:# CONFIG_PARAVIRT_TIME_ACCOUNTING is not set
TEST(Kconfig, Debian) {
  const auto path = real_config("debian12-6.12-amd64.config.xz");
  const Overlay overlay = read_kconfig(path);
  EXPECT_EQ(lines_of(overlay, path),
            (Lines{"hz = 250 @ 505", "tick.mode = nohz-idle @ 106", "preempt = voluntary @ 132",
                   "tick.irq_time = off @ 146"}));
  EXPECT_EQ(overlay.notes, (Lines{kNoHzFull, kDynamic, kHrtick}));
}

// 515:CONFIG_HZ=250  106:CONFIG_NO_HZ_FULL=y  132:# CONFIG_PREEMPT is not set
// 133:CONFIG_PREEMPT_LAZY=y  134:# CONFIG_PREEMPT_LAZIEST is not set
// 135:CONFIG_PREEMPT_RT=y  138:CONFIG_PREEMPT_DYNAMIC=y  516:CONFIG_SCHED_HRTICK=y
// 147:# CONFIG_IRQ_TIME_ACCOUNTING is not set
TEST(Kconfig, DebianRealTime) {
  const auto path = real_config("debian12-6.12-rt-amd64.config.xz");
  const Overlay overlay = read_kconfig(path);
  EXPECT_EQ(lines_of(overlay, path), (Lines{"hz = 250 @ 515", "tick.mode = nohz-idle @ 106",
                                            "preempt = lazy @ 133", "tick.irq_time = off @ 147"}));
  EXPECT_EQ(overlay.notes, (Lines{kNoHzFull, kDynamic, kHrtick}));
}

// 4:CONFIG_NO_HZ_IDLE=y  8:CONFIG_PREEMPT=y  9:CONFIG_IRQ_TIME_ACCOUNTING=y; no HZ
TEST(Kconfig, Arm64Defconfig) {
  const auto path = real_config("linux-6.12-arm64-defconfig");
  const Overlay overlay = read_kconfig(path);
  EXPECT_EQ(lines_of(overlay, path), (Lines{"hz = 250", "tick.mode = nohz-idle @ 4",
                                            "preempt = full @ 8", "tick.irq_time = on @ 9"}));
  EXPECT_EQ(overlay.notes, (Lines{kNoHz}));
}

// 62:CONFIG_HZ_100=y  4:CONFIG_NO_HZ_FULL=y  5:CONFIG_NO_HZ=y
// 10:CONFIG_PREEMPT_VOLUNTARY=y; no IRQ_TIME_ACCOUNTING
TEST(Kconfig, PowerpcDefconfig) {
  const auto path = real_config("linux-6.12-powerpc-ppc64_defconfig");
  const Overlay overlay = read_kconfig(path);
  EXPECT_EQ(lines_of(overlay, path), (Lines{"hz = 100 @ 62", "tick.mode = nohz-idle @ 4",
                                            "preempt = voluntary @ 10", "tick.irq_time = off"}));
  EXPECT_EQ(overlay.notes, (Lines{kNoHzFull, dropped_later("CONFIG_PREEMPT_VOLUNTARY")}));
}

// 42:CONFIG_HZ_1000=y  5:CONFIG_NO_HZ=y  7:CONFIG_PREEMPT_VOLUNTARY=y; no
// IRQ_TIME_ACCOUNTING
TEST(Kconfig, X86Defconfig) {
  const auto path = real_config("linux-6.12-x86-x86_64_defconfig");
  const Overlay overlay = read_kconfig(path);
  EXPECT_EQ(lines_of(overlay, path), (Lines{"hz = 1000 @ 42", "tick.mode = nohz-idle @ 5",
                                            "preempt = voluntary @ 7", "tick.irq_time = off"}));
  EXPECT_EQ(overlay.notes, (Lines{dropped_later("CONFIG_PREEMPT_VOLUNTARY")}));
}

/// Tests on a few lines, each time in a file of its own.
class KconfigText : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& text) const { return scratch_.write("c", text); }
  Overlay read(const std::string& text) const { return read_kconfig(file(text)); }
  Lines lines(const std::string& text) const {
    const auto path = file(text);
    return lines_of(read_kconfig(path), path);
  }
  /// The message without the path in front.
  std::string refused(const std::string& text) const {
    const auto path = file(text);
    const std::string message = refusal([&] { read_kconfig(path); });
    EXPECT_TRUE(message.starts_with(path.string() + ":")) << message;
    return message.substr(std::min(message.size(), path.string().size() + 1));
  }

 private:
  Scratch scratch_;
};

const std::string kHeader = "#\n# Automatically generated file; DO NOT EDIT.\n#\n";

// As /proc/config.gz has it.
TEST_F(KconfigText, GzipOfAFullConfiguration) {
  const std::string text = read_text_file(real_config("debian12-6.12-amd64.config.xz"));
  EXPECT_EQ(lines(packed<boost::iostreams::gzip_compressor>(text)),
            (Lines{"hz = 250 @ 505", "tick.mode = nohz-idle @ 106", "preempt = voluntary @ 132",
                   "tick.irq_time = off @ 146"}));
}

TEST_F(KconfigText, CrLfAndTrailingBlanks) {
  EXPECT_EQ(lines("CONFIG_HZ_300=y\r\n\r\nCONFIG_HZ=300  \r\n# CONFIG_NO_HZ is not set\r\n"
                  "CONFIG_HZ_PERIODIC=y\r\nCONFIG_PREEMPT_NONE=y\r\n"),
            (Lines{"hz = 300 @ 3", "tick.mode = periodic @ 5", "preempt = none @ 6",
                   "tick.irq_time = off"}));
}

// kernel/time/Kconfig: "default NO_HZ_IDLE if NO_HZ", and HZ_PERIODIC is the first
// member, so it is what a defconfig without any of the lines builds. (That is why
// arm64's, which is minimal, says NO_HZ_IDLE.)
TEST_F(KconfigText, DefaultsOfADefconfig) {
  const Overlay overlay = read("CONFIG_SMP=y\n");
  EXPECT_EQ(lines("CONFIG_SMP=y\n"),
            (Lines{"hz = 250", "tick.mode = periodic", "preempt = none", "tick.irq_time = off"}));
  EXPECT_EQ(overlay.notes, (Lines{kNoHz, kNoTick, kNoPreempt}));
}

TEST_F(KconfigText, FullConfigurationHasNoDefaults) {
  const std::string text = kHeader + "CONFIG_SMP=y\n";
  EXPECT_EQ(lines(text), (Lines{"tick.irq_time = off"}));
  EXPECT_EQ(read(text).notes,
            (Lines{"no HZ line: hz is not taken from this full configuration",
                   "no NO_HZ or HZ_PERIODIC line: tick.mode is not taken from this full "
                   "configuration",
                   "no PREEMPT line: preempt is not taken from this full configuration"}));
}

TEST_F(KconfigText, FullConfigurationIsKnownWithoutItsHeader) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "# CONFIG_DRIVER_" + std::to_string(i) + " is not set\n";
  EXPECT_EQ(lines(text), (Lines{"tick.irq_time = off"}));
}

TEST_F(KconfigText, HzOfOtherArchitectures) {
  EXPECT_EQ(lines("CONFIG_HZ_1024=y\n").front(), "hz = 1024 @ 1");
  EXPECT_EQ(lines("CONFIG_HZ_FIXED=200\nCONFIG_HZ=200\n").front(), "hz = 200 @ 2");
}

// The kernel's reader lets the last line win, and scripts/kconfig/merge_config.sh
// and "cat fragment >> .config" rely on it.
TEST_F(KconfigText, TheLastLineOfASymbolCounts) {
  EXPECT_EQ(lines("CONFIG_HZ_100=y\n# CONFIG_HZ_100 is not set\nCONFIG_HZ_250=y\n").front(),
            "hz = 250 @ 3");
}

TEST_F(KconfigText, BadHz) {
  const std::string expected =
      " is no tick frequency; expected a whole number from 12 to 12287, as a rule 100, 250, 300 or "
      "1000";
  EXPECT_EQ(refused("CONFIG_SMP=y\nCONFIG_HZ=0\n"), "2: CONFIG_HZ: '0'" + expected);
  EXPECT_EQ(refused("CONFIG_HZ=-100\n"), "1: CONFIG_HZ: '-100'" + expected);
  EXPECT_EQ(refused("CONFIG_HZ=fast\n"), "1: CONFIG_HZ: 'fast'" + expected);
  EXPECT_EQ(refused("CONFIG_HZ=12288\n"), "1: CONFIG_HZ: '12288'" + expected);
  EXPECT_EQ(refused("CONFIG_HZ=99999999999999999999\n"),
            "1: CONFIG_HZ: '99999999999999999999'" + expected);
  EXPECT_EQ(refused("CONFIG_HZ=\"250\"\n"), "1: CONFIG_HZ: '\"250\"'" + expected);
  EXPECT_EQ(refused("CONFIG_HZ_1=y\n"), "1: CONFIG_HZ_1: '1'" + expected);
  EXPECT_EQ(refused("CONFIG_HZ=1" + std::string(50, '0') + "\n"),
            "1: CONFIG_HZ: '1" + std::string(39, '0') + "...'" + expected);
}

TEST_F(KconfigText, HzContradictsItsChoice) {
  EXPECT_EQ(refused("CONFIG_HZ_250=y\nCONFIG_HZ=1000\n"),
            "2: CONFIG_HZ: 1000 contradicts CONFIG_HZ_250=y in line 1; expected both to name one "
            "frequency");
  EXPECT_EQ(refused("# CONFIG_HZ_1000 is not set\nCONFIG_HZ=1000\n"),
            "2: CONFIG_HZ: 1000 contradicts CONFIG_HZ_1000=n in line 1; expected both to name one "
            "frequency");
  EXPECT_EQ(refused("CONFIG_HZ_1000=y\nCONFIG_HZ_250=y\n"),
            "2: CONFIG_HZ_250: contradicts CONFIG_HZ_1000=y in line 1; expected only one of them");
}

TEST_F(KconfigText, TickMode) {
  const auto tick = [&](const std::string& text) { return lines(text)[1]; };
  EXPECT_EQ(tick("CONFIG_HZ_PERIODIC=y\n"), "tick.mode = periodic @ 1");
  EXPECT_EQ(tick("CONFIG_NO_HZ_COMMON=y\nCONFIG_NO_HZ_IDLE=y\n"), "tick.mode = nohz-idle @ 2");
  EXPECT_EQ(tick("CONFIG_NO_HZ_COMMON=y\n"), "tick.mode = nohz-idle @ 1");
  // NO_HZ is only the default of the choice.
  EXPECT_EQ(tick("CONFIG_NO_HZ=y\nCONFIG_HZ_PERIODIC=y\n"), "tick.mode = periodic @ 2");
  EXPECT_EQ(refused("CONFIG_HZ_PERIODIC=y\nCONFIG_NO_HZ_IDLE=y\n"),
            "2: CONFIG_NO_HZ_IDLE: contradicts CONFIG_HZ_PERIODIC=y in line 1; expected only one "
            "of them");
  EXPECT_EQ(refused("CONFIG_NO_HZ_COMMON=y\nCONFIG_HZ_PERIODIC=y\n"),
            "1: CONFIG_NO_HZ_COMMON: contradicts CONFIG_HZ_PERIODIC=y in line 2; expected only "
            "one of them");
}

TEST_F(KconfigText, Preempt) {
  const auto preempt = [&](const std::string& text) { return lines(kHeader + text)[0]; };
  EXPECT_EQ(preempt("CONFIG_PREEMPT_NONE=y\n"), "preempt = none @ 4");
  EXPECT_EQ(preempt("CONFIG_PREEMPT_BUILD=y\nCONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_PREEMPTION=y\n"),
            "preempt = voluntary @ 5");
  EXPECT_EQ(preempt("CONFIG_PREEMPT=y\n"), "preempt = full @ 4");
  EXPECT_EQ(preempt("CONFIG_PREEMPT_LAZY=y\n"), "preempt = lazy @ 4");
  EXPECT_EQ(refused("CONFIG_PREEMPT=y\nCONFIG_PREEMPT_LAZY=y\n"),
            "2: CONFIG_PREEMPT_LAZY: contradicts CONFIG_PREEMPT=y in line 1; expected only one of "
            "them");
}

TEST_F(KconfigText, PreemptRt) {
  const std::string both = kHeader + "CONFIG_PREEMPT=y\nCONFIG_PREEMPT_RT=y\n";
  EXPECT_EQ(lines(both)[0], "preempt = full @ 5");
  EXPECT_EQ(read(both).notes.back(), kRealTime);
  EXPECT_EQ(lines(kHeader + "CONFIG_PREEMPT_LAZY=y\nCONFIG_PREEMPT_RT=y\n")[0],
            "preempt = lazy @ 4");
  EXPECT_EQ(refused("CONFIG_PREEMPT_VOLUNTARY=y\nCONFIG_PREEMPT_RT=y\n"),
            "2: CONFIG_PREEMPT_RT: contradicts CONFIG_PREEMPT_VOLUNTARY=y in line 1; expected "
            "only one of them");
}

TEST_F(KconfigText, StealTime) {
  EXPECT_EQ(read("CONFIG_PARAVIRT_TIME_ACCOUNTING=y\n").notes.back(),
            "CONFIG_PARAVIRT_TIME_ACCOUNTING=y: steal time also lowers accounted time; set "
            "tick.loss");
}

TEST_F(KconfigText, ValueThatIsNoBoolean) {
  EXPECT_EQ(refused("CONFIG_SMP=y\nCONFIG_PREEMPT=m\n"),
            "2: CONFIG_PREEMPT: 'm' is neither y nor n; expected one of them");
  EXPECT_EQ(lines("CONFIG_PREEMPT=n\nCONFIG_PREEMPT_LAZY=y\n")[2], "preempt = lazy @ 2");
}

TEST_F(KconfigText, MalformedLines) {
  const std::string expected =
      " is not a line of a kernel configuration; expected CONFIG_NAME=value or '# CONFIG_NAME is "
      "not set'";
  const Lines malformed{"CONFIG_HZ",        "CONFIG_=y",     "CONFIG_A B=y",
                        "CONFIG_A=",        "CONFIG_A=y z",  "CONFIG_A=\"open",
                        "CONFIG_A=\"a\" b", " CONFIG_HZ=99", "CONFIG_A=\"open\\\"",
                        "<<<<<<< HEAD",     "HZ=100"};
  for (const std::string& line : malformed) {
    EXPECT_EQ(refused("CONFIG_SMP=y\n" + line + "\nCONFIG_HZ=0\n"), "2:" + expected) << line;
  }
}

TEST_F(KconfigText, OrdinaryLinesOfEveryKind) {
  EXPECT_EQ(lines("# comment\n# CONFIG_X is not what it was\n#\n\nCONFIG_A=\"\"\n"
                  "CONFIG_B=\"a \\\"b\\\\\"\nCONFIG_C=0xffff\nCONFIG_D=-1\nCONFIG_E=m\n"
                  "CONFIG_HZ=250\n")[0],
            "hz = 250 @ 10");
}

TEST_F(KconfigText, NoConfigurationAtAll) {
  const std::string expected =
      " is not a kernel configuration: no CONFIG_ line; expected a .config, a defconfig or "
      "/proc/config.gz";
  EXPECT_EQ(refused("# Readme\n\nHello.\n"), expected);
  EXPECT_EQ(refused("\n"), expected);
}

TEST_F(KconfigText, RefusalsOfTheFileItself) {
  EXPECT_NE(refused("").find("is empty"), std::string::npos);
  EXPECT_NE(refused(std::string("\x7f"
                                "ELF\0",
                                5))
                .find("binary"),
            std::string::npos);
  EXPECT_NE(refusal([] { read_kconfig(real_config("")); }).find("is a directory"),
            std::string::npos);
}

}  // namespace
}  // namespace tickproof
