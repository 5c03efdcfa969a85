// Picks the events of one CPU out of a trace: the model has one, a machine has more.
#pragma once

#include <optional>
#include <set>

#include "trace/event.hpp"

namespace tickproof {

class OneCpu {
 public:
  /// Without `asked`, the trace must be of one CPU, whichever.
  explicit OneCpu(std::optional<int> asked) : is_asked_(asked.has_value()), cpu_(asked) {}

  /// Is the event of that CPU? Throws BadValue where the trace turns out to be of several
  /// CPUs and none was asked for.
  bool wants(const TraceEvent& event);
  /// Does that CPU miss these events? A hole of unknown CPU may be its own.
  bool wants(const LostEvents& lost) const;
  /// At the end of the trace. Throws BadValue where it has events, but none of the CPU that
  /// was asked for.
  void check_found() const;

 private:
  bool is_asked_;
  std::optional<int> cpu_;
  bool found_ = false;
  std::set<int> others_;
};

}  // namespace tickproof
