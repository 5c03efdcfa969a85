#include "report/gantt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "report/milliseconds.hpp"
#include "report/wrap.hpp"

namespace tickproof {
namespace {

constexpr std::size_t kMostCells = 60;
/// From one time of the scale to the next.
constexpr std::size_t kScaleCells = 10;
constexpr std::array<char, kStandings> kLetters{'.', 'o', '=', '#', '~', '%'};
constexpr const char* kLegend =
    "# runs, protected   = runs, unprotected   ~ asleep, still queued\n"
    "o waits, eligible   . waits, not eligible   (blank) asleep\n";
constexpr const char* kFifoLegend = "% runs, of a higher class\n";

/// The part of a run that is shown.
struct Window {
  Ns from = 0;
  Ns cell = 1;  ///< ns
  std::size_t cells = 0;

  Ns start_of(std::size_t i) const { return from + static_cast<Ns>(i) * cell; }
  Ns end() const { return start_of(cells); }
};

/// [from, to] in at most `most` cells of 1, 2, 2.5 or 5 times a power of ten ns, so
/// that the usual tick periods are whole numbers of cells. Less than half a cell at
/// the end is left out: nothing could fill it.
Window fit(Ns from, Ns to, std::size_t most) {
  constexpr std::array<Ns, 4> kSteps{10, 20, 25, 50};
  for (Ns power = 1;; power *= 10) {
    for (const Ns step : kSteps) {
      const Ns cell = power * step;
      const Ns start = from / cell * cell;
      const auto cells = static_cast<std::size_t>((to - start + cell / 2) / cell);
      if (cells <= most) return {start, cell, std::max<std::size_t>(cells, 1)};
    }
  }
}

Window choose_window(const SystemSpec& spec, const Recording& recording,
                     const std::optional<Reading>& reading, std::size_t most) {
  const Window whole = fit(0, recording.end, most);
  if (!reading || 2 * whole.cell <= spec.tick) return whole;
  const Ns margin = std::max((reading->to - reading->from) / 4, spec.tick);
  return fit(std::max<Ns>(0, reading->from - margin), std::min(recording.end, reading->to + margin),
             most);
}

/// One letter a cell: what holds for the longest part of it, and rather anything
/// than nothing.
std::string cells_of(const Window& window, std::span<const LaneSegment> lane) {
  std::string text;
  auto next = lane.begin();
  for (std::size_t i = 0; i < window.cells; ++i) {
    const Ns from = window.start_of(i);
    const Ns to = from + window.cell;
    std::array<Ns, kStandings> share{};
    next = std::find_if(next, lane.end(), [&](const LaneSegment& s) { return s.to > from; });
    for (auto s = next; s != lane.end() && s->from < to; ++s) {
      share[static_cast<std::size_t>(s->standing)] += std::min(s->to, to) - std::max(s->from, from);
    }
    const auto most = std::max_element(share.begin(), share.end());
    const Ns none = window.cell - std::accumulate(share.begin(), share.end(), Ns{0});
    text +=
        *most == 0 || *most < none ? ' ' : kLetters[static_cast<std::size_t>(most - share.begin())];
  }
  return text;
}

std::string ticks_of(const Window& window, const Recording& recording, CpuId cpu) {
  std::string text(window.cells, ' ');
  for (const Event& event : recording.events) {
    if (event.kind != MoveKind::tick || event.cpu != cpu) continue;
    if (event.time < window.from || event.time >= window.end()) continue;
    text[static_cast<std::size_t>((event.time - window.from) / window.cell)] = '|';
  }
  return text;
}

std::string scale_of(const Window& window) {
  std::string text;
  for (std::size_t i = 0; i < window.cells; i += kScaleCells) {
    if (text.size() > i) continue;
    text.resize(i, ' ');
    text += in_ms(window.start_of(i)) + " ";
  }
  return text;
}

std::string mark_of(const Window& window, const Reading& reading) {
  const auto cell_of = [&](Ns time) {
    const Ns cell = (time - window.from + window.cell / 2) / window.cell;
    return std::min(static_cast<std::size_t>(cell), window.cells);
  };
  const std::size_t from = std::min(cell_of(reading.from), window.cells - 1);
  return std::string(from, ' ') + std::string(std::max(cell_of(reading.to), from + 1) - from, '^');
}

std::string line(std::size_t width, const std::string& label, std::string cells) {
  cells.erase(cells.find_last_not_of(' ') + 1);
  return fmt::format("{:{}}{}\n", label, cells.empty() ? 0 : width, cells);
}

}  // namespace

std::string label_of(const SystemSpec& spec, TaskId task) {
  constexpr std::size_t kMost = 12;
  constexpr std::size_t kHead = 5;
  const std::string& name = spec.tasks[static_cast<std::size_t>(task)].name;
  if (name.size() <= kMost) return name;
  // The tail tells copies of a task apart.
  return name.substr(0, kHead) + "~" + name.substr(name.size() - (kMost - kHead - 1));
}

std::string gantt(const SystemSpec& spec, const Recording& recording, const Extremum& extremum) {
  std::vector<std::string> labels;
  std::size_t width = std::string_view(extremum.name).size();
  for (TaskId id = 0; id < static_cast<TaskId>(spec.tasks.size()); ++id) {
    labels.push_back(label_of(spec, id));
    width = std::max(width, labels.back().size());
  }
  width += 2;
  const Window window =
      choose_window(spec, recording, extremum.reading, std::min(kMostCells, kTextWidth - width));

  std::string text = fmt::format("One cell is {}", format_duration(window.cell));
  if (window.from > 0 || recording.end - window.end() > window.cell / 2) {
    text += fmt::format("; shown are {} to {} of {} ms", in_ms(window.from),
                        in_ms(std::min(window.end(), recording.end)), in_ms(recording.end));
  }
  text += "\n" + line(width, "ms", scale_of(window));
  for (CpuId c = 0; c < spec.cpus; ++c) {
    text += line(width, spec.cpus == 1 ? "tick" : fmt::format("tick {}", c),
                 ticks_of(window, recording, c));
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    text += line(width, labels[i], cells_of(window, recording.lanes[i]));
  }
  if (extremum.reading) text += line(width, extremum.name, mark_of(window, *extremum.reading));
  const bool any_fifo = std::any_of(spec.tasks.begin(), spec.tasks.end(), [](const auto& task) {
    return task.spec.policy == Policy::fifo;
  });
  return text + kLegend + (any_fifo ? kFifoLegend : "");
}

}  // namespace tickproof
