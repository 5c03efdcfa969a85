#include "cli/progress.hpp"

#include <unistd.h>

#include <iostream>

namespace tickproof {

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  if (shown_) std::cerr << "\r\033[K" << std::flush;
}

void ProgressLine::show(const std::string& text) {
  if (!terminal_) return;
  shown_ = true;
  std::cerr << "\r\033[K" << text << std::flush;
}

}  // namespace tickproof
