#include "trace/event_stream.hpp"

#include "model/setting.hpp"
#include "trace/text_events.hpp"
#include "trace/trace_dat.hpp"

namespace tickproof {

bool EventStream::next(TraceItem& item) {
  if (!read(item)) return false;
  if (const auto* const event = std::get_if<TraceEvent>(&item)) {
    const auto cpu = static_cast<std::size_t>(event->cpu);
    if (cpu >= clocks_.size()) clocks_.resize(cpu + 1);
    // Only of one CPU: the clocks of two may differ a little.
    if (event->time < clocks_[cpu]) refuse("the clock goes backward");
    clocks_[cpu] = event->time;
  }
  return true;
}

void EventStream::refuse(const std::string& why) const {
  throw InputError(path_.string(), position(), why);
}

std::unique_ptr<EventStream> open_event_stream(const std::filesystem::path& path) {
  if (is_trace_dat(path)) return std::make_unique<TraceDat>(path);
  return std::make_unique<TextEvents>(path);
}

}  // namespace tickproof
