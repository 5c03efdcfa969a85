// Exact fractions that also say where the kernel's integers can be.
//
// A number is an exact value and an enclosure: the kernel's number differs from it by
// `shift` plus a sum of unknowns, each within plus or minus a `noise`. Linear
// operations keep track of every unknown by itself, so what cancels in the kernel
// cancels here. Each rounding of the kernel adds one unknown:
//
//   to_virtual   delta * (factor / 2^shift - 1024 / weight) is known, and the shift
//                cuts off less than 1 ns: (-1, 0]
//   divide_floor cuts off less than 1 ns: (-1, 0]
//   scale        moves by less than 1 ns toward zero: (-1, 1)
//   min, max     as the exact one, if it is clear which of the two it is
//
// A comparison that the unknowns leave open is decided by the exact values, and
// remembered: `in_doubt`. If none was, the kernel has decided the same way.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "model/concrete_domain.hpp"
#include "model/rational.hpp"
#include "model/rules.hpp"

namespace tickproof {

/// Where the kernel's number is, compared with the exact one; ns.
struct Enclosure {
  double shift = 0;
  double radius = 0;
};

class Enclosed {
 public:
  Enclosed() = default;
  Enclosed(Rational value) : value_(std::move(value)) {}  // NOLINT: a fraction is exact
  Enclosed(int value) : value_(value) {}                  // NOLINT: so is a whole number
  explicit Enclosed(Ns value) : value_(value) {}

  const Rational& value() const { return value_; }
  Enclosure enclosure() const {
    double radius = 0;
    for (const double noise : noise_) radius += std::abs(noise);
    // Sums of doubles are exact to 1e-15 or so each.
    return {shift_, radius * (1 + 1e-9)};
  }
  /// An unknown of its own in every number, or none.
  Enclosed with_unknown(std::size_t index, double shift, double noise) const {
    Enclosed result = *this;
    result.shift_ += shift;
    result.noise_.resize(std::max(result.noise_.size(), index + 1));
    result.noise_[index] += noise;
    return result;
  }
  Enclosed times(const Rational& factor) const {
    Enclosed result;
    result.value_ = value_ * factor;
    const auto f = factor.convert_to<double>();
    result.shift_ = shift_ * f;
    for (const double noise : noise_) result.noise_.push_back(noise * f);
    return result;
  }

  friend Enclosed operator+(const Enclosed& a, const Enclosed& b) { return a.plus(b, 1); }
  friend Enclosed operator-(const Enclosed& a, const Enclosed& b) { return a.plus(b, -1); }

 private:
  Enclosed plus(const Enclosed& b, int sign) const {
    Enclosed sum = *this;
    sum.value_ += sign * b.value_;
    sum.shift_ += sign * b.shift_;
    sum.noise_.resize(std::max(noise_.size(), b.noise_.size()));
    for (std::size_t i = 0; i < b.noise_.size(); ++i) sum.noise_[i] += sign * b.noise_[i];
    return sum;
  }

  Rational value_ = 0;
  double shift_ = 0;
  std::vector<double> noise_;
};

/// A condition as the exact values decide it; open if the kernel may see it otherwise.
class Verdict {
 public:
  Verdict(bool value, bool open = false) : value_(value), open_(open) {}  // NOLINT
  bool value() const { return value_; }
  bool open() const { return open_; }
  /// Rules that are plain C++ in concrete domains use conditions as booleans.
  operator bool() const {  // NOLINT
    if (open_) in_doubt = true;
    return value_;
  }

  /// Some condition that was used since this was last reset was open.
  static inline bool in_doubt = false;

