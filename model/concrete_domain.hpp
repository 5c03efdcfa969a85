// What the two concrete domains share: conditions are plain bools, a decision is
// its condition, and an impossible step is an error.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "model/units.hpp"

namespace tickproof {

/// A step that the model does not allow: a tick that is missed, a burst that is
/// overrun, a sleeper that wakes too early. what() says which.
struct IllegalStep : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class Number>
struct ConcreteDomain {
  using Num = Number;
  using Bool = bool;
  static constexpr bool kSymbolic = false;

  Num min(const Num& a, const Num& b) const { return std::min(a, b); }
  Num max(const Num& a, const Num& b) const { return std::max(a, b); }
  bool both(bool a, bool b) const { return a && b; }
  bool either(bool a, bool b) const { return a || b; }
  bool negate(bool a) const { return !a; }
  bool decide(bool condition) const { return condition; }
  bool known(bool condition) const { return condition; }
  void require(bool condition, const char* what) const {
    if (!condition) throw IllegalStep(what);
  }
};

}  // namespace tickproof
