// Kernel versions as bundles of rules and feature defaults.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "model/rules.hpp"

namespace tickproof {

struct Profile {
  std::string_view name;    ///< "6.12.117"
  std::string_view covers;  ///< "6.8 to 6.11"
  std::string_view note;    ///< how well it is founded
  Rules rules;
  Features features;
  bool has_lazy = false;  ///< PREEMPT_LAZY exists
};

std::span<const Profile> all_profiles();

/// The profile of that name. Throws BadValue that lists the profiles there are.
const Profile& find_profile(std::string_view name);

}  // namespace tickproof
