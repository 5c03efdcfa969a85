#include "model/units.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "model/setting.hpp"

namespace tickproof {
namespace {

struct Unit {
  std::string_view name;
  Ns ns;
};
// "s" last: every other unit ends in it.
constexpr std::array<Unit, 4> kUnits{{{"ns", 1}, {"us", kUsec}, {"ms", kMsec}, {"s", kSec}}};

[[noreturn]] void bad_time(std::string_view text, const std::string& why) {
  throw BadValue("'" + std::string(text) + "' " + why +
                 "; write a number and a unit: 3ms, 2.8ms, 700us, 0");
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Ns parse_duration(std::string_view text) {
  if (text == "0") return 0;
  if (!text.empty() && text.front() == '-') bad_time(text, "is negative");
  const auto unit = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) {
    return text.ends_with(u.name) && text.size() > u.name.size() &&
           (is_digit(text[text.size() - u.name.size() - 1]) ||
            text[text.size() - u.name.size() - 1] == ' ');
  });
  if (unit == kUnits.end()) bad_time(text, "is not a time");
  std::string_view number = text.substr(0, text.size() - unit->name.size());
  while (!number.empty() && number.back() == ' ') number.remove_suffix(1);

  Ns value = 0;
  Ns scale = unit->ns;
  bool fraction = false;
  bool digits = false;
  for (const char c : number) {
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (!is_digit(c)) bad_time(text, "is not a time");
    digits = true;
    if (fraction) {
      if (scale % 10 != 0) {
        if (c != '0') bad_time(text, "is finer than a nanosecond");
        continue;
      }
      scale /= 10;
      value += (c - '0') * scale;
    } else {
      // The bound also keeps the arithmetic far from overflow.
      value = value * 10 + (c - '0') * unit->ns;
      if (value > kLongestTime) bad_time(text, "is longer than 1000s");
    }
  }
  if (!digits) bad_time(text, "is not a time");
  if (value > kLongestTime) bad_time(text, "is longer than 1000s");
  return value;
}

Interval parse_interval(std::string_view text) {
  const auto dots = text.find("..");
  if (dots == std::string_view::npos) {
    const Ns both = parse_duration(text);
    return {both, both};
  }
  const Interval interval{parse_duration(text.substr(0, dots)),
                          parse_duration(text.substr(dots + 2))};
  if (interval.lo > interval.hi) {
    throw BadValue("'" + std::string(text) + "' ends before it starts; write low..high");
  }
  return interval;
}

std::string format_duration(Ns time) {
  if (time == 0) return "0";
  const bool negative = time < 0;
  const std::uint64_t magnitude =
      negative ? -static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
  const Unit* unit = &kUnits[0];
  for (const Unit& u : kUnits) {
    if (magnitude >= static_cast<std::uint64_t>(u.ns)) unit = &u;
  }
  const auto scale = static_cast<std::uint64_t>(unit->ns);
  std::string text = std::to_string(magnitude / scale);
  if (std::uint64_t rest = magnitude % scale; rest != 0) {
    std::string digits = std::to_string(rest);
    digits.insert(0, std::to_string(scale).size() - 1 - digits.size(), '0');
    digits.erase(digits.find_last_not_of('0') + 1);
    text += "." + digits;
  }
  return (negative ? "-" : "") + text + std::string(unit->name);
}

std::string format_interval(const Interval& interval) {
  if (interval.lo == interval.hi) return format_duration(interval.lo);
  return format_duration(interval.lo) + ".." + format_duration(interval.hi);
}

}  // namespace tickproof
