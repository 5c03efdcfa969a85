#include "trace/operation.hpp"

#include <algorithm>
#include <array>

#include "model/setting.hpp"
#include "model/words.hpp"
#include "trace/cursor.hpp"

namespace tickproof {
namespace {

/// One "key=number" of a line; keys have up to 7 bytes.
template <class Record>
struct Field {
  /// Without a member: known to be there, and not used. An optional field is not in the
  /// lines of every kernel; its member stays as it is where it is missing.
  constexpr Field(std::string_view name, std::int64_t Record::*to = nullptr, bool may_miss = false)
      : key(name), tag(tag_of(name)), member(to), optional(may_miss) {}

  std::string_view key;
  Tag tag;  // "key="
  std::int64_t Record::*member;
  bool optional;

 private:
  static constexpr Tag tag_of(std::string_view name) {
    std::array<char, Tag::kMostBytes> text{};
    std::copy(name.begin(), name.end(), text.begin());
    text.at(name.size()) = '=';
    return Tag(std::string_view(text.data(), name.size() + 1));
  }
};

// In the order that lines have them: then a line is read without any search.
constexpr std::array<Field<Operation>, 25> kOperationFields{{
    {"op"},
    {"now", &Operation::now},
    {"pid", &Operation::pid},
    {"arg", &Operation::arg},
    {"arg2", &Operation::arg2},
    {"vr", &Operation::vr},
    {"dl", &Operation::dl},
    {"vlag", &Operation::vlag},
    {"slice", &Operation::slice},
    {"w", &Operation::w},
    {"onrq", &Operation::onrq},
    {"delayed", &Operation::delayed},
    {"rel", &Operation::rel},
    {"custom", &Operation::custom},
    {"nr", &Operation::nr},
    {"curr", &Operation::curr},
    {"avgvr", &Operation::avgvr},
    {"avgload", &Operation::avgload},
    {"zero", &Operation::zero},
    {"V", &Operation::v},
    {"resched"},
    {"lazy", nullptr, true},
    {"vprot", &Operation::vprot, true},
    {"hw", &Operation::hw, true},
    {"next", &Operation::next, true},
}};
constexpr std::array<Field<QueueEntry>, 15> kEntryFields{{
    {"site"},
    {"i", &QueueEntry::i},
    {"pid", &QueueEntry::pid},
    {"comm"},
    {"vr", &QueueEntry::vr},
    {"dl", &QueueEntry::dl},
    {"vlag", &QueueEntry::vlag},
    {"slice", &QueueEntry::slice},
    {"w", &QueueEntry::w},
    {"onrq", &QueueEntry::onrq},
    {"delayed", &QueueEntry::delayed},
    {"curr"},
    {"elig", &QueueEntry::elig},
    {"vprot", &QueueEntry::vprot, true},
    {"hw", &QueueEntry::hw, true},
}};

template <class Record, std::size_t count>
using Fields = std::array<Field<Record>, count>;

template <class Record>
bool is_required(const Field<Record>& field) {
  return field.member != nullptr && !field.optional;
}

/// Takes "KEY=", the key of table[at], or else of any other field of the table, `at` then
/// being its place. Leaves `line` where it was if there is no such field.
template <class Record, std::size_t count>
bool take_key(Cursor& line, const Fields<Record, count>& table, std::size_t& at) {
  for (std::size_t tried = 0; tried < count; ++tried) {
    const std::size_t place = at + tried < count ? at + tried : at + tried - count;
    if (!line.take(table[place].tag)) continue;
    at = place;
    return true;
  }
  return false;
}

/// Reads the fields of the table, each of which must be there unless it is optional;
/// others are passed over.
template <class Record, std::size_t count>
Record parse(std::string_view fields, const Fields<Record, count>& table) {
  static_assert(count <= 64);
  Record record;
  std::uint64_t found = 0;  // bit n: the field table[n]
  std::size_t at = 0;
  Cursor line(fields);
  for (line.skip_blanks(); !line.at_end(); line.skip_blanks()) {
    if (!take_key(line, table, at)) {
      line.word();
      continue;
    }
    const Field<Record>& field = table[at];
    const std::string_view value = line.rest();
    if (field.member == nullptr) {
      line.word();
    } else if (!line.take_number(record.*field.member) || !line.at_gap()) {
      throw BadValue(std::string(field.key) + "=" + shown(value.substr(0, value.find(' '))) +
                     " is no number of 64 bits");
    }
    found |= std::uint64_t{1} << at;
    at = at + 1 < count ? at + 1 : 0;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_required(table[i]) || (found >> i & 1) != 0) continue;
    std::string keys;
    for (const Field<Record>& field : table) {
      if (is_required(field)) keys += " " + std::string(field.key);
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