 private:
  bool value_;
  bool open_;
};

/// `difference` > 0, or >= 0.
inline Verdict is_positive(const Enclosed& difference, bool or_zero) {
  const auto [shift, radius] = difference.enclosure();
  const bool value = or_zero ? difference.value() >= 0 : difference.value() > 0;
  if (shift == 0 && radius == 0) return value;
  // The kernel's difference is between these; 1e-6 ns for the doubles themselves.
  const auto exact = difference.value().convert_to<double>() + shift;
  const double low = exact - radius - 1e-6;
  const double high = exact + radius + 1e-6;
  return {value, value ? low <= 0 : high >= 0};
}

inline Verdict operator>(const Enclosed& a, const Enclosed& b) { return is_positive(a - b, false); }
inline Verdict operator>=(const Enclosed& a, const Enclosed& b) { return is_positive(a - b, true); }
inline Verdict operator<(const Enclosed& a, const Enclosed& b) { return b > a; }
inline Verdict operator<=(const Enclosed& a, const Enclosed& b) { return b >= a; }
inline Verdict operator==(const Enclosed& a, const Enclosed& b) {
  const Enclosed difference = a - b;
  const auto [shift, radius] = difference.enclosure();
  const bool is_exact = shift == 0 && radius == 0;
  const double distance = std::abs(difference.value().convert_to<double>() + shift);
  return {difference.value().is_zero(), !is_exact && distance <= radius + 1e-6};
}

class RoundingDomain {
 public:
  using Num = Enclosed;
  using Bool = Verdict;
  static constexpr bool kSymbolic = false;

  explicit RoundingDomain(DeltaFair delta_fair) : delta_fair_(delta_fair) {}

  /// Unknowns before this one may be forgotten: numbers were given new ones.
  void forget_unknowns() { unknowns_ = 0; }

  Num number(Ns ns) const { return Num(ns); }
  Num times(const Num& x, std::int64_t n) const { return x.times(n); }
  Num add_weighted(const Num& sum, const Num& key, const Weight& w) const {
    return sum + key.times(w.value);
  }
  Bool covers(const Num& sum, const Num& key, std::int64_t load) const {
    return sum >= key.times(load);
  }
  Num to_virtual(const Num& delta, const Weight& w) {
    const Num exact = delta.times(Rational(kNice0Weight, w.value));
    if (w.value == kNice0Weight) return exact;
    const double off = Rational(delta.value() * (factor(w) - Rational(kNice0Weight, w.value)))
                           .convert_to<double>();
    return round(exact, off - 0.5, 0.5);
  }
  /// Runs go tick by tick.
  Num to_virtual_in_parts(const Num& delta, const Weight& w, const Num& /*count*/, Ns /*each*/) {
    return to_virtual(delta, w);
  }
  Num divide_floor(const Num& x, std::int64_t n) {
    return n == 1 ? x : round(x.times(Rational(1, n)), -0.5, 0.5);
  }
  Num scale(const Num& x, std::int64_t n, std::int64_t m) {
    return round(x.times(Rational(n, m)), 0, 1);
  }
  Num min(const Num& a, const Num& b) {
    const Verdict first = a <= b;
    const Num& least = first.value() ? a : b;
    if (!first.open()) return least;
    // The kernel may take the other, which is no further off than the two can be apart.
    const auto [shift, radius] = (a - b).enclosure();
    return round(least, 0, std::abs(shift) + radius);
  }
  Num max(const Num& a, const Num& b) { return min(a.times(-1), b.times(-1)).times(-1); }
  Bool both(const Bool& a, const Bool& b) const {
    // A part that is certainly false settles it.
    const bool settled = (!a.value() && !a.open()) || (!b.value() && !b.open());
    return {a.value() && b.value(), !settled && (a.open() || b.open())};
  }
  Bool either(const Bool& a, const Bool& b) const { return negate(both(negate(a), negate(b))); }
  Bool negate(const Bool& a) const { return {!a.value(), a.open()}; }
  bool decide(const Bool& condition) const { return condition; }
  bool known(const Bool& condition) const { return condition.value() && !condition.open(); }
  Num next_on_grid(Num x, Ns period) const {
    while (x <= number(0)) x = x + number(period);
    return x;
  }
  void require(const Bool& condition, const char* what) const {
    if (!condition) throw IllegalStep(what);
  }

 private:
  Num round(const Num& x, double shift, double noise) {
    return x.with_unknown(unknowns_++, shift, noise);
  }

  /// What calc_delta_fair() multiplies with.
  Rational factor(const Weight& w) const {
    if (delta_fair_ == DeltaFair::exact) return Rational(kNice0Weight, w.value);
    std::int64_t value = kNice0Weight * w.inverse;
    std::int64_t divisor = std::int64_t{1} << 32;
    while (value >= std::int64_t{1} << 32) {
      value /= 2;
      divisor /= 2;
    }
    return Rational(value, divisor);
  }

  DeltaFair delta_fair_;
  std::size_t unknowns_ = 0;
};

static_assert(Domain<RoundingDomain>);

}  // namespace tickproof
