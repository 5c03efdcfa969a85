// A kernel configuration file as the kernel's own reader takes it
// (scripts/kconfig/confdata.c, conf_read_simple): symbols, values, lines. What
// the symbols mean for the scheduler is in trace/kconfig.hpp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace tickproof {

/// "CONFIG_NAME=value"; "# CONFIG_NAME is not set" has the value "n".
struct KconfigSymbol {
  std::string name;  ///< without "CONFIG_"
  std::string value;
  std::size_t line = 0;
};

struct KconfigFile {
  std::string path;
  /// By name. Of several lines for one symbol the last counts, as in the kernel.
  std::map<std::string, KconfigSymbol, std::less<>> symbols;
  /// A full .config (/boot/config-*, /proc/config.gz) names every symbol that can
  /// be chosen; a defconfig names only what differs from the Kconfig defaults.
  /// It is full if it has the header that the kernel's build writes into every
  /// .config and into no defconfig ("Automatically generated file; DO NOT EDIT."),
  /// or, where somebody took that off, a hundred "is not set" lines: of the
  /// real ones in tests/data/configs the full have 2,600, the defconfigs 7 to 15.
  bool full = false;

  /// The symbol, or null where the file does not name it.
  const KconfigSymbol* find(std::string_view name) const;
  /// The symbol if it is y, null if it is n or not named.
  /// Throws InputError if its value is neither.
  const KconfigSymbol* enabled(std::string_view name) const;
  /// "FILE:LINE".
  std::string place(const KconfigSymbol& symbol) const;
};

/// Reads a configuration, plain or packed (model/text_file.hpp); CR LF is as good
/// as LF. Throws InputError for what read_text_file refuses, for a file without
/// any CONFIG_ line, and, with its line, for whatever else is neither a symbol, a
/// comment nor blank: the kernel's reader would skip it, and we would then speak
/// of a configuration that its author did not mean.
KconfigFile read_kconfig_file(const std::filesystem::path& path);

}  // namespace tickproof
