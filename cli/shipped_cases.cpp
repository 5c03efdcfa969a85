#include "cli/shipped_cases.hpp"

#include <algorithm>
#include <sstream>
#include <string>

namespace tickproof {

std::vector<std::filesystem::path> shipped_cases() {
  std::istringstream directories(TICKPROOF_CASE_DIRS);
  for (std::string directory; std::getline(directories, directory, ':');) {
    if (!std::filesystem::is_directory(directory)) continue;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
  }
  return {};
}

}  // namespace tickproof
