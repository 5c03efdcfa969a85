#pragma once

#include <string>

namespace tickproof {

/// A line on stderr that says how far long work is; nothing where stderr is no
/// terminal. Rewritten in place, gone at the end.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const std::string& text);

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace tickproof
