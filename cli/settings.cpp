#include "cli/settings.hpp"

#include <iterator>

#include "trace/kconfig.hpp"
#include "trace/sched_debug.hpp"

namespace tickproof {

void Settings::add_to(CLI::App& app) {
  const char* group = "Parameters of the case (the last one named wins)";
  for (const Option& option : command_line_options()) {
    app.add_option_function<std::vector<std::string>>(
           option.name,
           [this, option](const std::vector<std::string>& texts) {
             // Called at every mention, with that mention's value.
             given_.push_back(assignment_of(option, texts.back()));
           },
           option.help)
        ->type_name(option.metavar)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->trigger_on_parse()
        ->group(group);
  }
  app.add_option_function<std::string>(
         "--kconfig", [this](const std::string& file) { add_overlay(read_kconfig(file)); },
         "HZ, tick mode, preemption and irq-time accounting from a kernel's .config or "
         "defconfig (plain, gz or xz, /proc/config.gz)")
      ->type_name("FILE")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->trigger_on_parse()
      ->group(group);
  app.add_option_function<std::string>(
         "--sched-debug",
         [this](const std::string& directory) { add_overlay(read_sched_debug(directory)); },
         "base slice, scaling, features and preemption from files as in "
         "/sys/kernel/debug/sched")
      ->type_name("DIR")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->trigger_on_parse()
      ->group(group);
}

void Settings::add_overlay(Overlay overlay) {
  std::move(overlay.assignments.begin(), overlay.assignments.end(), std::back_inserter(given_));
  std::move(overlay.notes.begin(), overlay.notes.end(), std::back_inserter(notes_));
}

std::vector<Assignment> Settings::on_top_of(std::vector<Assignment> base) const {
  base.insert(base.end(), given_.begin(), given_.end());
  return base;
}

std::vector<Axis> Settings::take_axes() {
  std::vector<Axis> axes;
  std::vector<Assignment> single;
  for (const Assignment& given : given_) {
    const bool several = given.origin.kind == Origin::Kind::command_line &&
                         given.value.find(',') != std::string::npos;
    if (several) {
      axes.push_back(split_values(given));
    } else {
      single.push_back(given);
    }
  }
  given_ = std::move(single);
  return axes;
}

}  // namespace tickproof
