#include "trace/perf_script.hpp"

#include "trace/cursor.hpp"

namespace tickproof {
namespace {

constexpr std::string_view kRecord = "PERF_RECORD_";
constexpr std::string_view kBehindTime = ": PERF_RECORD_";

/// What follows "PERF_RECORD_" where that begins the line or stands behind the time.
std::optional<std::string_view> record_of(std::string_view line) {
  if (line.starts_with(kRecord)) return line.substr(kRecord.size());
  const std::size_t colon = line.find(kBehindTime);
  if (colon == std::string_view::npos) return std::nullopt;
  return line.substr(colon + kBehindTime.size());
}

/// "[000]" in what leads up to the record; behind it there is only the time.
int cpu_of(std::string_view line) {
  const std::string_view lead = line.substr(0, line.find(kBehindTime));
  const std::size_t open = lead.rfind('[');
  if (open == std::string_view::npos) return LostEvents().cpu;
  Cursor at(lead.substr(open + 1));
  std::int64_t cpu = 0;
  std::size_t digits = 0;
  if (!at.take_digits(6, cpu, digits) || !at.take(']')) return LostEvents().cpu;
  return static_cast<int>(cpu);
}

}  // namespace

std::optional<LostEvents> parse_perf_lost(std::string_view line) {
  const auto record = record_of(line);
  if (!record) return std::nullopt;
  Cursor at(*record);
  if (at.word().substr(0, 4) != "LOST") return std::nullopt;  // LOST, LOST_SAMPLES
  LostEvents lost;
  lost.cpu = cpu_of(line);
  at.skip_blanks();
  // Old versions don't print how many.
  if (at.take("lost ") && !at.take_number(lost.count)) return std::nullopt;
  return lost;
}

bool is_perf_remark(std::string_view line) {
  if (record_of(line)) return true;
  // "\tffffffffb7ad6b30 __schedule+0x8e0 ([kernel.kallsyms])": the address takes 16 places.
  constexpr std::size_t kPlaces = 16;
  if (!line.starts_with('\t')) return false;
  line.remove_prefix(1);
  Cursor at(line);
  at.skip_blanks();
  const std::string_view address = at.word();
  return line.size() - at.rest().size() == kPlaces && !address.empty() &&
         address.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace tickproof
