// The properties of a case over a grid of configurations, as a table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/summary.hpp"

namespace tickproof {

/// One combination of values, and what was found out in it.
struct GridPoint {
  std::vector<Assignment> settings;  ///< one an axis
  Resolved resolved;
  std::vector<std::optional<Finding>> findings;  ///< one a property; none: not done
};

struct Grid {
  CaseFile file;
  std::string title;
  std::vector<Axis> axes;
  std::string ratio_to;  ///< "hz=100", or empty
  std::vector<CaseProperty> properties;
  std::vector<GridPoint> points;  ///< the last axis runs fastest

  /// The point like `point` but for the axis of ratio_to; nullptr without one.
  const GridPoint* compared_with(const GridPoint& point) const;
};

enum class GridFormat { text, markdown, csv, json };

/// Text: at most 72 columns as long as there are no more than three properties.
std::string show_grid(const Grid& grid, GridFormat format);

}  // namespace tickproof
