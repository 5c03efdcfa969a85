#include "report/result_json.hpp"

#include <nlohmann/json.hpp>

#include "model/choices.hpp"
#include "report/version.hpp"
#include "report/witness.hpp"

namespace tickproof {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json configuration(const Resolved& resolved) {
  Json values = Json::array();
  for (const Value& value : resolved.values) {
    values.push_back({{"key", value.key},
                      {"value", value.text},
                      {"from", name_of(value.origin.kind)},
                      {"where", value.origin.where}});
  }
  return values;
}

Json finding_json(const CaseReport& report, const Finding& finding) {
  const Property& property = finding.asked.property;
  const Answer& answer = finding.answer;
  Json json{{"property", property.name},
            {"kind", info_of(property.kind).name},
            {"task", property.task},
            {"unit", info_of(property.kind).counts_ticks ? "ticks" : "ns"},
            {"at_most", or_null(property.at_most)},
            {"at_least", or_null(property.at_least)},
            {"status", name_of(answer.status)},
            {"as_expected", as_expected(finding)},
            {"looked_for", answer.aim == Aim::largest ? "largest" : "smallest"},
            {"witness_value", nullptr},
            {"bound", or_null(answer.bound)},
            {"exact", is_exact(answer, property.kind)},
            {"depth", answer.depth},
            {"covered_ns", answer.covered},
            {"engine", answer.engine},
            {"reason", answer.reason},
            {"control_states", answer.controls},
            {"transitions", answer.transitions},
            {"seconds", answer.seconds},
            {"schedule", nullptr}};
  if (answer.witness) {
    json["witness_value"] = answer.witness->value;
    json["schedule"] = Json::parse(to_json(witness_document(report, finding)));
  }
  return json;
}

}  // namespace

std::string result_json(const std::vector<CaseReport>& reports) {
  Json cases = Json::array();
  for (const CaseReport& report : reports) {
    Json findings = Json::array();
    for (const Finding& finding : report.findings) {
      findings.push_back(finding_json(report, finding));
    }
    cases.push_back({{"file", report.file.path.string()},
                     {"title", report.file.title},
                     {"source", report.file.source},
                     {"configuration", configuration(report.resolved)},
                     {"notes", report.resolved.notes},
                     {"abstractions", abstractions(report.resolved.config)},
                     {"findings", findings}});
  }
  const Json document{{"format", "tickproof-result"},
                      {"version", 1},
                      {"tool", tool_version()},
                      {"solver", "Z3 " + z3_version()},
                      {"cases", cases}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tickproof
