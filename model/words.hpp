// The small pieces that the readers of configurations share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tickproof {

/// A whole number in decimal digits, below 0 with a '-', and nothing around them;
/// lo <= n <= hi.
std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t lo, std::int64_t hi);

/// The text with '?' for every byte that could break the line of a message, or that
/// a terminal would act on.
std::string printable(std::string_view text);

/// What was found, for an error message of one line: in quotes, shortened, printable.
std::string shown(std::string_view found);

/// For an error message: "no key 'base_slise'; did you mean base_slice? there are
/// kernel, hz, ...". Suggests the nearest of `known` if it is near at all.
std::string no_such(std::string_view what, std::string_view found,
                    std::span<const std::string> known);

/// May a task or a property be called that? A letter, then letters, digits, '_', '-'.
bool is_name(std::string_view text);
/// What is_name() asks for, for the end of an error message.
inline constexpr const char* kNameForm = "expected a letter, then letters, digits, '_' or '-'";

}  // namespace tickproof
