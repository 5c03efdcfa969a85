// A run as a picture in plain text: one lane a task, the ticks on top.
#pragma once

#include <string>

#include "report/recording.hpp"

namespace tickproof {

/// A task's name in a report: its ends if it is longer than 12 characters.
std::string label_of(const SystemSpec& spec, TaskId task);

/// The lanes of all tasks with scale, legend and the extreme reading marked, at most
/// 72 columns wide, with a line feed behind each line. Each of up to 60 cells shows
/// what its task did for most of it. Of a run in which a tick would be less than two
/// cells only that reading and what is around it are shown.
std::string gantt(const SystemSpec& spec, const Recording& recording, const Extremum& extremum);

}  // namespace tickproof
