#include "model/setting.hpp"

#include <algorithm>

namespace tickproof {

const char* name_of(Origin::Kind kind) {
  switch (kind) {
    case Origin::Kind::profile_default: return "profile default";
    case Origin::Kind::case_file: return "case";
    case Origin::Kind::kconfig: return "kconfig";
    case Origin::Kind::sched_debug: return "sched-debug";
    case Origin::Kind::command_line: return "command line";
  }
  return "";
}

std::string describe(const Origin& origin) {
  std::string text = name_of(origin.kind);
  if (!origin.where.empty()) text += " (" + origin.where + ")";
  return text;
}

Axis split_values(const Assignment& assignment) {
  Axis axis;
  const std::string& text = assignment.value;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    axis.push_back({assignment.key, text.substr(from, comma - from), assignment.origin});
    from = comma + 1;
  }
  return axis;
}

}  // namespace tickproof
