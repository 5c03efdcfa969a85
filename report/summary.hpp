// What a run of a case has to say, in plain text of at most 72 columns.
#pragma once

#include <string>
#include <vector>

#include "model/parameters.hpp"
#include "properties/case_file.hpp"
#include "solver/engine.hpp"

namespace tickproof {

/// A property of a case with what was found out about it.
struct Finding {
  CaseProperty asked;
  Answer answer;
};

/// A case that was run.
struct CaseReport {
  CaseFile file;
  Resolved resolved;
  std::vector<Finding> findings;
};

/// Does the answer say what the case file expects? True if that expects nothing.
bool as_expected(const Finding& finding);

/// The configuration in words: kernel and overridden rules, tick, slices, preemption,
/// tasks and what they may do, notes, and the abstractions of the model.
std::string describe_configuration(const CaseReport& report);

/// Every value of the configuration with where it came from.
std::string describe_origins(const Resolved& resolved);

/// The verdict on one property: status, value or bracket, what was covered, how.
std::string describe_finding(const Finding& finding);

/// ", rule yield=forfeit, NO_HRTICK": what is other than in the kernel's profile; may be empty.
std::string departures(const std::string& kernel, const Rules& rules, const Features& features);

/// What is between the model and the kernel, one sentence each: these are part of
/// every verdict.
std::vector<std::string> abstractions(const Config& config);

}  // namespace tickproof
