#include "trace/words.hpp"

#include <charconv>

namespace tickproof {

std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t lo,
                                          std::uint64_t hi) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < lo || value > hi) return std::nullopt;
  return value;
}

std::string shown(std::string_view found) {
  constexpr std::size_t kMostShown = 40;
  std::string text = "'";
  for (const char c : found.substr(0, kMostShown)) text += c < ' ' || c > '~' ? '?' : c;
  return text + (found.size() > kMostShown ? "...'" : "'");
}

}  // namespace tickproof
