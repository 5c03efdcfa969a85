// The events of a text: ftrace's or that of `perf script`, whichever each line is.
#pragma once

#include "model/text_file.hpp"
#include "trace/event_stream.hpp"

namespace tickproof {

class TextEvents : public EventStream {
 public:
  explicit TextEvents(const std::filesystem::path& path) : EventStream(path), lines_(path) {}
  std::string position() const override { return "line " + std::to_string(lines_.number()); }

 private:
  bool read(TraceItem& item) override;

  TextLines lines_;
};

}  // namespace tickproof
