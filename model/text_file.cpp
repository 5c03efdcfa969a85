// Boost.Iostreams checks the end of what it unpacks: gzip's CRC, and xz's index
// and footer (liblzma's LZMA_FINISH). A file that was cut anywhere throws, and so
// never passes for a short text.
#include "model/text_file.hpp"

#include <algorithm>
#include <array>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include "model/setting.hpp"

namespace tickproof {
namespace {

namespace io = boost::iostreams;
using namespace std::string_view_literals;

constexpr std::string_view kGzipMagic = "\x1f\x8b"sv;
constexpr std::string_view kXzMagic =
    "\xfd"
    "7zXZ\0"sv;

/// Of the blocks that a packed file is read and unpacked in.
constexpr std::streamsize kPackBytes = std::streamsize{1} << 16;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
  throw InputError(path.string(), "", why);
}

std::string with_expectation(const std::string& why) {
  return why + "; expected a text file, plain or packed with gzip or xz";
}

/// Everything `in` holds. An error of the source leaves as std::ios_base::failure.
std::string read_all(std::istream& in, const std::filesystem::path& path, std::size_t most_bytes) {
  // Without this a failing source looks like the end of the file.
  in.exceptions(std::ios_base::badbit);
  std::string bytes;
  std::array<char, std::size_t{1} << 16> block{};
  do {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    bytes.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (bytes.size() > most_bytes) {
      refuse(path, "holds more than " + std::to_string(most_bytes) +
                       " bytes; expected at most that many");
    }
  } while (in);
  return bytes;
}

std::ifstream open_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    refuse(path, with_expectation("is a directory"));
  }
  std::ifstream in(path, std::ios_base::binary);
  if (!in) {
    const std::error_code reason(errno, std::generic_category());
    refuse(path, with_expectation("cannot be opened: " + reason.message()));
  }
  return in;
}

[[noreturn]] void refuse_packing(const std::filesystem::path& path, const std::string& format) {
  refuse(path, "is a truncated or corrupt " + format + " file; expected a whole one (" + format +
                   " -t tells), or the text unpacked");
}

std::string read_bytes(const std::filesystem::path& path, std::size_t most_bytes) {
  std::ifstream in = open_file(path);
  try {
    return read_all(in, path, most_bytes);
  } catch (const std::ios_base::failure& error) {
    refuse(path, with_expectation("cannot be read: " + error.code().message()));
  }
}

template <class Decompressor>
std::string unpack(const std::string& packed, const std::string& format,
                   const std::filesystem::path& path, std::size_t most_bytes) {
  io::filtering_istream in;
  in.push(Decompressor());
  in.push(io::array_source(packed.data(), packed.size()));
  try {
    return read_all(in, path, most_bytes);
  } catch (const std::ios_base::failure&) {
    refuse_packing(path, format);
  }
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path, std::size_t most_bytes) {
  std::string text = read_bytes(path, most_bytes);
  if (text.starts_with(kGzipMagic)) {
    text = unpack<io::gzip_decompressor>(text, "gzip", path, most_bytes);
  } else if (text.starts_with(kXzMagic)) {
    text = unpack<io::lzma_decompressor>(text, "xz", path, most_bytes);
  }
  if (text.empty()) refuse(path, with_expectation("is empty"));
  if (const auto nul = text.find('\0'); nul != std::string::npos) {
    refuse(path,
           with_expectation("is a binary file (NUL byte at offset " + std::to_string(nul) + ")"));
  }
  return text;
}

struct TextLines::Streams {
  std::ifstream file;
  io::filtering_istream unpacked;  // of a packed file only
  std::string format;              // of the packing; empty for plain text

  /// Up to `size` bytes of the text; fewer only at its end.
  std::size_t read(char* to, std::size_t size) {
    std::istream& text = format.empty() ? static_cast<std::istream&>(file) : unpacked;
    if (!text) return 0;
    text.read(to, static_cast<std::streamsize>(size));
    return static_cast<std::size_t>(text.gcount());
  }
};

TextLines::TextLines(const std::filesystem::path& path)
    : path_(path),
      streams_(std::make_unique<Streams>()),
      buffer_(std::make_unique<char[]>(kBufferBytes)) {
  std::ifstream& file = streams_->file;
  file = open_file(path);
  // Put back rather than read again: a pipe has each byte once.
  std::array<char, kXzMagic.size()> start{};
  file.read(start.data(), start.size());
  const std::streamsize size = file.gcount();
  file.clear();
  for (std::streamsize i = 0; i < size; ++i) file.unget();
  file.exceptions(std::ios_base::badbit);
  const std::string_view magic(start.data(), static_cast<std::size_t>(size));
  io::filtering_istream& unpacked = streams_->unpacked;
  if (magic.starts_with(kGzipMagic)) {
    streams_->format = "gzip";
    unpacked.push(io::gzip_decompressor(io::zlib::default_window_bits, kPackBytes), kPackBytes);
  } else if (magic.starts_with(kXzMagic)) {
    streams_->format = "xz";
    unpacked.push(io::lzma_decompressor(kPackBytes), kPackBytes);
  } else {
    return;
  }
  unpacked.push(file, kPackBytes);
  unpacked.exceptions(std::ios_base::badbit);
}

TextLines::~TextLines() = default;

bool TextLines::fill() {
  // What is left of the last line goes to the front.
  const std::size_t rest = end_ - begin_;
  std::memmove(buffer_.get(), buffer_.get() + begin_, rest);
  begin_ = 0;
  end_ = rest;
  std::size_t size = 0;
  try {
    size = streams_->read(buffer_.get() + rest, kBufferBytes - rest);
  } catch (const std::ios_base::failure& error) {
    if (!streams_->format.empty()) refuse_packing(path_, streams_->format);
    refuse(path_, with_expectation("cannot be read: " + error.code().message()));
  }
  end_ += size;
  holds_nul_ = std::memchr(buffer_.get(), '\0', end_) != nullptr;
  return size > 0;
}

bool TextLines::next(std::string_view& line) {
  std::size_t searched = 0;
  const void* newline = nullptr;
  while (true) {
    const char* const from = buffer_.get() + begin_ + searched;
    newline = std::memchr(from, '\n', end_ - begin_ - searched);
    searched = end_ - begin_;
    if (newline != nullptr || searched > kMostLineBytes || !fill()) break;
  }
  if (searched == 0) return false;
  const char* const start = buffer_.get() + begin_;
  std::size_t size = searched;  // the last line may have no end
  if (newline != nullptr)
    size = static_cast<std::size_t>(static_cast<const char*>(newline) - start);
  begin_ += std::min(size + 1, searched);
  ++number_;
  line = std::string_view(start, size);
  if (size > kMostLineBytes) {
    refuse(path_, with_expectation("line " + std::to_string(number_) + " is longer than " +
                                   std::to_string(kMostLineBytes) + " bytes"));
  }
  if (holds_nul_ && line.find('\0') != std::string_view::npos) {
    refuse(path_, with_expectation("line " + std::to_string(number_) + " holds a NUL byte"));
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

bool TextLines::next(std::string& line) {
  std::string_view view;
  if (!next(view)) return false;
  line = view;
  return true;
}

}  // namespace tickproof
