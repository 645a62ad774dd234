#include "experiments/line_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace mkc::io {

namespace {

constexpr double width = 270, height = 220;                     // of a panel
constexpr double left = 48, right = 12, top = 26, bottom = 36;  // around its axes
constexpr double legend_line = 16, legend_column = 110;
constexpr const char* colours[] = {"#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee",
                                   "#aa3377", "#777777", "#000000", "#ee7733", "#009988",
                                   "#882255", "#999933", "#332288", "#cc6677"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text)
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  double place(double value, double at_low, double at_high) const {
    return at_low + (value - low) / (high - low) * (at_high - at_low);
  }
  void widen() {
    if (low > high) *this = {0, 1};
    if (high - low < 1e-12 * std::max(1.0, std::abs(high))) *this = {low - 0.5, high + 0.5};
  }
};

// Round numbers inside the range, about five.
std::vector<double> ticks(const Range& range, bool whole) {
  double step = std::pow(10, std::floor(std::log10((range.high - range.low) / 4)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if ((range.high - range.low) / (step * factor) <= 6) {
      step *= factor;
      break;
    }
  if (whole) step = std::max(1.0, step);
  std::vector<double> values;
  for (double v = std::ceil(range.low / step) * step; v <= range.high + 1e-9 * step; v += step)
    values.push_back(std::abs(v) < 1e-9 * step ? 0 : v);
  return values;
}

std::string text_at(double x, double y, const char* anchor, const std::string& text,
                    const std::string& more = {}) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                     anchor, more, escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, const char* colour, double thickness) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
      "stroke-width=\"{}\"/>\n",
      x1, y1, x2, y2, colour, thickness);
}

const char* colour_of(const std::vector<std::string>& names, const std::string& name) {
  const auto k = std::find(names.begin(), names.end(), name) - names.begin();
  return colours[static_cast<std::size_t>(k) % std::size(colours)];
}

// The area of a panel in which lines are drawn, and the numbers at its edges.
struct Axes {
  const LinePanel& panel;
  double x_left, x_right, y_top, y_bottom;
  Range xs = {}, ys = {};

  bool shows(double y) const { return std::isfinite(y) && (!panel.log_y || y > 0); }
  double drawn(double y) const { return panel.log_y ? std::log10(y) : y; }
  double px(double x) const { return xs.place(x, x_left, x_right); }
  double py(double y) const { return ys.place(y, y_bottom, y_top); }
};

Axes axes_of(const LinePanel& panel, double x0, double y0) {
  Axes axes{panel, x0 + left, x0 + width - right, y0 + top, y0 + height - bottom};
  for (const auto& series : panel.series)
    for (const auto& [x, y] : series.points)
      if (axes.shows(y)) {
        axes.xs.add(x);
        axes.ys.add(axes.drawn(y));
      }
  if (!panel.log_y) axes.ys.add(0);
  axes.xs.widen();
  axes.ys.widen();
  return axes;
}

std::string axes_svg(const Axes& axes) {
  const auto& [panel, x_left, x_right, y_top, y_bottom, xs, ys] = axes;
  std::string svg;
  for (const double v : ticks(ys, panel.log_y)) {
    svg += line(x_left, axes.py(v), x_right, axes.py(v), "#e0e0e0", 1);
    svg += text_at(x_left - 4, axes.py(v) + 4, "end",
                   panel.log_y ? fmt::format("1e{:.0f}", v) : fmt::format("{:g}", v));
  }
  for (const double v : ticks(xs, false)) {
    svg += line(axes.px(v), y_bottom, axes.px(v), y_bottom + 4, "#000000", 1);
    svg += text_at(axes.px(v), y_bottom + 16, "middle", fmt::format("{:g}", v));
  }
  svg += line(x_left, y_bottom, x_right, y_bottom, "#000000", 1);
  svg += line(x_left, y_top, x_left, y_bottom, "#000000", 1);
  svg += text_at((x_left + x_right) / 2, y_bottom + 30, "middle", panel.x_label);
  const double label_x = x_left - left + 11, label_y = (y_top + y_bottom) / 2;
  return svg + text_at(label_x, label_y, "middle", panel.y_label,
                       fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", label_x, label_y));
}

std::string panel_svg(const LinePanel& panel, const std::vector<std::string>& names, double x0,
                      double y0) {
  const Axes axes = axes_of(panel, x0, y0);
  std::string svg = text_at((axes.x_left + axes.x_right) / 2, y0 + 16, "middle", panel.title,
                            " font-weight=\"bold\"") +
                    axes_svg(axes);
  for (const auto& series : panel.series) {
    std::string points;
    for (const auto& [x, y] : series.points)
      if (axes.shows(y))
        points += fmt::format("{:.1f},{:.1f} ", axes.px(x), axes.py(axes.drawn(y)));
    svg +=
        fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>\n",
                    points, colour_of(names, series.name));
  }
  return svg;
}

}  // namespace

std::string line_plot_svg(const std::vector<LinePanel>& panels, int columns) {
  std::vector<std::string> names;
  for (const auto& panel : panels)
    for (const auto& series : panel.series)
      if (std::find(names.begin(), names.end(), series.name) == names.end())
        names.push_back(series.name);
  const auto count = static_cast<int>(panels.size());
  const int rows = (count + columns - 1) / columns;
  const double page = width * std::min(columns, std::max(1, count));
  const int per_line = std::max(1, static_cast<int>((page - left) / legend_column));
  const int lines = (static_cast<int>(names.size()) + per_line - 1) / per_line;
  const double page_height = rows * height + lines * legend_line + 10;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"11\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      page, page_height);
  for (int k = 0; k < count; ++k) {
    const int row = k / columns;
    svg +=
        panel_svg(panels[static_cast<std::size_t>(k)], names, width * (k % columns), height * row);
  }
  for (int k = 0; k < static_cast<int>(names.size()); ++k) {
    const std::string& name = names[static_cast<std::size_t>(k)];
    const double x = left + legend_column * (k % per_line);
    const int row = k / per_line;
    const double y = rows * height + legend_line * row + 6;
    svg += line(x, y, x + 20, y, colour_of(names, name), 2.5);
    svg += text_at(x + 25, y + 4, "start", name);
  }
  return svg + "</svg>\n";
}

}  // namespace mkc::io
