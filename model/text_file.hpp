// A whole text file in memory, unpacked where it is packed. Every reader of files
// starts here, so that none of them has to think of compression.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace tickproof {

/// Far more than any configuration or trace that is read by eye, far less than
/// the memory of a machine: a packed file cannot grow beyond it.
inline constexpr std::size_t kMostTextBytes = std::size_t{64} << 20;

/// Reads a file that is plain text, gzip or xz; the first bytes tell, not the
/// name. Works on what has no size of its own (/proc/config.gz, debugfs, a pipe).
/// Throws InputError, with the path first, if the file is missing, a directory,
/// unreadable, empty, binary (a NUL byte), truncated or corrupt in its packing,
/// or longer than `most_bytes`, packed or unpacked.
std::string read_text_file(const std::filesystem::path& path,
                           std::size_t most_bytes = kMostTextBytes);

/// The same file line by line, of any length: what is kept is one block of it.
class TextLines {
 public:
  /// Throws InputError as read_text_file() does where the file can't be opened.
  explicit TextLines(const std::filesystem::path& path);
  ~TextLines();
  TextLines(const TextLines&) = delete;
  TextLines& operator=(const TextLines&) = delete;

  /// The next line, without its end; the view is valid until the next call. False: there
  /// is none. Throws InputError where the packing is truncated or corrupt, and for a line
  /// that is longer than kMostLineBytes or holds a NUL byte.
  bool next(std::string_view& line);
  /// The same, as a copy that may be changed.
  bool next(std::string& line);
  /// Of the line that was read last; 1 is the first.
  std::size_t number() const { return number_; }

  static constexpr std::size_t kMostLineBytes = std::size_t{1} << 16;

 private:
  struct Streams;
  static constexpr std::size_t kBufferBytes = 4 * kMostLineBytes;

  bool fill();

  std::filesystem::path path_;
  std::unique_ptr<Streams> streams_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;   // of what was not given out yet
  std::size_t end_ = 0;     // of what was read
  bool holds_nul_ = false;  // does the buffer?
  std::size_t number_ = 0;
};

}  // namespace tickproof
