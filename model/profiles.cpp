#include "model/profiles.hpp"

#include <algorithm>
#include <array>

#include "model/setting.hpp"

namespace tickproof {
namespace {

// Each profile is its predecessor plus what changed: a diff of kernels reads as
// a diff of these lines.
constexpr Profile make_6_8() {
  return {.name = "6.8",
          .covers = "6.8 to 6.11",
          .note = "read in 6.8.1",
          .rules = {},
          .features = {},
          .has_lazy = false};
}

constexpr Profile make_6_12() {
  Profile p = make_6_8();
  p.name = "6.12";
  p.covers = "6.12.0";
  p.note = "reconstructed from commits";
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
  p.covers = "6.12.117 (long-term stable)";
  p.note = "read in source; agrees with traces of it (docs/traces.md)";
  p.rules.idle_protection = IdleProtection::cancelled;
  p.rules.yield = Yield::forfeit;
  p.rules.slice_unit = SliceUnit::us700;
  return p;
}

constexpr std::array<Profile, 3> kProfiles{make_6_8(), make_6_12(), make_6_12_117()};

}  // namespace

std::span<const Profile> all_profiles() { return kProfiles; }

const Profile& find_profile(std::string_view name) {
  const auto found = std::find_if(kProfiles.begin(), kProfiles.end(),
                                  [&](const Profile& p) { return p.name == name; });
  if (found != kProfiles.end()) return *found;
  std::string names;
  for (const Profile& p : kProfiles) names += (names.empty() ? "" : ", ") + std::string(p.name);
  throw BadValue("no profile for kernel '" + std::string(name) + "'; there are " + names);
}

}  // namespace tickproof
