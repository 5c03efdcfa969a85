// Kernel versions as bundles of rules and feature defaults.
#pragma once

#include <compare>
#include <span>
#include <string>
#include <string_view>

#include "model/rules.hpp"

namespace tickproof {

struct KernelVersion {
  int major = 0;
  int minor = 0;
  int patch = 0;  ///< 0 also where none is said
  friend auto operator<=>(const KernelVersion&, const KernelVersion&) = default;
};

struct Profile {
  std::string_view name;    ///< "6.12.117"
  std::string_view covers;  ///< "6.8 to 6.11"
  std::string_view note;    ///< how well it is founded
  KernelVersion first;      ///< the first version that it covers
  Rules rules;
  Features features;
  bool has_lazy = false;       ///< PREEMPT_LAZY exists
  bool has_voluntary = false;  ///< PREEMPT_NONE and PREEMPT_VOLUNTARY can be chosen (x86)
};

/// From the oldest to the newest.
std::span<const Profile> all_profiles();

/// The version that a text such as "6.14", "v6.19-rc3" or the output of `uname -r`
/// ("6.12.117+deb13-amd64") begins with. Throws BadValue if there is none.
KernelVersion parse_kernel_version(std::string_view text);

/// The profile that covers a version, given as for parse_kernel_version(). Throws
/// BadValue that lists the profiles for a version older than the oldest of them, or of a
/// series newer than the newest: nobody has compared the rules.
const Profile& find_profile(std::string_view version);

}  // namespace tickproof
