// A trace, one item after the other, in constant memory. Whoever judges a trace reads it
// from here and need not know what kind of file it is.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "trace/event.hpp"

namespace tickproof {

class EventStream {
 public:
  explicit EventStream(std::filesystem::path path) : path_(std::move(path)) {}
  virtual ~EventStream() = default;
  EventStream(const EventStream&) = delete;
  EventStream& operator=(const EventStream&) = delete;

  /// The next event, or hole, of the trace; views are valid until the next call. False:
  /// there is none. Throws InputError, with the place, where the file is no trace or is
  /// damaged, and where the clock of a CPU goes backward.
  bool next(TraceItem& item);

  /// Of what was read last: "line 12", "record 12".
  virtual std::string position() const = 0;

  [[noreturn]] void refuse(const std::string& why) const;

 protected:
  const std::filesystem::path& path() const { return path_; }

 private:
  virtual bool read(TraceItem& item) = 0;

  std::filesystem::path path_;
  std::vector<Ns> clocks_;  ///< of each CPU: its last event
};

/// ftrace text (tracefs, `trace-cmd report`) and `perf script`, plain, gz or xz, and the
/// trace.dat of trace-cmd; the first bytes tell, not the name. Throws InputError where the
/// file can't be opened.
std::unique_ptr<EventStream> open_event_stream(const std::filesystem::path& path);

}  // namespace tickproof
