// Times as a reader of a schedule wants them: milliseconds, exact to the ns.
#pragma once

#include <span>
#include <string>

#include "model/units.hpp"

namespace tickproof {

/// `time` (ns) in ms without its unit: at least `decimals` digits behind the point,
/// and as many as it takes to be exact: 3002000 -> "3.002".
std::string in_ms(Ns time, int decimals = 0);

/// How many digits behind the point show every one of `times` exactly: with so many,
/// a column of them lines up at the point. 0 to 6.
int decimals_of(std::span<const Ns> times);

}  // namespace tickproof
