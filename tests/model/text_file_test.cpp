#include "model/text_file.hpp"

#include <gtest/gtest.h>

#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <string>
#include <vector>

#include "tests/scratch.hpp"

namespace tickproof {
namespace {

namespace io = boost::iostreams;

std::string refusal_of(const std::filesystem::path& path, std::size_t most_bytes = kMostTextBytes) {
  return refusal([&] { read_text_file(path, most_bytes); });
}

const std::string kExpected = "; expected a text file, plain or packed with gzip or xz";

TEST(TextFile, PlainIsReadAsItIs) {
  const Scratch scratch;
  EXPECT_EQ(read_text_file(scratch.write("a", "one\r\ntwo")), "one\r\ntwo");
}

TEST(TextFile, PackedIsRecognisedByItsBytesNotItsName) {
  const Scratch scratch;
  EXPECT_EQ(read_text_file(scratch.write("a.txt", packed<io::gzip_compressor>("text\n"))),
            "text\n");
  EXPECT_EQ(read_text_file(scratch.write("a.gz", packed<io::lzma_compressor>("text\n"))), "text\n");
  EXPECT_EQ(read_text_file(scratch.write("b.gz", "text\n")), "text\n");
}

// xz --list: one stream, one block, CRC64; xzcat | wc -c: 283361.
TEST(TextFile, XzOfTheXzTool) {
  EXPECT_EQ(read_text_file(real_config("debian12-6.12-amd64.config.xz")).size(), 283361U);
}

// gzip and xz files may be put one after another, and tools do.
TEST(TextFile, ConcatenatedPacks) {
  const Scratch scratch;
  const std::string gz = packed<io::gzip_compressor>("ab");
  const std::string xz = packed<io::lzma_compressor>("cd");
  EXPECT_EQ(read_text_file(scratch.write("a", gz + gz)), "abab");
  EXPECT_EQ(read_text_file(scratch.write("b", xz + xz)), "cdcd");
}

TEST(TextFile, ProcHasNoSizeAndIsStillRead) {
  EXPECT_FALSE(read_text_file("/proc/self/status").empty());
}

TEST(TextFile, MissingFile) {
  const Scratch scratch;
  const auto path = scratch.path() / "nothing";
  EXPECT_EQ(refusal_of(path),
            path.string() + ": cannot be opened: No such file or directory" + kExpected);
}

TEST(TextFile, Directory) {
  const Scratch scratch;
  EXPECT_EQ(refusal_of(scratch.path()), scratch.path().string() + ": is a directory" + kExpected);
}

TEST(TextFile, NoPermission) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const Scratch scratch;
  const auto path = scratch.write("secret", "text");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  EXPECT_EQ(refusal_of(path), path.string() + ": cannot be opened: Permission denied" + kExpected);
}

// Address 0 of a process is not mapped: the file opens, and reading it fails.
TEST(TextFile, UnreadableIsNotEmpty) {
  EXPECT_EQ(refusal_of("/proc/self/mem"),
            "/proc/self/mem: cannot be read: Input/output error" + kExpected);
}

TEST(TextFile, Empty) {
  const Scratch scratch;
  const auto plain = scratch.write("plain", "");
  EXPECT_EQ(refusal_of(plain), plain.string() + ": is empty" + kExpected);
  const auto gz = scratch.write("gz", packed<io::gzip_compressor>(""));
  EXPECT_EQ(refusal_of(gz), gz.string() + ": is empty" + kExpected);
}

TEST(TextFile, Binary) {
  const Scratch scratch;
  const std::string bytes("text\0more", 9);
  const auto plain = scratch.write("plain", bytes);
  EXPECT_EQ(refusal_of(plain),
            plain.string() + ": is a binary file (NUL byte at offset 4)" + kExpected);
  const auto xz = scratch.write("xz", packed<io::lzma_compressor>(bytes));
  EXPECT_EQ(refusal_of(xz), xz.string() + ": is a binary file (NUL byte at offset 4)" + kExpected);
}

class DamagedPack : public testing::TestWithParam<std::string> {
 protected:
  std::string pack(std::string_view text) const {
    return GetParam() == "xz" ? packed<io::lzma_compressor>(text)
                              : packed<io::gzip_compressor>(text);
  }
  std::size_t magic_bytes() const { return GetParam() == "xz" ? 6 : 2; }
  std::string refusal_text(const std::filesystem::path& path) const {
    return path.string() + ": is a truncated or corrupt " + GetParam() +
           " file; expected a whole one (" + GetParam() + " -t tells), or the text unpacked";
  }
};

// Cut after every byte that still leaves the magic, so also within header,
// footer and index.
TEST_P(DamagedPack, EveryCutIsSeen) {
  const Scratch scratch;
  const std::string whole = pack("CONFIG_HZ_100=y\nCONFIG_HZ=100\n# CONFIG_HZ_250 is not set\n");
  for (std::size_t size = magic_bytes(); size < whole.size(); ++size) {
    const auto path = scratch.write("cut", whole.substr(0, size));
    EXPECT_EQ(refusal_of(path), refusal_text(path)) << size << " of " << whole.size();
  }
}

TEST_P(DamagedPack, GarbageAfterTheEndIsSeen) {
  const Scratch scratch;
  const auto path = scratch.write("tail", pack("text") + "garbage");
  EXPECT_EQ(refusal_of(path), refusal_text(path));
}

TEST_P(DamagedPack, FlippedBitsAreSeen) {
  const Scratch scratch;
  const std::string whole = pack("some text that is packed");
  std::string flipped = whole;
  flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 0x55);
  const auto path = scratch.write("flipped", flipped);
  EXPECT_EQ(refusal_of(path), refusal_text(path));
}

