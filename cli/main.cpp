// tickproof: the command line.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/commands.hpp"
#include "model/setting.hpp"
#include "report/version.hpp"

namespace {

constexpr const char* kAbout =
    "tickproof: what can the Linux scheduler do at worst?\n\n"
    "Checks what the EEVDF scheduler can do under a periodic tick, for all schedules up\n"
    "to a number of events, and shows the schedule that breaks a bound. A case is a TOML file: a\n"
    "kernel configuration, tasks, and properties; `tickproof cases` lists those that\n"
    "come along. Start with:\n\n"
    "  tickproof check cases/powerpc-hz/story.toml\n"
    "  tickproof worst cases/powerpc-hz/story.toml --property latency --hz 1000\n"
    "  tickproof sweep cases/powerpc-hz/story.toml --hz 100,250,1000";

}  // namespace

int main(int argc, char** argv) {
  using tickproof::ExitCode;
  ExitCode exit_code = ExitCode::holds;
  CLI::App program(kAbout, "tickproof");
  program.set_version_flag("--version", tickproof::version_text());
  program.require_subcommand(1);
  program.footer(tickproof::kExitCodeHelp);
  try {
    tickproof::add_check(program, exit_code);
    tickproof::add_worst(program, exit_code);
    tickproof::add_sweep(program, exit_code);
    tickproof::add_replay(program, exit_code);
    tickproof::add_conform(program, exit_code);
    tickproof::add_graph(program);
    tickproof::add_profiles(program);
    tickproof::add_cases(program);
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool asked = error.get_exit_code() == 0;  // --help, --version
    program.exit(error);
    return static_cast<int>(asked ? ExitCode::holds : ExitCode::usage);
  } catch (const tickproof::InputError& error) {
    std::cerr << "tickproof: " << error.what() << '\n';
    return static_cast<int>(ExitCode::usage);
  } catch (const std::exception& error) {
    std::cerr << "tickproof: internal error: " << error.what() << '\n';
    return static_cast<int>(ExitCode::internal);
  }
  std::cout.flush();
  if (!std::cout) {
    std::cerr << "tickproof: cannot write the output\n";
    return static_cast<int>(ExitCode::internal);
  }
  return static_cast<int>(exit_code);
}
