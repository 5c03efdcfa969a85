#include "model/setting.hpp"

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

}  // namespace tickproof