TEST_P(DamagedPack, BombIsStoppedAtTheLimit) {
  const Scratch scratch;
  const std::string bomb = pack(std::string(std::size_t{1} << 20, 'a'));
  ASSERT_LT(bomb.size(), 10000U);
  const auto path = scratch.write("bomb", bomb);
  EXPECT_EQ(refusal_of(path, 10000), path.string() +
                                         ": holds more than 10000 bytes; expected at "
                                         "most that many");
}

INSTANTIATE_TEST_SUITE_P(Formats, DamagedPack, testing::Values("gzip", "xz"),
                         [](const auto& format) { return format.param; });

// A real file cut in many places, most of them within one large block.
TEST(TextFile, CutsOfARealXz) {
  const Scratch scratch;
  const std::string whole = bytes_of(real_config("debian12-6.12-amd64.config.xz"));
  ASSERT_EQ(whole.size(), 57608U);
  for (const std::size_t size :
       std::vector<std::size_t>{12, 24, 1000, 28804, 57000, 57576, 57607}) {
    const auto path = scratch.write("cut.xz", whole.substr(0, size));
    EXPECT_NE(refusal_of(path).find("truncated or corrupt xz"), std::string::npos) << size;
  }
}

TEST(TextFile, TheLimitIsExact) {
  const Scratch scratch;
  const auto path = scratch.write("ten", "0123456789");
  EXPECT_EQ(read_text_file(path, 10), "0123456789");
  EXPECT_EQ(refusal_of(path, 9),
            path.string() + ": holds more than 9 bytes; expected at most that many");
}

std::vector<std::string> lines_of(const std::filesystem::path& path) {
  TextLines lines(path);
  std::vector<std::string> all;
  for (std::string line; lines.next(line);) {
    all.push_back(line);
    EXPECT_EQ(lines.number(), all.size());
  }
  return all;
}

TEST(TextLines, EndsOfLines) {
  const Scratch scratch;
  using Lines = std::vector<std::string>;
  EXPECT_EQ(lines_of(scratch.write("a", "one\n\ntwo\r\nthree")),
            (Lines{"one", "", "two", "three"}));
  EXPECT_EQ(lines_of(scratch.write("a", "one\n")), Lines{"one"});
  EXPECT_EQ(lines_of(scratch.write("a", "\n")), Lines{""});
  EXPECT_EQ(lines_of(scratch.write("a", "")), Lines{});
}

// Lines of all lengths, so that the blocks that are read end at every place of a line.
TEST(TextLines, OfAnyLengthPackedOrNot) {
  const Scratch scratch;
  std::vector<std::string> lines;
  std::string text;
  for (std::size_t i = 0; i < 3'000; ++i) {
    lines.push_back(std::string(i, static_cast<char>('a' + i % 26)));
    text += lines.back() + "\n";
  }
  lines.emplace_back(TextLines::kMostLineBytes, 'x');
  text += lines.back() + "\n";
  EXPECT_EQ(lines_of(scratch.write("plain", text)), lines);
  EXPECT_EQ(lines_of(scratch.write("gz", packed<io::gzip_compressor>(text))), lines);
  EXPECT_EQ(lines_of(scratch.write("xz", packed<io::lzma_compressor>(text))), lines);
  const std::string gz = packed<io::gzip_compressor>("a\n");
  EXPECT_EQ(lines_of(scratch.write("two", gz + gz)), (std::vector<std::string>{"a", "a"}));
}

TEST(TextLines, NamesTheLineThatItRefuses) {
  const Scratch scratch;
  const std::string most(TextLines::kMostLineBytes, 'x');
  for (const std::string& start : {std::string("a\n"), "a\n" + most + "\n"}) {
    const std::string line = std::to_string(start == "a\n" ? 2 : 3);
    for (const char* const end : {"", "\n"}) {
      const auto path = scratch.write("long", start + most + "x" + end);
      EXPECT_EQ(refusal([&] { lines_of(path); }),
                path.string() + ": line " + line + " is longer than 65536 bytes" + kExpected);
    }
    const auto path = scratch.write("nul", start + std::string("b\0c", 3) + "\nd\n");
    EXPECT_EQ(refusal([&] { lines_of(path); }),
              path.string() + ": line " + line + " holds a NUL byte" + kExpected);
  }
}

// Damage is not taken for the end.
TEST(TextLines, DamagedPacks) {
  const Scratch scratch;
  for (std::string bytes :
       {packed<io::gzip_compressor>("one\ntwo\n"), packed<io::lzma_compressor>("one\ntwo\n")}) {
    bytes.resize(bytes.size() - 3);
    const auto path = scratch.write("cut", bytes);
    EXPECT_NE(refusal([&] { lines_of(path); }).find("is a truncated or corrupt"),
              std::string::npos);
  }
}

TEST(TextLines, UnreadableIsNotEmpty) {
  EXPECT_EQ(refusal([] { lines_of("/proc/self/mem"); }),
            "/proc/self/mem: cannot be read: Input/output error" + kExpected);
}

}  // namespace
}  // namespace tickproof
