// Systems made by hand, for tests that need to know every number of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/profiles.hpp"
#include "model/system.hpp"
#include "properties/property.hpp"

namespace tickproof {

/// A configuration with the rules and features of `kernel`, no loss, no delay.
inline Config config_of(const char* kernel, int hz, Ns base_slice, std::vector<TaskSpec> tasks) {
  const Profile& profile = find_profile(kernel);
  Config config;
  config.kernel = kernel;
  config.rules = profile.rules;
  config.features = profile.features;
  config.hz = hz;
  config.base_slice = base_slice;
  config.tasks = std::move(tasks);
  return config;
}

inline TaskSpec task_of(std::string name, Workload workload) {
  TaskSpec task;
  task.name = std::move(name);
  task.workload = workload;
  return task;
}

inline TaskSpec hog(std::string name, int nice = 0) {
  TaskSpec task = task_of(std::move(name), {});
  task.nice = nice;
  return task;
}

inline TaskSpec hogs(std::string name, int count) {
  TaskSpec task = hog(std::move(name));
  task.count = count;
  return task;
}

inline TaskSpec sporadic(std::string name, Ns sleep, Ns burst) {
  return task_of(std::move(name),
                 {.kind = Workload::Kind::sporadic, .sleep = sleep, .burst = burst});
}

inline TaskSpec periodic(std::string name, Ns period, Ns jitter, Ns burst) {
  return task_of(
      std::move(name),
      {.kind = Workload::Kind::periodic, .period = period, .jitter = jitter, .burst = burst});
}

inline TaskSpec yielder(std::string name, Ns burst) {
  return task_of(std::move(name), {.kind = Workload::Kind::yielder, .burst = burst});
}

inline TaskSpec unconstrained(std::string name) {
  return task_of(std::move(name), {.kind = Workload::Kind::unconstrained});
}

inline TaskSpec with_slice(TaskSpec task, Ns slice) {
  task.slice = slice;
  return task;
}

inline TaskSpec with_policy(TaskSpec task, Policy policy) {
  task.policy = policy;
  return task;
}

inline Property property_of(PropertyKind kind, std::string task) {
  Property property;
  property.name = "p";
  property.kind = kind;
  property.task = std::move(task);
  return property;
}

}  // namespace tickproof
