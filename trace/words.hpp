// The small pieces that the readers of configuration files share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tickproof {

/// A whole number in decimal digits with nothing around them, lo <= n <= hi.
std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t lo,
                                          std::uint64_t hi);

/// What was found, for an error message of one line: in quotes, shortened, and
/// without bytes that a terminal would act on.
std::string shown(std::string_view found);

}  // namespace tickproof
