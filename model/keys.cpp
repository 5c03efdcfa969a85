#include "model/keys.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "model/words.hpp"

namespace tickproof {
namespace {

constexpr std::string_view kName = "NAME";

/// What stands for NAME if `key` is one of p's.
std::optional<std::string> name_in(const Parameter& p, std::string_view key) {
  const std::string_view pattern = p.key;
  const auto at = pattern.find(kName);
  if (at == std::string_view::npos) return key == pattern ? std::optional("") : std::nullopt;
  const std::string_view before = pattern.substr(0, at);
  const std::string_view after = pattern.substr(at + kName.size());
  if (key.size() <= before.size() + after.size()) return std::nullopt;
  if (!key.starts_with(before) || !key.ends_with(after)) return std::nullopt;
  const auto name = key.substr(before.size(), key.size() - before.size() - after.size());
  // What a terminal would act on, say, stands for no name at all.
  if (!std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; })) {
    return std::nullopt;
  }
  return std::string(name);
}

/// Every key, those of families for the member that `key` seems to speak of: a slip
/// in "task.hog.niec" is one in the field.
std::vector<std::string> keys_like(const std::string& key) {
  const auto dot = key.find('.');
  std::string name = dot == std::string::npos ? "" : key.substr(dot + 1);
  name = name.substr(0, name.find('.'));
  std::vector<std::string> keys;
  for (const Parameter& p : all_parameters()) {
    keys.push_back(name.empty() ? p.key : key_of(p, name));
  }
  return keys;
}

}  // namespace

Key find_key(const Assignment& assignment) {
  for (const Parameter& p : all_parameters()) {
    if (auto name = name_in(p, assignment.key)) return {p, *std::move(name)};
  }
  throw InputError(assignment.origin.where, "",
                   no_such("key", assignment.key, keys_like(assignment.key)));
}

std::string key_of(const Parameter& p, const std::string& name) {
  std::string key = p.key;
  if (const auto at = key.find(kName); at != std::string::npos) key.replace(at, kName.size(), name);
  return key;
}

}  // namespace tickproof
