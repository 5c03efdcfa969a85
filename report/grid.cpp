#include "report/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "report/result_json.hpp"
#include "report/version.hpp"
#include "report/wrap.hpp"

namespace tickproof {
namespace {

using Row = std::vector<std::string>;

/// The value that stands for a finding: the bound where witness and bound meet, else
/// what was shown.
std::optional<Ns> value_of(const std::optional<Finding>& finding) {
  if (!finding) return std::nullopt;
  const Answer& answer = finding->answer;
  if (answer.status == Status::bounded && is_exact(answer, finding->asked.property.kind)) {
    return answer.bound;
  }
  if (answer.witness) return answer.witness->value;
  return answer.bound;
}

std::string cell_text(const std::optional<Finding>& finding) {
  if (!finding) return "-";
  const std::optional<Ns> value = value_of(finding);
  if (!value) return "none";
  const Answer& answer = finding->answer;
  const PropertyKind kind = finding->asked.property.kind;
  // Where they do not meet, what is shown is only what a run has reached.
  return (is_exact(answer, kind) ? "" : ">=") + format_value(kind, *value);
}

/// One letter for a verdict, for narrow tables.
char mark_of(const std::optional<Finding>& finding) {
  if (!finding) return '-';
  switch (finding->answer.status) {
    case Status::proved: return 'P';
    case Status::bounded: return 'B';
    case Status::violated: return 'V';
    case Status::unknown: break;
  }
  return '?';
}

std::string status_text(const std::optional<Finding>& finding) {
  return finding ? name_of(finding->answer.status) : "not done";
}

std::string ratio_text(const Grid& grid, const GridPoint& point, std::size_t property) {
  const GridPoint* const base = grid.compared_with(point);
  if (base == nullptr) return "-";
  const std::optional<Ns> value = value_of(point.findings[property]);
  const std::optional<Ns> other = value_of(base->findings[property]);
  if (!value || !other || *other == 0) return "-";
  return fmt::format("{:.2f}", static_cast<double>(*value) / static_cast<double>(*other));
}

/// Keys without what says only that they are a task's.
std::string short_key(const std::string& key) {
  constexpr std::string_view kPrefix = "task.";
  return key.starts_with(kPrefix) ? key.substr(kPrefix.size()) : key;
}

/// The table for machines and Markdown: verdicts in words, in columns of their own.
struct WideTable {
  Row head;
  std::vector<Row> body;
};

WideTable wide_table(const Grid& grid) {
  WideTable table;
  for (const Axis& axis : grid.axes) table.head.push_back(axis.front().key);
  for (const CaseProperty& asked : grid.properties) {
    const std::string& name = asked.property.name;
    table.head.insert(table.head.end(), {name, name + " verdict"});
    if (!grid.ratio_to.empty()) table.head.push_back(name + " ratio");
  }
  for (const GridPoint& point : grid.points) {
    Row& row = table.body.emplace_back();
    for (const Assignment& setting : point.settings) row.push_back(setting.value);
    for (std::size_t i = 0; i < grid.properties.size(); ++i) {
      row.insert(row.end(), {cell_text(point.findings[i]), status_text(point.findings[i])});
      if (!grid.ratio_to.empty()) row.push_back(ratio_text(grid, point, i));
    }
  }
  return table;
}

/// What all cells have in common is said once, below the table.
std::string footnotes(const Grid& grid) {
  std::set<std::string> statuses;
  std::set<std::size_t> depths;
  std::set<std::string> reasons;
  std::size_t missing = 0;
  for (const GridPoint& point : grid.points) {
    for (const std::optional<Finding>& finding : point.findings) {
      if (!finding) {
        ++missing;
        continue;
      }
      statuses.insert(name_of(finding->answer.status));
      if (finding->answer.status == Status::bounded) depths.insert(finding->answer.depth);
      if (!finding->answer.reason.empty()) reasons.insert(finding->answer.reason);
    }
  }
  std::string text;
  for (const CaseProperty& asked : grid.properties) {
    text += wrapped(
        "",
        fmt::format("{}: {} of {}, {}", asked.property.name, info_of(asked.property.kind).name,
                    asked.property.task, info_of(asked.property.kind).meaning),
        0);
  }
  std::string verdicts;
  for (const std::string& status : statuses) verdicts += (verdicts.empty() ? "" : ", ") + status;
  text += wrapped("",
                  fmt::format("Verdicts (P proved, B bounded, V violated, ? unknown): {}.",
                              verdicts.empty() ? "none" : verdicts),
                  0);
  if (!depths.empty()) {
    text += wrapped(
        "",
        fmt::format("bounded: a replayed run reaches the value (>= in front: at least), and every "
                    "run of up to {} events (starts, wake-ups, sleeps, ticks that act) was "
                    "covered; no claim beyond.",
                    *depths.begin()),
        0);
  }
  for (const std::string& reason : reasons) text += wrapped("", "Some cells: " + reason + ".", 0);
  if (!grid.ratio_to.empty()) text += "rel: relative to " + grid.ratio_to + "\n";
  if (missing > 0) text += fmt::format("-: not done ({} of them)\n", missing);
  return text;
}

std::string text_table(const Grid& grid) {
  // One column an axis, and one a property: its value, verdict and ratio.
  std::vector<Row> rows(1);
  for (const Axis& axis : grid.axes) rows[0].push_back(short_key(axis.front().key));
  const bool ratio = !grid.ratio_to.empty();
  for (const CaseProperty& asked : grid.properties) {
    rows[0].push_back(asked.property.name + "  " + (ratio ? "  rel" : ""));
  }
  for (const GridPoint& point : grid.points) {
    Row& row = rows.emplace_back();
    for (const Assignment& setting : point.settings) row.push_back(setting.value);
    for (std::size_t i = 0; i < grid.properties.size(); ++i) {
      row.push_back(fmt::format("{} {}", cell_text(point.findings[i]), mark_of(point.findings[i])));
      if (ratio) row.back() += fmt::format(" {:>4}", ratio_text(grid, point, i));
    }
  }
  std::vector<std::size_t> width(rows[0].size(), 0);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text = wrapped("", grid.title, 0) + "\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    // A gap where an outer axis moves on.
    if (r > 1 && grid.axes.size() > 1 && rows[r].front() != rows[r - 1].front()) text += "\n";
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      text += fmt::format("{}{:>{}}", i == 0 ? "" : "  ", rows[r][i], width[i]);
    }
    text += "\n";
  }
  return text + "\n" + footnotes(grid);
}

