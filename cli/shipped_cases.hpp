#pragma once

#include <filesystem>
#include <vector>

namespace tickproof {

/// The case files that come along, sorted by path: those of the source tree that the
/// program was built in, or else the installed ones.
std::vector<std::filesystem::path> shipped_cases();

}  // namespace tickproof
