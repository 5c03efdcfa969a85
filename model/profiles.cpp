#include "model/profiles.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "model/setting.hpp"
#include "model/words.hpp"

namespace tickproof {
namespace {

// Each profile is its predecessor plus what changed: a diff of kernels reads as
// a diff of these lines.
constexpr Profile make_6_6() {
  return {.name = "6.6",
          .covers = "6.6 and 6.7",
          .note = "reconstructed from commits",
          .first = {6, 6},
          .rules = {},
          .features = {},
          .has_lazy = false,
          .has_voluntary = true};
}

constexpr Profile make_6_8() {
  Profile p = make_6_6();
  p.name = "6.8";
  p.covers = "6.8 to 6.11";
  p.note = "read in 6.8.1";
  p.first = {6, 8};
  p.rules.tie = Tie::insertion;
  return p;
}

constexpr Profile make_6_12() {
  Profile p = make_6_8();
  p.name = "6.12";
  p.covers = "6.12 before the backports of 6.12.117";
  p.note = "reconstructed from commits";
  p.first = {6, 12};
  p.rules.trigger = Trigger::expiry_or_ineligible;
  p.rules.short_wakeup = ShortWakeup::earlier;
  p.rules.idle_wakeup = IdleWakeup::if_enabled;
  p.rules.fork_placement = ForkPlacement::half_slice;
  p.rules.custom_slice = CustomSlice::yes;
  p.features.place_rel_deadline = true;
  p.features.preempt_short = true;
  p.features.delay_dequeue = true;
  p.features.delay_zero = true;
  return p;
}

constexpr Profile make_6_12_117() {
  Profile p = make_6_12();
  p.name = "6.12.117";
  p.covers = "6.12.117 (long-term stable) and later ones of 6.12";
  p.note = "read in source; agrees with traces of it (docs/traces.md)";
  p.first = {6, 12, 117};
  p.rules.zero = Zero::average;
  p.rules.buddy_pick = BuddyPick::if_pick_buddy;
  p.rules.idle_protection = IdleProtection::cancelled;
  p.rules.yield = Yield::forfeit;
  p.rules.slice_unit = SliceUnit::us700;
  p.features.pick_buddy = true;
  return p;
}

constexpr Profile make_6_13() {
  Profile p = make_6_12();
  p.name = "6.13";
  p.covers = "6.13 and 6.14";
  p.note = "6.14.0 read in source (its PICK_BUDDY is in 6.15), 6.13 reconstructed";
  p.first = {6, 13};
  p.rules.renice = Renice::lag_and_deadline;
  p.rules.hrtick = Hrtick::slice_lazy;
  p.has_lazy = true;
  return p;
}

constexpr Profile make_6_15() {
  Profile p = make_6_13();
  p.name = "6.15";
  p.covers = "6.15 and 6.16";
  p.note = "reconstructed from commits";
  p.first = {6, 15};
  p.rules.buddy_pick = BuddyPick::if_pick_buddy;
  p.rules.idle_protection = IdleProtection::cancelled;
  p.rules.slice_unit = SliceUnit::us700;
  p.features.pick_buddy = true;
  return p;
}

constexpr Profile make_6_17() {
  Profile p = make_6_15();
  p.name = "6.17";
  p.covers = "6.17 and 6.18";
  p.note = "6.17.0 read in source";
  p.first = {6, 17};
  p.rules.protection = Protection::min_slice;
  p.rules.protection_cut = ProtectionCut::short_wakeup;
  p.rules.trigger = Trigger::expiry_or_unprotected;
  p.rules.short_wakeup = ShortWakeup::best;
  return p;
}

constexpr Profile make_6_19() {
  Profile p = make_6_17();
  p.name = "6.19";
  p.covers = "6.19";
  p.note = "reconstructed from commits";
  p.first = {6, 19};
  p.rules.zero = Zero::average;
  p.rules.protection_cut = ProtectionCut::tested_wakeup;
  p.rules.fork_wakeup = ForkWakeup::never;
  p.rules.next_buddy = NextBuddy::earlier_deadline;
  p.rules.buddy_pick = BuddyPick::every_pick;
  p.rules.yield = Yield::forfeit;
  return p;
}

constexpr Profile make_7_0() {
  Profile p = make_6_19();
  p.name = "7.0";
  p.covers = "7.0";
  p.note = "read in 7.0.0";
  p.first = {7, 0};
  p.rules.protection_start = ProtectionStart::pick;
  p.rules.lag_limit = LagLimit::max_slice;
  p.has_voluntary = false;
  return p;
}

constexpr Profile make_7_1() {
  Profile p = make_7_0();
  p.name = "7.1";
  p.covers = "7.1";
  p.note = "reconstructed from 7.0.0 and 7.2.13";
  p.first = {7, 1};
  p.rules.delta_fair = DeltaFair::exact;
  p.rules.zero = Zero::heavy;
  p.rules.wakeup_pick = WakeupPick::drains_delayed;
  p.rules.buddy_pick = BuddyPick::protected_pick;
  p.rules.delayed_lag = DelayedLag::only_shrinks;
  p.rules.hrtick = Hrtick::deadline;
  p.features.hrtick = true;  // where timers are re-armed late: x86, s390, riscv, loongarch
  return p;
}

constexpr Profile make_7_2() {
  Profile p = make_7_1();
  p.name = "7.2";
  p.covers = "7.2";
  p.note = "read in 7.2.13; agrees with traces of it (docs/traces.md)";
  p.first = {7, 2};
  p.rules.requeue_charge = RequeueCharge::yes;
  return p;
}

constexpr Profile make_7_3() {
  Profile p = make_7_2();
  p.name = "7.3";
  p.covers = "7.3";
  p.note = "read in 7.3.4; agrees with traces of it (docs/traces.md)";
  p.first = {7, 3};
  p.rules.protection = Protection::until_ineligible;
  p.rules.protection_cut = ProtectionCut::every_wakeup;
  p.rules.cut_from = CutFrom::not_ahead;
  p.rules.short_wakeup = ShortWakeup::eligible;
  p.rules.short_buddy = ShortBuddy::yes;
  return p;
}

constexpr std::array kProfiles{make_6_6(),  make_6_8(),  make_6_12(), make_6_12_117(),
                               make_6_13(), make_6_15(), make_6_17(), make_6_19(),
                               make_7_0(),  make_7_1(),  make_7_2(),  make_7_3()};

/// "there are 6.6, 6.8, ..."
std::string what_there_is() {
  std::string names;
  for (const Profile& p : kProfiles) names += (names.empty() ? "" : ", ") + std::string(p.name);
  return "there are " + names;
}

}  // namespace

std::span<const Profile> all_profiles() { return kProfiles; }

KernelVersion parse_kernel_version(std::string_view text) {
  const char* at = text.data() + (text.starts_with('v') ? 1 : 0);
  const char* const end = text.data() + text.size();
  const auto number = [&](int& value) {
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error != std::errc() || value < 0) return false;
    at = stop;
    return true;
  };
  const auto point = [&] { return at != end && *at == '.' && ++at; };
  KernelVersion version;
  const bool is_version =
      number(version.major) && point() && number(version.minor) &&
      (!point() || number(version.patch)) &&
      (at == end || std::string_view("-+_~").find(*at) != std::string_view::npos);
  if (!is_version) {
    throw BadValue(shown(text) + " is no kernel version; expected one like 6.12.117, 7.2-rc8 or " +
                   "what `uname -r` prints");
  }
  return version;
}

const Profile& find_profile(std::string_view text) {
  const KernelVersion version = parse_kernel_version(text);
  const auto series = [](const KernelVersion& v) { return KernelVersion{v.major, v.minor}; };
  if (version < kProfiles.front().first) {
    throw BadValue("no profile for kernel " + shown(text) + ", which has no EEVDF; " +
                   what_there_is());
  }
  if (series(version) > series(kProfiles.back().first)) {
    throw BadValue("no profile for kernel " + shown(text) + ", which is too new; " +
                   what_there_is());
  }
  const Profile* best = &kProfiles.front();
  for (const Profile& profile : kProfiles) {
    // What was backported to one long-term series is in that series only.
    const bool is_series = profile.first.patch == 0 || series(profile.first) == series(version);
    if (is_series && profile.first <= version) best = &profile;
  }
  return *best;
}

}  // namespace tickproof
