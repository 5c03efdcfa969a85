#include "report/milliseconds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tickproof {

std::string in_ms(Ns time, int decimals) {
  const auto magnitude =
      time < 0 ? -static_cast<std::uint64_t>(time) : static_cast<std::uint64_t>(time);
  std::string text =
      fmt::format("{}{}.{:06}", time < 0 ? "-" : "", magnitude / kMsec, magnitude % kMsec);
  const std::size_t point = text.size() - 7;
  const std::size_t needed = text.find_last_not_of('0') - point;
  const std::size_t kept = std::max(needed, static_cast<std::size_t>(decimals));
  text.resize(kept == 0 ? point : point + 1 + kept);
  return text;
}

int decimals_of(std::span<const Ns> times) {
  int most = 0;
  for (const Ns time : times) {
    const std::string text = in_ms(time);
    const std::size_t point = text.find('.');
    if (point != std::string::npos)
      most = std::max(most, static_cast<int>(text.size() - point - 1));
  }
  return most;
}

}  // namespace tickproof
