#include "properties/toml_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
namespace tickproof {
namespace {

std::string place(const std::string& file, const toml::source_region& source) {
  return fmt::format("{}:{}", file, source.begin.line);
}

std::string_view type_name(const toml::node& node) {
  // In the order of toml::node_type.
  constexpr std::array<std::string_view, 10> kNames{"nothing",       "a table",
                                                    "an array",      "a string",
                                                    "an integer",    "a number with a point",
                                                    "a boolean",     "a date",
                                                    "a time of day", "a date and time"};
  return kNames[static_cast<std::size_t>(node.type())];
}

template <class T>
T value_of(const TomlEntry& entry, std::string_view expected) {
  const auto* const value = entry.node->as<T>();
  if (value == nullptr) {
    entry.refuse(fmt::format("is {}; expected {}", type_name(*entry.node), expected));
  }
  return value->get();
}

const toml::table& table_of(const TomlEntry& entry) {
  const toml::table* const table = entry.node->as_table();
  if (table == nullptr) {
    entry.refuse(fmt::format("is {}; expected a table [{}]", type_name(*entry.node), entry.path));
  }
  return *table;
}

}  // namespace

std::string TomlEntry::string() const { return value_of<std::string>(*this, "a string in quotes"); }
std::int64_t TomlEntry::integer() const { return value_of<std::int64_t>(*this, "an integer"); }
bool TomlEntry::boolean() const { return value_of<bool>(*this, "true or false"); }
std::vector<std::string> TomlEntry::strings() const {
  const toml::array* const array = node->as_array();
  if (array == nullptr) refuse("is no list of strings");
  std::vector<std::string> texts;
  for (const toml::node& element : *array) {
    texts.push_back(TomlEntry{key, path, where, &element}.string());
  }
  return texts;
}

std::string TomlEntry::list() const {
  const toml::array* const array = node->as_array();
  if (array == nullptr) {
    refuse(fmt::format("is {}; expected a list, or a string with commas", type_name(*node)));
  }
  std::vector<std::string> texts;
  for (const toml::node& element : *array) {
    const TomlEntry item{key, path, where, &element};
    texts.push_back(element.is_integer() ? std::to_string(item.integer()) : item.string());
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

TomlTable::TomlTable(const toml::table& table, const std::string& file, const std::string& scope)
    : scope_(scope), where_(place(file, table.source())) {
  const std::string stem = scope.empty() ? "" : scope + ".";
  std::vector<std::pair<toml::source_position, TomlEntry>> found;
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    found.push_back({key.source().begin, {name, stem + name, place(file, key.source()), &node}});
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [position, entry] : found) entries_.push_back(std::move(entry));
}

TomlTable::TomlTable(const TomlEntry& entry, const std::string& file)
    : TomlTable(table_of(entry), file, entry.path) {}

void TomlTable::require_keys(std::span<const std::string> known) const {
  for (const TomlEntry& entry : entries_) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    throw InputError(entry.where, scope_, no_such("key", entry.key, known));
  }
}

const TomlEntry* TomlTable::find(std::string_view key) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const TomlEntry& entry) { return entry.key == key; });
  return found == entries_.end() ? nullptr : &*found;
}

const TomlEntry& TomlTable::at(std::string_view key, const std::string& expected) const {
  const TomlEntry* const entry = find(key);
  if (entry != nullptr) return *entry;
  throw InputError(where_, fmt::format("{}.{}", scope_, key), "is missing; expected " + expected);
}

std::vector<TomlTable> tables_in(const TomlEntry* entry, const std::string& file) {
  std::vector<TomlTable> tables;
  if (entry == nullptr) return tables;
  const toml::array* const array = entry->node->as_array();
  if (array == nullptr || !array->is_homogeneous<toml::table>()) {
    entry->refuse(fmt::format("is {}; expected tables [[{}]]",
                              array == nullptr ? type_name(*entry->node) : "an array of values",
                              entry->path));
  }
  for (const toml::node& node : *array) tables.emplace_back(*node.as_table(), file, entry->path);
  return tables;
}

}  // namespace tickproof
