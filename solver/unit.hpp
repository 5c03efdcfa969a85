#pragma once

#include "model/rational.hpp"
#include "model/system.hpp"

namespace tickproof {

/// The largest time that divides every time constant of the system; ns.
Rational common_unit(const SystemSpec& spec);

}  // namespace tickproof
