#include "trace/ftrace.hpp"

#include <charconv>

namespace tickproof {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kDigits) == std::string_view::npos;
}

/// Of digits only, and few enough.
std::int64_t number_of(std::string_view digits) {
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

/// Cuts the first word, and the blanks around it, off `text`.
std::string_view cut_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

/// "0.928556:" in ns.
std::optional<Ns> timestamp(std::string_view word) {
  if (!word.ends_with(':')) return std::nullopt;
  word.remove_suffix(1);
  const std::size_t point = word.find('.');
  if (point == std::string_view::npos) return std::nullopt;
  const std::string_view seconds = word.substr(0, point);
  const std::string_view fraction = word.substr(point + 1);
  if (!is_number(seconds) || !is_number(fraction) || seconds.size() > 9 || fraction.size() > 9) {
    return std::nullopt;
  }
  Ns part = number_of(fraction);
  for (std::size_t digits = fraction.size(); digits < 9; ++digits) part *= 10;
  return number_of(seconds) * kSec + part;
}

}  // namespace

std::optional<TraceEvent> parse_ftrace_line(std::string_view line) {
  // "[000]" and a time behind it; what looks like it in a task's name has none.
  for (std::size_t open = line.find('['); open != std::string_view::npos;
       open = line.find('[', open + 1)) {
    const std::size_t close = line.find(']', open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view cpu = line.substr(open + 1, close - open - 1);
    if (!is_number(cpu) || cpu.size() > 6) continue;
    std::string_view rest = line.substr(close + 1);
    std::string_view word = cut_word(rest);
    std::optional<Ns> time = timestamp(word);
    if (!time) {  // the flags: "d.h..", left out by `trace-cmd report` of old
      word = cut_word(rest);
      time = timestamp(word);
    }
    if (!time) continue;
    std::string_view name = cut_word(rest);
    if (name.size() < 2 || !name.ends_with(':')) continue;
    name.remove_suffix(1);
    if (!rest.empty()) rest.remove_prefix(1);
    return TraceEvent{static_cast<int>(number_of(cpu)), *time, name, rest};
  }
  return std::nullopt;
}

std::optional<std::int64_t> parse_lost_events(std::string_view line) {
  constexpr std::string_view kLost = "[LOST ";
  constexpr std::string_view kEvents = " EVENTS]";
  const std::size_t at = line.find(kLost);
  if (!line.starts_with("CPU:") || at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(at + kLost.size());
  const std::string_view count = rest.substr(0, rest.find(kEvents));
  if (!is_number(count) || count.size() > 18 || count.size() == rest.size()) return std::nullopt;
  return number_of(count);
}

bool is_ftrace_comment(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t");
  return start == std::string_view::npos || line[start] == '#';
}

bool FieldReader::next(std::string_view& key, std::string_view& value) {
  while (true) {
    const std::string_view word = cut_word(rest_);
    if (word.empty()) return false;
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) continue;
    key = word.substr(0, equals);
    value = word.substr(equals + 1);
    return true;
  }
}

}  // namespace tickproof
