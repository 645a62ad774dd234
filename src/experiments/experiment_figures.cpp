#include <cmath>

#include <fmt/format.h>

#include "experiments/experiment_tables.hpp"
#include "experiments/line_plot.hpp"

namespace mkc::io {

namespace {

// Eigenvalues below this share of the trace are rounding errors.
constexpr double smallest_shown = 1e-12;

}  // namespace

std::string spectrum_svg(const ExperimentRun& run) {
  std::vector<LinePanel> panels;
  for (std::size_t d = 0; d < run.experiment.data.size(); ++d) {
    LinePanel panel{run.experiment.data[d].name, "rank", "eigenvalue / trace", true, {}};
    for (const auto& spectrum : run.spectra) {
      if (spectrum.data != d) continue;
      LineSeries series{spectrum.view, {}};
      for (Index i = 0; i < spectrum.values.size(); ++i)
        if (spectrum.values(i) > smallest_shown)
          series.points.emplace_back(static_cast<double>(i + 1), spectrum.values(i));
      panel.series.push_back(std::move(series));
    }
    if (!panel.series.empty()) panels.push_back(std::move(panel));
  }
  return panels.empty() ? "" : line_plot_svg(panels, 3);
}

std::string losing_svg(const ExperimentRun& run) {
  const Experiment& experiment = run.experiment;
  if (experiment.losing.size() < 2) return "";
  const auto summaries = summarize(run);
  std::vector<LinePanel> panels;
  for (const auto& column : time_columns(experiment, summaries)) {
    LinePanel panel{column, "share of samples that lose views", "are in %", false, {}};
    for (std::size_t m = 0; m < experiment.methods.size(); ++m) {
      LineSeries series{experiment.methods[m].tuned.name, {}};
      for (const double losing : experiment.losing) {
        std::vector<double> errors;
        for (const auto& s : summaries)
          if (s.method == m && s.losing == losing && experiment.data[s.data].times == column &&
              !std::isnan(s.errors.are.mean))
            errors.push_back(s.errors.are.mean);
        if (!errors.empty()) series.points.emplace_back(losing, spread_of(errors).mean);
      }
      if (!series.points.empty()) panel.series.push_back(std::move(series));
    }
    if (!panel.series.empty()) panels.push_back(std::move(panel));
  }
  return panels.empty() ? "" : line_plot_svg(panels, 3);
}

}  // namespace mkc::io
