// The keys of a configuration: one table, from which the resolving of assignments,
// the keys of case files, the options of the command line and their help derive.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/config.hpp"
#include "model/setting.hpp"

namespace tickproof {

/// The kernel if none is named.
inline constexpr const char* kDefaultKernel = "6.12.117";

/// include/linux/jiffies.h refuses every other HZ ("Invalid value of HZ").
inline constexpr int kLeastHz = 12;
inline constexpr int kMostHz = 12287;
/// The largest NR_CPUS of any architecture (arch/x86/Kconfig, MAXSMP).
inline constexpr int kMostCpus = 8192;
/// Copies count; far more than the solver can do anything with.
inline constexpr int kMostTasks = 64;

/// One key, or, with NAME in it, all keys of that form: "hz", "rule.NAME",
/// "task.NAME.nice".
struct Parameter {
  enum class Family { single, feature, rule, task };
  /// How TOML writes the value: as a string, an integer, a boolean, or a list of strings or
  /// integers, for which a string with commas stands as well.
  enum class Form { text, whole, on_off, list };

  std::string key;
  std::string option;   ///< of the command line; all keys of a family share theirs
  std::string metavar;  ///< of the value: "TIME", "none|log|linear"
  std::string help;
  Family family = Family::single;
  Form form = Form::text;
  /// Sets the value from text. Throws BadValue that says what would be right.
  std::function<void(Config&, const std::string& name, const std::string& text)> set;
  /// The value as set() would read it; empty where there is none (a hog's period).
  std::function<std::string(const Config&, const std::string& name)> show;
};

/// Every key, in the order in which configurations are shown.
std::span<const Parameter> all_parameters();

/// An option of the command line: "--hz N", "--rule NAME=CHOICE".
struct Option {
  std::string name;  ///< "--rule"
  std::string metavar;
  std::string help;
  std::string prefix;  ///< "rule." if NAME comes with the value, so that it may be repeated
  std::string key;     ///< "hz" if there is no prefix
};

/// The options that set parameters, one for each single key and each family.
std::vector<Option> command_line_options();

/// What `option` with the argument `text` says, as an assignment from the command
/// line. Throws InputError if the argument of a family's option has no '='.
Assignment assignment_of(const Option& option, const std::string& text);

/// One value of a configuration as it is shown to a user.
struct Value {
  std::string key;
  std::string text;
  Origin origin;
};

/// A configuration, where each of its values came from, and what its reader should
/// be told: assumptions, settings without effect.
struct Resolved {
  Config config;
  std::vector<Value> values;  ///< all of them, in the order of all_parameters(), task by task
  std::vector<std::string> notes;
};

/// Turns assignments into a configuration. Of several for one key the last one
/// wins, in whatever order the keys come; the defaults of the profile that the last
/// `kernel` names lie below all of them. A base slice that nobody sets is scaled by
/// `cpus` and `scaling`.
/// Tasks are made by the assignments of case files, in the order of their first
/// mention. Features that the model does not know are left out if they come from
/// sched-debug, which names every feature of its kernel.
/// Throws InputError, with the origin of the assignment at fault and its key.
Resolved resolve(std::span<const Assignment> assignments);

/// The task in one line, without a full stop:
/// "hog x2: nice 0, slice 2.8ms (base), computes for ever".
std::string describe_task(const TaskSpec& task, const Config& config);

}  // namespace tickproof
