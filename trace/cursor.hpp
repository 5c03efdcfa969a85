// A place in a line of text that moves on as the line is taken apart. Every reader of
// trace lines is made of these few steps; each looks at a character once, which is where
// the speed of reading a trace comes from.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tickproof {

/// A short text, of 1 to 8 bytes, that is compared in one step.
class Tag {
 public:
  static constexpr std::size_t kMostBytes = 8;

  constexpr explicit Tag(std::string_view text) : size_(text.size()) {
    std::array<char, kMostBytes> bytes{};
    std::array<unsigned char, kMostBytes> mask{};
    for (std::size_t i = 0; i < text.size(); ++i) {
      bytes.at(i) = text[i];
      mask.at(i) = 0xff;
    }
    bytes_ = std::bit_cast<std::uint64_t>(bytes);
    mask_ = std::bit_cast<std::uint64_t>(mask);
  }
  std::size_t size() const { return size_; }
  bool begins(const char* text, std::size_t bytes) const {
    std::uint64_t found = 0;
    if (bytes >= sizeof found) {
      std::memcpy(&found, text, sizeof found);
      return (found & mask_) == bytes_;
    }
    std::memcpy(&found, text, bytes);
    return bytes >= size_ && (found & mask_) == bytes_;
  }

 private:
  std::size_t size_;
  std::uint64_t bytes_ = 0;
  std::uint64_t mask_ = 0;
};

class Cursor {
 public:
  explicit Cursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool at_end() const { return at_ == end_; }
  /// At a blank, or at the end.
  bool at_gap() const { return at_ == end_ || *at_ == ' '; }
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }

  void skip_blanks() {
    while (at_ != end_ && *at_ == ' ') ++at_;
  }
  /// What is there up to the next blank.
  std::string_view word() {
    const char* const start = at_;
    while (!at_gap()) ++at_;
    return {start, static_cast<std::size_t>(at_ - start)};
  }
  bool take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view text) {
    if (rest().size() < text.size() || std::memcmp(at_, text.data(), text.size()) != 0) {
      return false;
    }
    at_ += text.size();
    return true;
  }
  bool take(const Tag& tag) {
    if (!tag.begins(at_, rest().size())) return false;
    at_ += tag.size();
    return true;
  }
  /// Digits, with a minus sign or not. False: there are none, or too many for 64 bits.
  bool take_number(std::int64_t& value) {
    const bool negative = at_ != end_ && *at_ == '-';
    const char* const digits = at_ + (negative ? 1 : 0);
    const char* const stop = digits + std::min(end_ - digits, kSafeDigits);
    const char* p = digits;
    std::int64_t result = 0;
    for (; p != stop && is_digit(*p); ++p) result = 10 * result + (*p - '0');
    if (p == digits) return false;
    if (p != end_ && is_digit(*p)) {  // a long one, and rare
      const auto [end, error] = std::from_chars(at_, end_, result);
      if (error != std::errc()) return false;
      at_ = end;
      value = result;
      return true;
    }
    at_ = p;
    value = negative ? -result : result;
    return true;
  }
  /// One to `most` digits, no more. `count` is how many there are.
  bool take_digits(std::size_t most, std::int64_t& value, std::size_t& count) {
    const char* p = at_;
    value = 0;
    for (count = 0; p != end_ && is_digit(*p); ++p) {
      if (++count > most) return false;
      value = 10 * value + (*p - '0');
    }
    at_ = p;
    return count > 0;
  }

 private:
  static constexpr std::ptrdiff_t kSafeDigits = 18;  // any such number fits

  static bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

  const char* at_;
  const char* end_;
};

}  // namespace tickproof
