#pragma once

#include <string>
#include <vector>

#include "report/summary.hpp"

namespace tickproof {

/// The result of `check` and `worst` for machines: report/schemas/result.schema.json.
/// A witness is a whole schedule document, which `tickproof replay` accepts.
std::string result_json(const std::vector<CaseReport>& reports);

}  // namespace tickproof
