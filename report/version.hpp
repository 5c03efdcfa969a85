#pragma once

#include <string>

namespace tickproof {

/// "tickproof 0.1.0": who wrote a document.
std::string tool_version();
/// tool_version() and the solver's.
std::string version_text();

}  // namespace tickproof
