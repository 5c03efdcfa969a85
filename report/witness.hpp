// The worst run that was found, for people and for `tickproof replay`.
#pragma once

#include <string>

#include "report/schedule_json.hpp"
#include "report/summary.hpp"

namespace tickproof {

/// The witness of a finding as a document of its own.
ScheduleDocument witness_document(const CaseReport& report, const Finding& finding);

/// The witness as text: events, picture, reasons for waiting.
std::string witness_text(const CaseReport& report, const Finding& finding);

}  // namespace tickproof
