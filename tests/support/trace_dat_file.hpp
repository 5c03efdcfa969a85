// Writes a small trace.dat, as trace-cmd.dat.v6(5) says: little endian, a 64-bit kernel,
// pages of 4096 bytes. So the test of its reader needs no recording of a real machine,
// and can cut and bend the file where it likes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "trace/ftrace.hpp"

namespace tickproof {

/// Integers as the file has them.
class ByteWriter {
 public:
  template <class Number>
  ByteWriter& number(std::uint64_t value) {
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
      bytes.push_back(static_cast<char>(value >> (8 * i) & 0xff));
    }
    return *this;
  }
  ByteWriter& text(std::string_view value) {
    bytes += value;
    return *this;
  }
  ByteWriter& zero_to(std::size_t size) {
    bytes.resize(std::max(size, bytes.size()), '\0');
    return *this;
  }
  std::string bytes;
};

/// One kind of event: what its `format` file in tracefs says.
struct DatEvent {
  struct Field {
    std::string declaration;  ///< "char prev_comm[16]"
    std::string key;          ///< "prev_comm"
    std::size_t size;
  };
  std::string system;
  std::string name;
  std::uint16_t id;
  std::vector<Field> fields;
  std::string print;

  std::string format() const {
    std::string text = "name: " + name + "\nID: " + std::to_string(id) + "\nformat:\n";
    std::size_t offset = 0;
    const auto field = [&](const std::string& declaration, std::size_t size, bool is_signed) {
      text += "\tfield:" + declaration + ";\toffset:" + std::to_string(offset) +
              ";\tsize:" + std::to_string(size) + ";\tsigned:" + (is_signed ? "1" : "0") + ";\n";
      offset += size;
    };
    field("unsigned short common_type", 2, false);
    field("unsigned char common_flags", 1, false);
    field("unsigned char common_preempt_count", 1, false);
    field("int common_pid", 4, true);
    text += "\n";
    for (const Field& f : fields) field(f.declaration, f.size, f.size != 16);
    return text + "\nprint fmt: " + print + "\n";
  }
};

/// As Linux 6.12 has it (/sys/kernel/tracing/events/sched/sched_switch/format).
inline DatEvent dat_sched_switch() {
  const std::string report =
      "((((0x00000000 | 0x00000001 | 0x00000002 | 0x00000004 | 0x00000008 | 0x00000010 | "
      "0x00000020 | 0x00000040) + 1) << 1)";
  return {"sched",
          "sched_switch",
          315,
          {{"char prev_comm[16]", "prev_comm", 16},
           {"pid_t prev_pid", "prev_pid", 4},
           {"int prev_prio", "prev_prio", 4},
           {"long prev_state", "prev_state", 8},
           {"char next_comm[16]", "next_comm", 16},
           {"pid_t next_pid", "next_pid", 4},
           {"int next_prio", "next_prio", 4}},
          "\"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d "
          "next_prio=%d\", REC->prev_comm, REC->prev_pid, REC->prev_prio, (REC->prev_state & " +
              report + " - 1)) ? __print_flags(REC->prev_state & " + report +
              " - 1), \"|\", { 0x00000001, \"S\" }, { 0x00000002, \"D\" }, { 0x00000004, \"T\" }, "
              "{ 0x00000008, \"t\" }, { 0x00000010, \"X\" }, { 0x00000020, \"Z\" }, "
              "{ 0x00000040, \"P\" }, { 0x00000080, \"I\" }) : \"R\", REC->prev_state & " +
              report.substr(1) + " ? \"+\" : \"\", REC->next_comm, REC->next_pid, REC->next_prio"};
}

/// sched_waking, sched_wakeup or sched_wakeup_new.
inline DatEvent dat_wakeup(const std::string& name, std::uint16_t id) {
  return {"sched",
          name,
          id,
          {{"char comm[16]", "comm", 16},
           {"pid_t pid", "pid", 4},
           {"int prio", "prio", 4},
           {"int target_cpu", "target_cpu", 4}},
          "\"comm=%s pid=%d prio=%d target_cpu=%03d\", REC->comm, REC->pid, REC->prio, "
          "REC->target_cpu"};
}

/// An event that has the keys of "key=value key=value": a text of up to 15 bytes where
/// the value is none, or else a number of 64 bits.
inline DatEvent dat_event_like(const std::string& name, std::uint16_t id, std::string_view fields) {
  DatEvent event{"sched", name, id, {}, ""};
  std::string formats;
  std::string arguments;
  FieldReader reader(fields);
  std::string_view key;
  std::string_view value;
  while (reader.next(key, value)) {
    const std::string word(key);
    const bool is_number = value.find_first_not_of("-0123456789") == std::string_view::npos;
    if (is_number) {
      event.fields.push_back({"s64 " + word, word, 8});
    } else {
      event.fields.push_back({"char " + word + "[16]", word, 16});
    }
    formats += (formats.empty() ? "" : " ") + word + (is_number ? "=%lld" : "=%s");
    arguments += ", REC->" + word;
  }
  event.print = "\"" + formats + "\"" + arguments;
  return event;
}

/// The values of "key=value key=value", for add().
inline std::vector<std::string> dat_values(std::string_view fields) {
  std::vector<std::string> values;
  FieldReader reader(fields);
  std::string_view key;
  std::string_view value;
  while (reader.next(key, value)) values.emplace_back(value);
  return values;
}

class TraceDatFile {
 public:
  TraceDatFile(std::vector<DatEvent> events, std::size_t cpus)
      : events_(std::move(events)), cpus_(cpus) {}

