#include "report/witness.hpp"

#include "report/recording.hpp"
#include "report/schedule_text.hpp"
#include "report/version.hpp"

namespace tickproof {

ScheduleDocument witness_document(const CaseReport& report, const Finding& finding) {
  ScheduleDocument document;
  document.tool = tool_version();
  document.system = make_system(report.resolved.config);
  document.property = finding.asked.property;
  document.claim.extreme =
      finding.answer.aim == Aim::largest ? Extreme::largest : Extreme::smallest;
  document.claim.value = finding.answer.witness->value;
  document.schedule = finding.answer.witness->schedule;
  document.events = record(document.system, document.schedule, document.property).events;
  return document;
}

std::string witness_text(const CaseReport& report, const Finding& finding) {
  const SystemSpec spec = make_system(report.resolved.config);
  const Recording recording =
      record(spec, finding.answer.witness->schedule, finding.asked.property);
  return schedule_text(spec, recording, finding.asked.property);
}

}  // namespace tickproof
