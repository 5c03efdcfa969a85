// The options that set parameters of a case, from the one table of parameters, and
// the files of a kernel that do; what is named last wins.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "model/parameters.hpp"

namespace tickproof {

class Settings {
 public:
  /// Adds the options to a subcommand.
  void add_to(CLI::App& app);

  /// The assignments of `base` and, behind them, all that was given, in its order.
  /// Throws InputError.
  std::vector<Assignment> on_top_of(std::vector<Assignment> base) const;

  /// Was nothing given?
  bool empty() const { return given_.empty(); }

  /// The options that were given several values ("--hz 100,250,1000"), which
  /// on_top_of() then leaves out.
  std::vector<Axis> take_axes();

  /// What the kernel's files leave to be told.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void add_overlay(Overlay overlay);

  std::vector<Assignment> given_;
  std::vector<std::string> notes_;
};

}  // namespace tickproof
