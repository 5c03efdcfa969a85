// Searches for what contradicts a property, kernel by kernel. A search that finds nothing
// anywhere says little: the same one should find something where the property does not hold.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "model/profiles.hpp"
#include "model/units.hpp"

namespace tickproof {

/// Where it does not hold, in words; empty if no such place was found.
using Counterexample = std::string;

/// The profiles in which the search finds a counterexample.
inline std::set<std::string> fails_in(const std::function<Counterexample(const Profile&)>& search) {
  std::set<std::string> names;
  for (const Profile& profile : all_profiles()) {
    if (!search(profile).empty()) names.emplace(profile.name);
  }
  return names;
}

inline std::set<std::string> profiles_that(const std::function<bool(const Profile&)>& are) {
  std::set<std::string> names;
  for (const Profile& profile : all_profiles()) {
    if (are(profile)) names.emplace(profile.name);
  }
  return names;
}

inline const std::set<std::string> kNowhere;
inline const std::set<std::string> kEverywhere = profiles_that([](const Profile&) { return true; });
inline const std::set<std::string> kFrom612 = profiles_that([](const Profile& p) {
  return p.first >= KernelVersion{6, 12};
});

/// visit(x, y, ..) for all of the product of the lists, until it returns what is not empty.
template <class Visit>
Counterexample first_of(const std::vector<Ns>& xs, const Visit& visit) {
  for (const Ns x : xs) {
    const Counterexample found = visit(x);
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace tickproof
