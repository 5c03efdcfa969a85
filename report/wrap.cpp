#include "report/wrap.hpp"

#include <algorithm>

namespace tickproof {

std::string wrapped(std::string_view label, std::string_view text, std::size_t indent) {
  std::string result;
  std::string line(label);
  line.resize(std::max(line.size() + (line.empty() ? 0 : 1), indent), ' ');
  if (label.empty()) line.assign(indent, ' ');
  bool empty = true;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
    if (!empty && line.size() + 1 + word.size() > kTextWidth) {
      result += line + '\n';
      line.assign(indent, ' ');
      empty = true;
    }
    if (!empty) line += ' ';
    line += word;
    empty = false;
  }
  return result + line + '\n';
}

}  // namespace tickproof
