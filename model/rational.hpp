#pragma once

#include <boost/multiprecision/cpp_int.hpp>

namespace tickproof {

/// An exact fraction. et_off: plain values, no expression templates.
using Rational = boost::multiprecision::number<boost::multiprecision::cpp_rational_backend,
                                               boost::multiprecision::et_off>;

}  // namespace tickproof
