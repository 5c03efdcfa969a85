// Operations (eevdf_op events) per second of `tickproof conform`, over the traces of
// tests/data/traces, unpacked and as they are (gz). Each benchmark does what the one
// before it does, and one thing more: so the differences are what each stage takes.
#include "trace/conform.hpp"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "model/text_file.hpp"
#include "trace/event_stream.hpp"

namespace tickproof {
namespace {

namespace fs = std::filesystem;

/// The traces, with an unpacked copy of each as long as the program runs.
class Traces {
 public:
  struct Trace {
    fs::path packed;
    fs::path plain;
    TraceDescription description;
  };

  Traces() : scratch_(fs::temp_directory_path() / ("bench_conform-" + std::to_string(getpid()))) {
    fs::create_directories(scratch_);
    for (const auto& file :
         fs::recursive_directory_iterator(TICKPROOF_SOURCE_DIR "/tests/data/traces")) {
      const fs::path& packed = file.path();
      if (!packed.string().ends_with(".trace.txt.gz")) continue;
      const fs::path plain = scratch_ / packed.stem();
      const std::string text = read_text_file(packed);
      std::ofstream(plain, std::ios_base::binary) << text;
      for (std::size_t at = 0; (at = text.find(" eevdf_op: ", at)) != std::string::npos; ++at) {
        ++operations;
      }
      all.push_back({packed, plain, read_trace_description(*find_trace_description(packed))});
    }
  }
  ~Traces() { fs::remove_all(scratch_); }
  Traces(const Traces&) = delete;
  Traces& operator=(const Traces&) = delete;

  std::vector<Trace> all;
  std::int64_t operations = 0;

 private:
  fs::path scratch_;
};

enum class Packing { plain, gz };

/// Calls read(path, description) for each trace, again and again.
template <class Read>
void over_traces(benchmark::State& state, Packing packing, const Read& read) {
  static const Traces traces;
  for (auto _ : state) {
    for (const Traces::Trace& trace : traces.all) {
      read(packing == Packing::gz ? trace.packed : trace.plain, trace.description);
    }
  }
  state.SetItemsProcessed(state.iterations() * traces.operations);
}

/// Calls use(event) for each event of the trace.
template <class Use>
void over_events(const fs::path& path, const Use& use) {
  const auto events = open_event_stream(path);
  for (TraceItem item; events->next(item);) {
    if (const auto* const event = std::get_if<TraceEvent>(&item)) use(*event);
  }
}

void lines(benchmark::State& state, Packing packing) {
  over_traces(state, packing, [](const fs::path& path, const TraceDescription&) {
    TextLines text(path);
    for (std::string_view line; text.next(line);) benchmark::DoNotOptimize(line);
  });
}

void events(benchmark::State& state, Packing packing) {
  over_traces(state, packing, [](const fs::path& path, const TraceDescription&) {
    over_events(path, [](const TraceEvent& event) { benchmark::DoNotOptimize(event); });
  });
}

void fields(benchmark::State& state, Packing packing) {
  over_traces(state, packing, [](const fs::path& path, const TraceDescription&) {
    over_events(path, [](const TraceEvent& event) {
      if (event.name == "eevdf_op") benchmark::DoNotOptimize(parse_operation(event.fields));
      if (event.name == "eevdf_se") benchmark::DoNotOptimize(parse_queue_entry(event.fields));
    });
  });
}

void replay(benchmark::State& state, Packing packing) {
  over_traces(state, packing, [](const fs::path& path, const TraceDescription& description) {
    Conformance conformance(description);
    over_events(path, [&](const TraceEvent& event) {
      if (conformance.feed(event)) throw std::runtime_error(path.string() + " diverges");
    });
  });
}

#define TICKPROOF_STAGE(stage)                                                    \
  BENCHMARK_CAPTURE(stage, plain, Packing::plain)->Unit(benchmark::kMillisecond); \
  BENCHMARK_CAPTURE(stage, gz, Packing::gz)->Unit(benchmark::kMillisecond)
TICKPROOF_STAGE(lines);
TICKPROOF_STAGE(events);
TICKPROOF_STAGE(fields);
TICKPROOF_STAGE(replay);

}  // namespace
}  // namespace tickproof
