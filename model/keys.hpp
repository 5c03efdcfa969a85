// Which parameter a key such as "hz" or "task.hog.nice" means.
#pragma once

#include <string>

#include "model/parameters.hpp"

namespace tickproof {

/// A key taken apart: its row of the table, and what stands there for NAME (empty
/// for a single parameter).
struct Key {
  const Parameter& parameter;
  std::string name;
};

/// Throws InputError, with the nearest key there is and all of them.
Key find_key(const Assignment& assignment);

/// The key of the member `name` of p's family; p's own key if it is single.
std::string key_of(const Parameter& p, const std::string& name);

}  // namespace tickproof
