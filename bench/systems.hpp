// The systems that are measured: hogs, and perhaps a waker, under a named kernel's rules.
#pragma once

#include "model/profiles.hpp"
#include "model/system.hpp"

namespace tickproof {

inline Config hogs(const char* kernel, int hz, Ns base_slice, int count) {
  const Profile& profile = find_profile(kernel);
  Config config;
  config.kernel = kernel;
  config.rules = profile.rules;
  config.features = profile.features;
  config.hz = hz;
  config.base_slice = base_slice;
  TaskSpec hog;
  hog.name = "hog";
  hog.count = count;
  config.tasks.push_back(hog);
  return config;
}

inline Config with_waker(Config config) {
  TaskSpec waker;
  waker.name = "waker";
  waker.workload = {Workload::Kind::sporadic, 0, 0, kMsec, 200 * kUsec};
  config.tasks.push_back(waker);
  return config;
}

}  // namespace tickproof
