#include "model/state.hpp"

namespace tickproof {

const char* name_of(MoveKind kind) {
  switch (kind) {
    case MoveKind::tick: return "tick";
    case MoveKind::wake: return "wake";
    case MoveKind::block: return "block";
    case MoveKind::yield: return "yield";
    case MoveKind::resched: return "resched";
    case MoveKind::hrtick: return "hrtick";
    case MoveKind::renice: return "renice";
    case MoveKind::set_slice: return "set-slice";
  }
  return "";
}

bool is_of_a_task(MoveKind kind) {
  switch (kind) {
    case MoveKind::tick:
    case MoveKind::resched:
    case MoveKind::hrtick: return false;
    case MoveKind::wake:
    case MoveKind::block:
    case MoveKind::yield:
    case MoveKind::renice:
    case MoveKind::set_slice: return true;
  }
  return false;
}

std::string describe_value(MoveKind kind, std::int64_t value) {
  if (kind == MoveKind::renice) return std::to_string(value);
  return value == kDefaultSlice ? "the base slice" : format_duration(value);
}

}  // namespace tickproof
