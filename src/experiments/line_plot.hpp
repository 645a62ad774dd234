#pragma once

#include <string>
#include <utility>
#include <vector>

/// Plain figures of lines, as SVG.
namespace mkc::io {

struct LineSeries {
  std::string name;  // equal names have equal colours in all panels
  std::vector<std::pair<double, double>> points;
};

struct LinePanel {
  std::string title, x_label, y_label;
  bool log_y = false;  // points that are not positive are left out
  std::vector<LineSeries> series;
};

/// Panels side by side, `columns` in a row, and one legend below.
std::string line_plot_svg(const std::vector<LinePanel>& panels, int columns);

}  // namespace mkc::io
