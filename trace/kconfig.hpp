// What a kernel configuration (.config, defconfig, /proc/config.gz) says about
// the scheduler. The symbols and their defaults are those of kernel/Kconfig.hz,
// kernel/time/Kconfig, kernel/Kconfig.preempt and init/Kconfig, Linux 6.6 to 7.3.
#pragma once

#include <filesystem>

#include "model/setting.hpp"

namespace tickproof {

/// Reads a configuration, plain or packed with gzip or xz, into the keys
///   hz             ticks a second, from CONFIG_HZ and CONFIG_HZ_<n>
///   tick.mode      periodic | nohz-idle
///   preempt        none | voluntary | full | lazy
///   tick.irq_time  on | off
/// each with the origin FILE:LINE of its symbol, or FILE alone where it follows
/// from a symbol that is not there. In a defconfig that means the Kconfig default,
/// and a note says so; a full .config (trace/kconfig_file.hpp) that lacks a line
/// leaves the key alone, and a note says that. Other notes tell of symbols that
/// let the running kernel differ from what is assigned.
/// Throws InputError with file, line and symbol for values that cannot be and for
/// symbols that contradict each other, and whatever read_kconfig_file refuses.
Overlay read_kconfig(const std::filesystem::path& path);

}  // namespace tickproof
