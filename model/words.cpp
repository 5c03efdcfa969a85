#include "model/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

namespace tickproof {
namespace {

/// The least number of letters to put in, take out, replace or swap with their
/// neighbour that turns one word into the other. Small and capital letters are alike.
std::size_t distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  };
  // to[i][j]: from the first i letters of a to the first j of b.
  std::vector<std::vector<std::size_t>> to(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        to[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = to[i - 1][j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
      to[i][j] = std::min({replaced, to[i - 1][j] + 1, to[i][j - 1] + 1});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        to[i][j] = std::min(to[i][j], to[i - 2][j - 2] + 1);
      }
    }
  }
  return to.back().back();
}

/// Empty if all of them are something else altogether.
std::string_view nearest(std::string_view found, std::span<const std::string> known) {
  constexpr std::size_t kLongestWord = 64;  // keeps the matrix small, whatever was found
  if (found.size() > kLongestWord) return {};
  std::string_view best;
  std::size_t least = std::clamp<std::size_t>(found.size() / 3, 1, 3) + 1;
  for (const std::string& word : known) {
    const std::size_t d = distance(found, word);
    if (d >= least) continue;
    least = d;
    best = word;
  }
  return best;
}

}  // namespace

std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t lo, std::int64_t hi) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < lo || value > hi) return std::nullopt;
  return value;
}

std::string printable(std::string_view text) {
  std::string result(text);
  std::replace_if(
      result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return result;
}

std::string shown(std::string_view found) {
  constexpr std::size_t kMostShown = 40;
  return fmt::format("'{}{}'", printable(found.substr(0, kMostShown)),
                     found.size() > kMostShown ? "..." : "");
}

bool is_name(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr std::string_view kOthers = "0123456789_-";
  if (text.empty() || kLetters.find(text.front()) == std::string_view::npos) return false;
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return kLetters.find(c) != std::string_view::npos || kOthers.find(c) != std::string_view::npos;
  });
}

std::string no_such(std::string_view what, std::string_view found,
                    std::span<const std::string> known) {
  const std::string_view meant = nearest(found, known);
  return fmt::format("no {} {}; {}there {}", what, shown(found),
                     meant.empty() ? "" : fmt::format("did you mean {}? ", meant),
                     known.empty() ? "is none" : fmt::format("are {}", fmt::join(known, ", ")));
}

}  // namespace tickproof
