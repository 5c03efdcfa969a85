// The binary trace.dat of trace-cmd. It is read with trace-cmd's own libraries, so that
// files of every version, packed or not, are read alike; but these crash on a file that
// was cut. So they do their work in a process of their own, which hands the records over
// through a pipe: where it dies, the file is refused, and nothing else is lost. They map
// the file, so it counts as memory of that process; the kernel takes it back if need be.
#pragma once

#include <memory>

#include "trace/event_stream.hpp"

namespace tickproof {

/// Does the file begin as a trace.dat does? False for what can't be opened, or not be read
/// twice (a pipe).
bool is_trace_dat(const std::filesystem::path& path);

/// The records of all CPUs, in order of time, with the fields as the kernel prints them.
class TraceDat : public EventStream {
 public:
  explicit TraceDat(const std::filesystem::path& path);
  ~TraceDat() override;
  std::string position() const override { return "record " + std::to_string(number_); }

 private:
  struct Child;

  bool read(TraceItem& item) override;

  std::unique_ptr<Child> child_;
  std::string text_;  ///< of the item that was read last
  std::size_t number_ = 0;
};

}  // namespace tickproof
