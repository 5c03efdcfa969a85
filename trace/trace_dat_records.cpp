#include "trace/trace_dat_records.hpp"

// tracefs.h is included by trace-cmd.h, is no C++ (in 1.6.4 an int becomes an enum), and
// has nothing that is needed to read a file.
#define _TRACE_FS_H
#include <trace-cmd.h>

#include <algorithm>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

namespace tickproof {
namespace {

void put(std::FILE* out, DatRecord record, std::string_view name, std::string_view fields) {
  record.name_bytes = static_cast<std::uint32_t>(name.size());
  record.fields_bytes = static_cast<std::uint32_t>(fields.size());
  std::fwrite(&record, sizeof record, 1, out);
  std::fwrite(name.data(), 1, name.size(), out);
  std::fwrite(fields.data(), 1, fields.size(), out);
}

struct Later {
  bool operator()(const tep_record* a, const tep_record* b) const {
    return a->ts != b->ts ? a->ts > b->ts : a->cpu > b->cpu;
  }
};

}  // namespace

// It runs in a process that ends behind it: nothing has to be closed.
void write_dat_records(const std::filesystem::path& path, std::FILE* out) {
  // A plugin would print the fields in a form of its own.
  tracecmd_input* const input = tracecmd_open(path.c_str(), TRACECMD_FL_LOAD_NO_PLUGINS);
  if (input == nullptr) {
    return put(out, {DatRecord::Kind::refusal}, "",
               "can't be read by libtracecmd; expected a trace.dat that `trace-cmd report` reads");
  }
  tep_handle* const tep = tracecmd_get_tep(input);
  std::priority_queue<tep_record*, std::vector<tep_record*>, Later> next_of_cpus;
  for (int cpu = 0; cpu < tep_get_cpus(tep); ++cpu) {
    if (tep_record* first = tracecmd_read_cpu_first(input, cpu)) next_of_cpus.push(first);
  }
  if (next_of_cpus.empty() && tracecmd_buffer_instances(input) > 0) {
    return put(out, {DatRecord::Kind::refusal}, "",
               "has all its events in the buffer " +
                   std::string(tracecmd_buffer_instance_name(input, 0)) +
                   "; expected them in the main one (trace-cmd record without -B)");
  }
  trace_seq text;
  trace_seq_init(&text);
  while (!next_of_cpus.empty()) {
    tep_record* const record = next_of_cpus.top();
    next_of_cpus.pop();
    if (record->missed_events != 0) {  // below 0: nobody counted them
      put(out, {DatRecord::Kind::lost, record->cpu, std::max(record->missed_events, 0LL)}, "", "");
    }
    const tep_event* const event = tep_find_event_by_record(tep, record);
    trace_seq_reset(&text);
    if (event != nullptr) tep_print_event(tep, &text, record, "%s", TEP_PRINT_INFO);
    put(out, {DatRecord::Kind::event, record->cpu, static_cast<std::int64_t>(record->ts)},
        event != nullptr ? event->name : "unknown", {text.buffer, text.len});
    if (tep_record* next = tracecmd_read_data(input, record->cpu)) next_of_cpus.push(next);
    tracecmd_free_record(record);
  }
  put(out, {DatRecord::Kind::end}, "", "");
}

}  // namespace tickproof
