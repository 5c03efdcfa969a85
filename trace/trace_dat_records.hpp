// The two ends of TraceDat's pipe: what goes through it, and the reader that fills it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>

namespace tickproof {

/// Comes before `name_bytes` + `fields_bytes` of text.
struct DatRecord {
  enum class Kind : std::uint32_t { event, lost, refusal, end };
  Kind kind = Kind::end;
  std::int32_t cpu = 0;
  std::int64_t number = 0;         ///< the time of an event; how many were lost
  std::uint32_t name_bytes = 0;    ///< of an event
  std::uint32_t fields_bytes = 0;  ///< or of why the file is refused
};

/// Writes all records of a trace.dat, and `end` or `refusal` behind them. It may crash.
void write_dat_records(const std::filesystem::path& path, std::FILE* out);

}  // namespace tickproof
