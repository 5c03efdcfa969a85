// Runs the program as a user would.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace tickproof {

struct ProgramRun {
  int exit_code = -1;
  std::string output;  ///< stdout and stderr
};

/// `arguments` as a shell takes them.
inline ProgramRun run_program(const std::string& arguments) {
  FILE* const pipe =
      popen((std::string(TICKPROOF_BINARY) + " " + arguments + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen failed");
  ProgramRun run;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    run.output.append(buffer.data(), size);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  return run;
}

/// A case file with two hogs and a waking task, of the source tree.
inline std::string story() { return TICKPROOF_SOURCE_DIR "/cases/powerpc-hz/story.toml"; }

}  // namespace tickproof
