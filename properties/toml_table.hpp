// A table of a TOML file read strictly: no key passes that nobody asked for, and
// every complaint names its line.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/setting.hpp"
#include "model/words.hpp"

namespace tickproof {

/// A key with its value.
struct TomlEntry {
  std::string key;
  std::string path;   ///< with the tables around it: "tick.mode"
  std::string where;  ///< "FILE:LINE"
  const toml::node* node;

  /// The value, if it has that type; else these throw InputError.
  std::string string() const;
  std::int64_t integer() const;
  bool boolean() const;
  std::vector<std::string> strings() const;
  /// "a, b": those of a list of strings or integers.
  std::string list() const;
  bool is_string() const { return node->is_string(); }

  [[noreturn]] void refuse(const std::string& why) const { throw InputError(where, path, why); }
  /// What read() returns; a BadValue leaves it as an InputError.
  template <class Read>
  auto checked(const Read& read) const {
    try {
      return read();
    } catch (const BadValue& error) {
      refuse(printable(error.what()));
    }
  }
};

/// Its entries, in the order of their lines.
class TomlTable {
 public:
  /// A table of the file `file`, named `scope` in messages ("" for the whole file).
  TomlTable(const toml::table& table, const std::string& file, const std::string& scope);
  /// The table that is the value of `entry`. Throws InputError if it is none.
  TomlTable(const TomlEntry& entry, const std::string& file);

  /// Throws InputError for the first key that is not among `known`.
  void require_keys(std::span<const std::string> known) const;

  const std::vector<TomlEntry>& entries() const { return entries_; }
  /// nullptr if the key is not there.
  const TomlEntry* find(std::string_view key) const;
  /// Throws InputError with `expected` if the key is not there.
  const TomlEntry& at(std::string_view key, const std::string& expected) const;
  /// "FILE:LINE" of its first line.
  const std::string& where() const { return where_; }

 private:
  std::vector<TomlEntry> entries_;
  std::string scope_;
  std::string where_;
};

/// The tables of an array [[key]]; none if `entry` is null. Throws InputError if it
/// is anything else.
std::vector<TomlTable> tables_in(const TomlEntry* entry, const std::string& file);

}  // namespace tickproof
