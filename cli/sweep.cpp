// tickproof sweep: how does it depend on the configuration?
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <mutex>
#include <thread>

#include "cli/case_run.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress.hpp"
#include "report/grid.hpp"

namespace tickproof {
namespace {

struct Sweep {
  std::string path;
  std::vector<std::string> properties;
  std::string ratio_to;
  GridFormat format = GridFormat::text;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  Settings settings;
  Effort effort;

  ExitCode run();
  std::vector<CaseSweep> sweeps(const CaseFile& file);
  Grid make_grid(const CaseReport& report, const CaseSweep& sweep) const;
  void fill(Grid& grid, const std::atomic<bool>& stop) const;
};

std::vector<CaseSweep> Sweep::sweeps(const CaseFile& file) {
  std::vector<Axis> axes = settings.take_axes();
  if (!axes.empty()) return {{file.title, std::move(axes), ratio_to}};
  if (file.sweeps.empty()) {
    throw InputError(path, "sweep",
                     "the case has no grid of its own; give some option several values, as in "
                     "--hz 100,250,1000");
  }
  std::vector<CaseSweep> own = file.sweeps;
  if (!ratio_to.empty()) {
    for (CaseSweep& sweep : own) sweep.ratio_to = ratio_to;
  }
  return own;
}

Grid Sweep::make_grid(const CaseReport& report, const CaseSweep& sweep) const {
  Grid grid{report.file, sweep.title, sweep.axes, sweep.ratio_to, {}, {}};
  for (const CaseProperty& asked : report.file.properties) {
    if (properties.empty() ||
        std::find(properties.begin(), properties.end(), asked.property.name) != properties.end()) {
      grid.properties.push_back(asked);
    }
  }
  std::size_t count = 1;
  for (const Axis& axis : grid.axes) count *= axis.size();
  for (std::size_t i = 0; i < count; ++i) {
    GridPoint point;
    std::size_t rest = i;
    for (auto axis = grid.axes.rbegin(); axis != grid.axes.rend(); ++axis) {
      point.settings.insert(point.settings.begin(), (*axis)[rest % axis->size()]);
      rest /= axis->size();
    }
    std::vector<Assignment> all = settings.on_top_of(report.file.assignments);
    all.insert(all.end(), point.settings.begin(), point.settings.end());
    point.resolved = resolve(all);
    point.findings.resize(grid.properties.size());
    grid.points.push_back(std::move(point));
  }
  if (!grid.ratio_to.empty() && grid.compared_with(grid.points.front()) == nullptr) {
    throw InputError(
        path, "ratio_to",
        "'" + grid.ratio_to + "' is no value of an axis; write KEY=VALUE, such as hz=100");
  }
  return grid;
}

/// Cells are independent: each thread takes the next one, with a Z3 context of its own.
void Sweep::fill(Grid& grid, const std::atomic<bool>& stop) const {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const std::size_t columns = grid.properties.size();
  const std::size_t cells = grid.points.size() * columns;
  std::atomic<std::size_t> next = 0;
  std::size_t done = 0;
  std::exception_ptr failure;
  std::mutex mutex;
  ProgressLine line;
  line.show(fmt::format("0 of {} cells", cells));
  const auto work = [&] {
    for (std::size_t cell = next++; cell < cells && !stop; cell = next++) {
      GridPoint& point = grid.points[cell / columns];
      const CaseProperty& asked = grid.properties[cell % columns];
      try {
        Finding finding{asked, answer({make_system(point.resolved.config), asked.property, true,
                                       effort.limits(grid.file, stop), nullptr})};
        const std::scoped_lock lock(mutex);
        point.findings[cell % columns] = std::move(finding);
        ++done;
        const std::chrono::duration<double> spent = Clock::now() - start;
        line.show(fmt::format(
            "{} of {} cells, {:.0f}s left", done, cells,
            spent.count() / static_cast<double>(done) * static_cast<double>(cells - done)));
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (!failure) failure = std::current_exception();
        next = cells;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < jobs; ++i) threads.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

ExitCode Sweep::run() {
  const std::atomic<bool>& stop = catch_interrupts();
  const CaseFile file = load_case(path);
  for (const std::string& name : properties) find_property(file, name);
  const std::vector<CaseSweep> all = sweeps(file);
  const CaseReport report = open_case(path, settings);
  std::vector<Grid> grids;
  for (const CaseSweep& sweep : all) grids.push_back(make_grid(report, sweep));
  if (format == GridFormat::text) std::cout << describe_configuration(report) << '\n' << std::flush;
  ExitCode code = ExitCode::holds;
  for (Grid& grid : grids) {
    fill(grid, stop);
    std::cout << show_grid(grid, format) << (&grid == &grids.back() ? "" : "\n") << std::flush;
    for (const GridPoint& point : grid.points) {
      for (const std::optional<Finding>& finding : point.findings) {
        code = worse(code, finding ? exit_code_of(*finding) : ExitCode::unknown);
      }
    }
  }
  return code;
}

}  // namespace

void add_sweep(CLI::App& program, ExitCode& exit_code) {
  auto sweep = std::make_shared<Sweep>();
  CLI::App* app =
      program.add_subcommand("sweep", "the worst values of a case over a grid of configurations");
  app->footer(
      std::string("Every option of the case's parameters takes several values, separated by "
                  "commas;\neach one that does is a direction of the grid. Without any, the "
                  "case's own grids are run.\n\n") +
      kExitCodeHelp);
  app->add_option("CASE", sweep->path, "case file")->required();
  app->add_option("--property", sweep->properties, "only the property of this name; repeatable")
      ->type_name("NAME")
      ->take_all()
      ->expected(1);
  app->add_option("--ratio-to", sweep->ratio_to,
                  "add a column that compares with this value of an axis")
      ->type_name("KEY=VALUE");
  app->add_option("--format", sweep->format, "how to print it (default: text)")
      ->transform(CLI::CheckedTransformer(
                      std::map<std::string, GridFormat>{{"text", GridFormat::text},
                                                        {"markdown", GridFormat::markdown},
                                                        {"csv", GridFormat::csv},
                                                        {"json", GridFormat::json}})
                      .description(""))
      ->type_name("text|markdown|csv|json");
  app->add_option("--jobs", sweep->jobs, "cells computed at a time")
      ->type_name("N")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  sweep->effort.add_to(*app);
  sweep->settings.add_to(*app);
  app->callback([sweep, &exit_code] { exit_code = sweep->run(); });
}

}  // namespace tickproof
