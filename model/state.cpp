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
  }
  return "";
}

}  // namespace tickproof
