#include "report/version.hpp"

#include "solver/engine.hpp"

namespace tickproof {

std::string tool_version() { return "tickproof " TICKPROOF_VERSION; }

std::string version_text() { return tool_version() + " (Z3 " + z3_version() + ")"; }

}  // namespace tickproof
