// Exact fractions: the scheduler as it would be without rounding.
#pragma once

#include "model/concrete_domain.hpp"
#include "model/domain.hpp"
#include "model/rational.hpp"

namespace tickproof {

class RationalDomain : public ConcreteDomain<Rational> {
 public:
  Num number(Ns ns) const { return Rational(ns); }
  Num times(const Num& x, std::int64_t n) const { return x * n; }
  Num add_weighted(const Num& sum, const Num& key, const Weight& w) const {
    return sum + key * w.value;
  }
  bool covers(const Num& sum, const Num& key, std::int64_t load) const { return sum >= key * load; }
  Num to_virtual(const Num& delta, const Weight& w) const { return delta * kNice0Weight / w.value; }
  Num to_virtual_in_parts(const Num& delta, const Weight& w, const Num& /*count*/,
                          Ns /*each*/) const {
    return to_virtual(delta, w);
  }
  Num next_on_grid(const Num& x, Ns period) const {
    if (x > 0) return x;
    const Num periods = -x / period;
    return x + Num(numerator(periods) / denominator(periods) + 1) * period;
  }
  Num divide_floor(const Num& x, std::int64_t n) const { return x / n; }
  Num scale(const Num& x, std::int64_t n, std::int64_t m) const { return x * n / m; }
};

static_assert(Domain<RationalDomain>);

}  // namespace tickproof
