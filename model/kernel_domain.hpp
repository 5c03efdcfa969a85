// The kernel's own arithmetic: 64-bit nanoseconds, inverse weights, shifts and
// truncation. Overflow throws; it never wraps silently.
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <stdexcept>

#include "model/concrete_domain.hpp"
#include "model/domain.hpp"
#include "model/rules.hpp"

namespace tickproof {

/// s64 arithmetic left its range.
struct Overflow : std::overflow_error {
  Overflow() : std::overflow_error("64-bit overflow in scheduler arithmetic") {}
};

/// An s64 whose overflow is an error.
class Checked {
 public:
  constexpr Checked() = default;
  constexpr explicit Checked(std::int64_t value) : value_(value) {}
  constexpr std::int64_t value() const { return value_; }

  friend Checked operator+(Checked a, Checked b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.value_, b.value_, &sum)) throw Overflow();
    return Checked(sum);
  }
  friend Checked operator-(Checked a, Checked b) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a.value_, b.value_, &difference)) throw Overflow();
    return Checked(difference);
  }
  friend constexpr auto operator<=>(Checked, Checked) = default;

 private:
  std::int64_t value_ = 0;
};

class KernelDomain : public ConcreteDomain<Checked> {
 public:
  explicit KernelDomain(DeltaFair delta_fair) : delta_fair_(delta_fair) {}

  DeltaFair delta_fair() const { return delta_fair_; }
  Num number(Ns ns) const { return Checked(ns); }

  Num times(Num x, std::int64_t n) const {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(x.value(), n, &product)) throw Overflow();
    return Checked(product);
  }

  /// The kernel's sum has 64 bits. From 7.1 on it is in full weights, 1024 times ours.
  Num add_weighted(Num sum, Num key, const Weight& w) const {
    const Num result = sum + times(key, w.value);
    if (delta_fair_ == DeltaFair::exact) {
      times(key, w.value * kFullWeight);
      times(result, kFullWeight);
    }
    return result;
  }

  /// sum >= key * load; a product of 64 bits, from 7.1 on of 128.
  bool covers(Num sum, Num key, std::int64_t load) const {
    if (delta_fair_ == DeltaFair::exact) return sum.value() >= Wide{key.value()} * load;
    return sum >= times(key, load);
  }

  /// kernel/sched/fair.c, calc_delta_fair() and __calc_delta().
  Num to_virtual(Num delta, const Weight& w) const {
    if (w.value == kNice0Weight) return delta;
    if (delta_fair_ == DeltaFair::exact) {
      return narrow(Wide{delta.value()} * kNice0Weight / w.value);
    }
    const auto [factor, shift] = inverse_factor(w);
    return narrow((Wide{delta.value()} * factor) >> shift);
  }

  /// What calc_delta_fair() multiplies with before it rounds down: factor / 2^shift.
  struct InverseFactor {
    std::int64_t factor;
    int shift;
  };
  static InverseFactor inverse_factor(const Weight& w) {
    // The low bits that do not fit 32 bits are lost, as there.
    const auto factor =
        static_cast<std::uint64_t>(kNice0Weight) * static_cast<std::uint64_t>(w.inverse);
    const int excess = static_cast<int>(std::bit_width(factor >> 32));
    return {static_cast<std::int64_t>(factor >> excess), 32 - excess};
  }

  /// The kernel charges tick by tick: there is no sum of charges to be made here.
  Num to_virtual_in_parts(Num delta, const Weight& w, Num count, Ns /*each*/) const {
    if (count > Checked(1)) throw std::logic_error("several charges at once");
    return to_virtual(delta, w);
  }

  Num divide_floor(Num x, std::int64_t n) const {
    const std::int64_t quotient = x.value() / n;
    return Checked(quotient - (x.value() % n < 0 ? 1 : 0));
  }

  Num next_on_grid(Num x, Ns period) const {
    if (x > Checked(0)) return x;
    const Num periods((Checked(0) - x).value() / period + 1);
    return x + times(periods, period);
  }

  /// trunc(x * n / m), as div_s64() of a 64-bit product.
  Num scale(Num x, std::int64_t n, std::int64_t m) const {
    return Checked(times(x, n).value() / m);
  }

 private:
  __extension__ using Wide = __int128;

  static Num narrow(Wide wide) {
    const auto value = static_cast<std::int64_t>(wide);
    if (value != wide) throw Overflow();
    return Checked(value);
  }

  DeltaFair delta_fair_;
};

static_assert(Domain<KernelDomain>);

}  // namespace tickproof
