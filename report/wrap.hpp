#pragma once

#include <string>
#include <string_view>

namespace tickproof {

/// The width of all plain text: it is pasted into mails.
inline constexpr std::size_t kTextWidth = 72;

/// `label`, padded to `indent` columns, then `text`, broken at spaces so that no line
/// is longer than kTextWidth; continued lines start at `indent`. Ends in a line feed.
std::string wrapped(std::string_view label, std::string_view text, std::size_t indent);

}  // namespace tickproof