  /// Puts the event behind those of its CPU. `values` has one text for each field, in
  /// their order: the number, or the name of a task.
  void add(int cpu, std::uint64_t time, const std::string& name,
           const std::vector<std::string>& values) {
    const auto event = std::find_if(events_.begin(), events_.end(),
                                    [&](const DatEvent& known) { return known.name == name; });
    if (event == events_.end() || values.size() != event->fields.size()) {
      throw std::logic_error("no such event: " + name);
    }
    ByteWriter data;
    data.number<std::uint16_t>(event->id).number<std::uint16_t>(0).number<std::uint32_t>(1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t end = data.bytes.size() + event->fields[i].size;
      switch (event->fields[i].size) {
        case 4: data.number<std::uint32_t>(static_cast<std::uint32_t>(std::stol(values[i]))); break;
        case 8:
          data.number<std::uint64_t>(static_cast<std::uint64_t>(std::stoll(values[i])));
          break;
        default: data.text(values[i]).zero_to(end);
      }
    }
    Cpu& to = cpus_.at(static_cast<std::size_t>(cpu));
    if (to.pages.empty() || to.pages.back().data.size() + data.bytes.size() + 16 > kPageData) {
      to.pages.push_back({time, "", std::nullopt});
      to.time = time;
    }
    put_record(to, time, data.bytes);
  }

  /// The events of the CPU that follow come behind a hole; `count` 0: of unknown size.
  void lose(int cpu, std::uint64_t time, std::uint64_t count) {
    Cpu& to = cpus_.at(static_cast<std::size_t>(cpu));
    to.pages.push_back({time, "", count});
    to.time = time;
  }

  /// Says that there is a buffer of that name besides the main one; it has no data here.
  void name_instance(const std::string& name) { instance_ = name; }

  std::string bytes() const {
    ByteWriter out;
    out.text("\x17\x08\x44tracing").text(std::string_view("6\0\0\10", 4));
    out.number<std::uint32_t>(kPage);
    section(out, "header_page",
            "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
            "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
            "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
            "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n");
    section(out, "header_event",
            "# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
            "\tarray       :   32 bits\n\n\tpadding     : type == 29\n"
            "\ttime_extend : type == 30\n\ttime_stamp : type == 31\n"
            "\tdata max type_len  == 28\n");
    out.number<std::uint32_t>(0);  // ftrace's own events
    std::map<std::string, std::vector<const DatEvent*>> systems;
    for (const DatEvent& event : events_) systems[event.system].push_back(&event);
    out.number<std::uint32_t>(systems.size());
    for (const auto& [system, events] : systems) {
      out.text(system).number<char>(0).number<std::uint32_t>(events.size());
      for (const DatEvent* event : events) {
        out.number<std::uint64_t>(event->format().size()).text(event->format());
      }
    }
    out.number<std::uint32_t>(0).number<std::uint32_t>(0);  // kallsyms, printk formats
    out.number<std::uint64_t>(0);                           // names of tasks
    out.number<std::uint32_t>(cpus_.size());
    out.text(std::string_view("options  \0", 10));
    if (!instance_.empty()) {
      constexpr std::uint16_t kBuffer = 3;  // the offset of its data, and its name
      out.number<std::uint16_t>(kBuffer).number<std::uint32_t>(8 + instance_.size() + 1);
      out.number<std::uint64_t>(0).text(instance_).number<char>(0);
    }
    out.number<std::uint16_t>(0).text(std::string_view("flyrecord\0", 10));
    const std::size_t header = out.bytes.size() + 16 * cpus_.size();
    std::size_t offset = (header + kPage - 1) / kPage * kPage;
    for (const Cpu& cpu : cpus_) {
      out.number<std::uint64_t>(offset).number<std::uint64_t>(cpu.pages.size() * kPage);
      offset += cpu.pages.size() * kPage;
    }
    for (const Cpu& cpu : cpus_) {
      for (const Page& page : cpu.pages) {
        out.zero_to((out.bytes.size() + kPage - 1) / kPage * kPage);
        write_page(out, page);
      }
    }
    return out.bytes;
  }

 private:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kPageData = kPage - 16;

  struct Page {
    std::uint64_t time;
    std::string data;
    std::optional<std::uint64_t> lost;  // before it
  };
  struct Cpu {
    std::vector<Page> pages;
    std::uint64_t time = 0;
  };

  static void section(ByteWriter& out, std::string_view name, std::string_view content) {
    out.text(name).number<char>(0).number<std::uint64_t>(content.size()).text(content);
  }

  static void put_record(Cpu& to, std::uint64_t time, std::string data) {
    ByteWriter record;
    std::uint64_t delta = time - to.time;
    if (delta >> 27 != 0) {  // time_extend
      record.number<std::uint32_t>((delta & 0x7ffffff) << 5 | 30)
          .number<std::uint32_t>(delta >> 27);
      delta = 0;
    }
    data.resize((data.size() + 3) / 4 * 4);
    const std::size_t words = data.size() / 4;
    record.number<std::uint32_t>(delta << 5 | (words <= 28 ? words : 0));
    if (words > 28) record.number<std::uint32_t>(data.size() + 4);
    to.pages.back().data += record.text(data).bytes;
    to.time = time;
  }

  static void write_page(ByteWriter& out, const Page& page) {
    constexpr std::uint64_t kMissed = 1U << 31;
    constexpr std::uint64_t kMissedStored = 1U << 30;
    const std::size_t start = out.bytes.size();
    std::uint64_t commit = page.data.size();
    if (page.lost) commit |= kMissed | (*page.lost > 0 ? kMissedStored : 0);
    out.number<std::uint64_t>(page.time).number<std::uint64_t>(commit).text(page.data);
    if (page.lost.value_or(0) > 0) out.number<std::uint64_t>(*page.lost);
    out.zero_to(start + kPage);
  }

  std::vector<DatEvent> events_;
  std::vector<Cpu> cpus_;
  std::string instance_;
};

}  // namespace tickproof