std::string markdown_table(const Grid& grid) {
  const auto line = [](const Row& row) { return fmt::format("| {} |\n", fmt::join(row, " | ")); };
  const WideTable table = wide_table(grid);
  std::string text = grid.title + "\n\n" + line(table.head) + line(Row(table.head.size(), "---"));
  for (const Row& row : table.body) text += line(row);
  return text + "\n" + footnotes(grid);
}

std::string csv_table(const Grid& grid) {
  // Nothing in here contains a comma or a quote: keys, times, numbers, words.
  const WideTable table = wide_table(grid);
  std::string text = fmt::format("{}\n", fmt::join(table.head, ","));
  for (const Row& row : table.body) text += fmt::format("{}\n", fmt::join(row, ","));
  return text;
}

std::string json_table(const Grid& grid) {
  using Json = nlohmann::ordered_json;
  Json points = Json::array();
  for (const GridPoint& point : grid.points) {
    Json settings = Json::object();
    for (const Assignment& setting : point.settings) settings[setting.key] = setting.value;
    CaseReport report{grid.file, point.resolved, {}};
    for (const std::optional<Finding>& finding : point.findings) {
      if (finding) report.findings.push_back(*finding);
    }
    points.push_back({{"settings", settings},
                      {"complete", report.findings.size() == point.findings.size()},
                      {"result", Json::parse(result_json({report}))}});
  }
  const Json document{{"format", "tickproof-sweep"}, {"version", 1},
                      {"tool", tool_version()},      {"title", grid.title},
                      {"ratio_to", grid.ratio_to},   {"points", points}};
  return document.dump(2) + "\n";
}

}  // namespace

const GridPoint* Grid::compared_with(const GridPoint& point) const {
  const std::size_t equals = ratio_to.find('=');
  if (equals == std::string::npos) return nullptr;
  const std::string key = ratio_to.substr(0, equals);
  const std::string value = ratio_to.substr(equals + 1);
  const auto like = [&](const GridPoint& other) {
    return std::equal(point.settings.begin(), point.settings.end(), other.settings.begin(),
                      [&](const Assignment& a, const Assignment& b) {
                        return b.value == (a.key == key ? value : a.value);
                      });
  };
  const auto found = std::find_if(points.begin(), points.end(), like);
  return found == points.end() ? nullptr : &*found;
}

std::string show_grid(const Grid& grid, GridFormat format) {
  switch (format) {
    case GridFormat::text: return text_table(grid);
    case GridFormat::markdown: return markdown_table(grid);
    case GridFormat::csv: return csv_table(grid);
    case GridFormat::json: return json_table(grid);
  }
  return {};
}

}  // namespace tickproof
