// One function a subcommand: adds it to the program's command line. When the
// subcommand was given, its callback does the work and sets the exit code.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/exit_code.hpp"

namespace tickproof {

void add_check(CLI::App& program, ExitCode& exit_code);
void add_worst(CLI::App& program, ExitCode& exit_code);
void add_sweep(CLI::App& program, ExitCode& exit_code);
void add_replay(CLI::App& program, ExitCode& exit_code);
void add_conform(CLI::App& program, ExitCode& exit_code);
void add_graph(CLI::App& program);
void add_profiles(CLI::App& program);
void add_cases(CLI::App& program);

}  // namespace tickproof
