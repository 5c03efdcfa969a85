// Times as people write them ("3ms", "2.8ms", "700us") and as the kernel keeps
// them (nanoseconds).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tickproof {

/// Real time in nanoseconds.
using Ns = std::int64_t;

inline constexpr Ns kUsec = 1'000;
inline constexpr Ns kMsec = 1'000'000;
inline constexpr Ns kSec = 1'000'000'000;

/// The longest time any setting may name; far beyond every scheduler constant,
/// and far from the end of 64 bits.
inline constexpr Ns kLongestTime = 1'000 * kSec;

/// A closed interval of times, lo <= hi, in ns.
struct Interval {
  Ns lo = 0;
  Ns hi = 0;
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Reads a time with its unit: a decimal number followed by ns, us, ms or s.
/// A bare "0" needs no unit. The result is exact: "0.5ns" is refused.
/// Throws BadValue (model/setting.hpp) that says what would be right.
Ns parse_duration(std::string_view text);

/// Reads "3us" (both ends equal) or "1us..3us".
Interval parse_interval(std::string_view text);

/// The shortest exact form in the largest unit that keeps it readable:
/// 2800000 -> "2.8ms", 700000 -> "700us", 0 -> "0".
std::string format_duration(Ns time);
std::string format_interval(const Interval& interval);

}  // namespace tickproof
