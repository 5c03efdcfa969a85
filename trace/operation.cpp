#include "trace/operation.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "model/setting.hpp"
#include "model/words.hpp"

namespace tickproof {
namespace {

template <class Record>
struct Field {
  constexpr Field(std::string_view name, std::int64_t Record::*needed_member)
      : key(name), needed(needed_member) {}
  constexpr Field(std::string_view name, std::optional<std::int64_t> Record::*optional_member)
      : key(name), optional(optional_member) {}

  std::int64_t& in(Record& record) const {
    if (needed != nullptr) return record.*needed;
    return (record.*optional).emplace();
  }

  std::string_view key;
  std::int64_t Record::*needed = nullptr;
  std::optional<std::int64_t> Record::*optional = nullptr;
};

constexpr std::array<Field<Operation>, 22> kOperationFields{{
    {"now", &Operation::now},       {"pid", &Operation::pid},         {"arg", &Operation::arg},
    {"arg2", &Operation::arg2},     {"vr", &Operation::vr},           {"dl", &Operation::dl},
    {"vlag", &Operation::vlag},     {"slice", &Operation::slice},     {"w", &Operation::w},
    {"onrq", &Operation::onrq},     {"delayed", &Operation::delayed}, {"rel", &Operation::rel},
    {"custom", &Operation::custom}, {"nr", &Operation::nr},           {"curr", &Operation::curr},
    {"avgvr", &Operation::avgvr},   {"avgload", &Operation::avgload}, {"zero", &Operation::zero},
    {"V", &Operation::v},           {"vprot", &Operation::vprot},     {"hw", &Operation::hw},
    {"next", &Operation::next},
}};
constexpr std::array<Field<QueueEntry>, 12> kEntryFields{{
    {"i", &QueueEntry::i},
    {"pid", &QueueEntry::pid},
    {"vr", &QueueEntry::vr},
    {"dl", &QueueEntry::dl},
    {"vlag", &QueueEntry::vlag},
    {"slice", &QueueEntry::slice},
    {"w", &QueueEntry::w},
    {"onrq", &QueueEntry::onrq},
    {"delayed", &QueueEntry::delayed},
    {"elig", &QueueEntry::elig},
    {"vprot", &QueueEntry::vprot},
    {"hw", &QueueEntry::hw},
}};

/// Reads the fields of the table, each needed one of which must be there; others are passed
/// over.
template <class Record, std::size_t count>
Record parse(std::string_view fields, const std::array<Field<Record>, count>& table) {
  Record record;
  FieldReader reader(fields);
  std::string_view key;
  std::string_view value;
  // Lines have their fields in one order, so the next one is nearly always the right one.
  std::size_t expected = 0;
  std::size_t found = 0;
  while (reader.next(key, value)) {
    for (std::size_t tried = 0; tried < count; ++tried) {
      const Field<Record>& field = table[(expected + tried) % count];
      if (field.key != key) continue;
      const auto [end, error] =
          std::from_chars(value.data(), value.data() + value.size(), field.in(record));
      if (error != std::errc() || end != value.data() + value.size()) {
        throw BadValue(std::string(key) + "=" + shown(value) + " is no number of 64 bits");
      }
      expected = (expected + tried + 1) % count;
      if (field.needed != nullptr) ++found;
      break;
    }
  }
  const auto is_needed = [](const Field<Record>& field) { return field.needed != nullptr; };
  if (found < static_cast<std::size_t>(std::count_if(table.begin(), table.end(), is_needed))) {
    std::string keys;
    for (const Field<Record>& field : table) {
      if (is_needed(field)) keys += " " + std::string(field.key);
    }
    throw BadValue("the line is cut, or no such event; expected the fields" + keys);
  }
  return record;
}

}  // namespace

Operation parse_operation(std::string_view fields) {
  Operation operation = parse(fields, kOperationFields);
  FieldReader reader(fields);
  std::string_view key;
  while (key != "op") {
    if (!reader.next(key, operation.op)) throw BadValue("the field op is missing");
  }
  return operation;
}

QueueEntry parse_queue_entry(std::string_view fields) { return parse(fields, kEntryFields); }

}  // namespace tickproof
