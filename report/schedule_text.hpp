// A run in words and columns, to be pasted into a mail.
#pragma once

#include <string>

#include "report/recording.hpp"

namespace tickproof {

/// What the property measured, the events with what each of them changed, a picture
/// of the run, and the waits of the watched task with their reasons. Plain text, at
/// most 72 columns wide, with a line feed behind each line; times in ms, virtual
/// ones too.
std::string schedule_text(const SystemSpec& spec, const Recording& recording,
                          const Property& property);

}  // namespace tickproof
