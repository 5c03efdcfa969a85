#include "trace/kconfig_file.hpp"

#include <algorithm>
#include <boost/algorithm/string/trim.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "model/setting.hpp"
#include "model/text_file.hpp"
#include "model/words.hpp"

namespace tickproof {
namespace {

constexpr std::string_view kPrefix = "CONFIG_";
constexpr std::string_view kUnsetPrefix = "# CONFIG_";
constexpr std::string_view kUnsetSuffix = " is not set";
constexpr std::string_view kFullHeader = "# Automatically generated file; DO NOT EDIT.";
constexpr std::size_t kUnsetLinesOfFull = 100;

bool is_symbol_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// A string that is closed where the line ends, or one word (y, m, n, a number).
bool is_value(std::string_view text) {
  if (!text.starts_with('"')) {
    return !text.empty() && text.find_first_of(" \t") == std::string_view::npos;
  }
  std::size_t i = 1;
  while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return i + 1 == text.size();
}

/// "CONFIG_NAME=value"; none if the line is not of this form.
std::optional<KconfigSymbol> parse_assignment(std::string_view line, std::size_t number) {
  const auto equals = line.find('=');
  if (!line.starts_with(kPrefix) || equals == std::string_view::npos) return std::nullopt;
  const auto name = line.substr(kPrefix.size(), equals - kPrefix.size());
  const auto value = line.substr(equals + 1);
  if (!is_symbol_name(name) || !is_value(value)) return std::nullopt;
  return KconfigSymbol{std::string(name), std::string(value), number};
}

/// "# CONFIG_NAME is not set"; none for any other comment.
std::optional<KconfigSymbol> parse_unset(std::string_view line, std::size_t number) {
  if (!line.starts_with(kUnsetPrefix) || !line.ends_with(kUnsetSuffix)) return std::nullopt;
  line.remove_prefix(kUnsetPrefix.size());
  line.remove_suffix(std::min(line.size(), kUnsetSuffix.size()));
  if (!is_symbol_name(line)) return std::nullopt;
  return KconfigSymbol{std::string(line), "n", number};
}

}  // namespace

const KconfigSymbol* KconfigFile::find(std::string_view name) const {
  const auto found = symbols.find(name);
  return found == symbols.end() ? nullptr : &found->second;
}

const KconfigSymbol* KconfigFile::enabled(std::string_view name) const {
  const KconfigSymbol* const symbol = find(name);
  if (symbol == nullptr || symbol->value == "n") return nullptr;
  if (symbol->value != "y") {
    throw InputError(place(*symbol), "CONFIG_" + symbol->name,
                     shown(symbol->value) + " is neither y nor n; expected one of them");
  }
  return symbol;
}

std::string KconfigFile::place(const KconfigSymbol& symbol) const {
  return path + ":" + std::to_string(symbol.line);
}

KconfigFile read_kconfig_file(const std::filesystem::path& path) {
  std::istringstream text(read_text_file(path));
  KconfigFile file;
  file.path = path.string();
  std::size_t number = 0;
  std::size_t first_bad_line = 0;
  std::size_t unset_lines = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    boost::algorithm::trim_right(line);
    if (line.empty()) continue;
    std::optional<KconfigSymbol> symbol;
    if (line.starts_with('#')) {
      if (line == kFullHeader) file.full = true;
      symbol = parse_unset(line, number);
      if (!symbol) continue;
      ++unset_lines;
    } else {
      symbol = parse_assignment(line, number);
    }
    if (symbol) {
      std::string name = symbol->name;
      file.symbols.insert_or_assign(std::move(name), *std::move(symbol));
    } else if (first_bad_line == 0) {
      first_bad_line = number;
    }
  }
  if (unset_lines >= kUnsetLinesOfFull) file.full = true;
  // A file of another kind altogether is better told so than sent to its line 1.
  if (file.symbols.empty()) {
    throw InputError(file.path, "",
                     "is not a kernel configuration: no CONFIG_ line; expected a .config, a "
                     "defconfig or /proc/config.gz");
  }
  if (first_bad_line != 0) {
    throw InputError(file.path + ":" + std::to_string(first_bad_line), "",
                     "is not a line of a kernel configuration; expected CONFIG_NAME=value or "
                     "'# CONFIG_NAME is not set'");
  }
  return file;
}

}  // namespace tickproof
