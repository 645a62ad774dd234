#include "experiments/experiment_tables.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "evaluate/tsv_numbers.hpp"
#include "formats/tables_out.hpp"

namespace mkc::io {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool same_place(const CellSpot& a, const CellSpot& b) {
  return a.data == b.data && a.level == b.level && a.losing == b.losing && a.method == b.method;
}

ExperimentSummary summary_of(const ExperimentRun& run, const CellSpot& spot) {
  std::vector<EvaluatedCell> cells;
  std::vector<double> seconds, tuning;
  ExperimentSummary summary{spot.data, spot.method, spot.level, spot.losing, {}, {}, {}, 0, 0};
  for (const auto& [other, result] : run.cells) {
    if (!same_place(spot, other)) continue;
    cells.push_back(
        {{run.experiment.methods[spot.method].tuned.name, other.partition, false}, result.test});
    ++summary.cells;
    if (!result.test.failure.empty()) {
      ++summary.failed;
      continue;
    }
    seconds.push_back(result.test.seconds);
    tuning.push_back(result.choice.seconds);
  }
  summary.errors = summarize(cells).at(0);
  summary.seconds = spread_of(seconds);
  summary.tuning_seconds = spread_of(tuning);
  return summary;
}

// data, views_missing, losing, method
std::string place_cells(const ExperimentRun& run, const CellSpot& spot) {
  const DataSource& source = run.experiment.data[spot.data];
  return fmt::format("{}\t{}\t{}\t{}", tsv_cell(source.name), source.views_missing[at(spot.level)],
                     spot.losing, tsv_cell(run.experiment.methods[spot.method].tuned.name));
}

std::string place_cells(const ExperimentRun& run, const ExperimentSummary& s) {
  return place_cells(run, CellSpot{s.data, s.method, s.level, s.losing, 0});
}

// Of the paper's own methods: all in its table but these.
double paper_best(const PaperTable& table, const std::string& column, Index level) {
  double best = nan;
  const auto found = table.find(column);
  if (found == table.end()) return best;
  for (const auto& [method, values] : found->second)
    if (method != "knn" && method != "wknn" && method != "em")
      best = std::fmin(best, paper_figure(table, column, method, level));
  return best;
}

constexpr const char* place_header = "data\tviews_missing\tlosing\tmethod";

}  // namespace

std::vector<ExperimentSummary> summarize(const ExperimentRun& run) {
  std::vector<ExperimentSummary> summaries;
  const Experiment& experiment = run.experiment;
  for (std::size_t d = 0; d < experiment.data.size(); ++d)
    for (std::size_t level = 0; level < experiment.data[d].views_missing.size(); ++level)
      for (const double losing : experiment.losing)
        for (std::size_t m = 0; m < experiment.methods.size(); ++m) {
          const CellSpot spot{d, m, static_cast<Index>(level), losing, 0};
          for (const auto& cell : run.cells)
            if (same_place(spot, cell.spot)) {
              summaries.push_back(summary_of(run, spot));
              break;
            }
        }
  return summaries;
}

std::vector<ExperimentRatio> ratios(const ExperimentRun& run) {
  std::vector<ExperimentRatio> result;
  const auto summaries = summarize(run);
  const Experiment& experiment = run.experiment;
  for (std::size_t d = 0; d < experiment.data.size(); ++d)
    for (std::size_t level = 0; level < experiment.data[d].views_missing.size(); ++level) {
      const std::string& column = experiment.data[d].paper;
      double best = nan, neighbours = nan, automatic = nan;
      ExperimentRatio ratio{d, static_cast<Index>(level), "", nan, nan, nan};
      for (const auto& s : summaries) {
        if (s.data != d || s.level != ratio.level || s.losing != experiment.losing.back()) continue;
        const ExperimentMethod& method = experiment.methods[s.method];
        const double error = s.errors.are_squared.mean;
        if (method.tuned.name == "knn") neighbours = error;
        if (method.tuned.name == "auto") automatic = error;
        if (method.mkc && !std::isnan(error) && !(error >= best)) {
          best = error;
          ratio.best = method.tuned.name;
        }
      }
      ratio.ratio = best / neighbours;
      ratio.automatic = automatic / neighbours;
      ratio.paper_ratio = paper_best(run.paper.errors, column, ratio.level) /
                          paper_figure(run.paper.errors, column, "knn", ratio.level);
      if (!std::isnan(ratio.ratio) || !std::isnan(ratio.automatic)) result.push_back(ratio);
    }
  return result;
}

std::string error_tsv(const ExperimentRun& run) {
  std::string text = fmt::format(
      "{}\tare\tare_sd\tare_squared\tare_squared_sd\trmse\trmse_sd\talignment\talignment_sd\t"
      "coverage\tpartitions\tfailed\tpaper\n",
      place_header);
  for (const auto& s : summarize(run))
    text += fmt::format(
        "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", place_cells(run, s), tsv_spread(s.errors.are),
        tsv_spread(s.errors.are_squared), tsv_spread(s.errors.rmse), tsv_spread(s.errors.alignment),
        tsv_number(s.errors.coverage), s.cells, s.failed,
        tsv_number(paper_figure(run.paper.errors, run.experiment.data[s.data].paper,
                                run.experiment.methods[s.method].tuned.name, s.level)));
  return text;
}

std::string time_tsv(const ExperimentRun& run) {
  std::string text = fmt::format(
      "{}\tseconds\tseconds_sd\ttuning_seconds\ttuning_seconds_sd\tpeak_mib\tpaper_minutes\n",
      place_header);
  for (const auto& s : summarize(run))
    text +=
        fmt::format("{}\t{}\t{}\t{}\t{}\n", place_cells(run, s), tsv_spread(s.seconds),
                    tsv_spread(s.tuning_seconds), tsv_number(s.errors.peak_mib),
                    tsv_number(paper_figure(run.paper.minutes, run.experiment.data[s.data].times,
                                            run.experiment.methods[s.method].tuned.name, s.level)));
  return text;
}

std::string cell_tsv(const ExperimentRun& run) {
  std::string text = fmt::format(
      "{}\tpartition\tview\thidden_rows\tare\tare_squared\tstatus\tseconds\ttried\ttuning_error\t"
      "used\tfailure\n",
      place_header);
  for (const auto& [spot, result] : run.cells) {
    const auto line = [&, &spot = spot, &result = result](const std::string& view,
                                                          const ViewScores& s) {
      text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                          place_cells(run, spot), spot.partition, view, s.hidden_rows,
                          tsv_number(s.are), tsv_number(s.are_squared), result.test.status,
                          tsv_number(result.test.seconds), result.choice.tried,
                          tsv_number(result.choice.error), tsv_cell(result.test.spec),
                          tsv_cell(result.test.failure));
    };
    for (std::size_t m = 0; m < result.test.views.size(); ++m)
      line(std::to_string(m + 1), result.test.views[m]);
    if (result.test.views.empty()) line("NA", {0, nan, nan, nan, nan, nan});
  }
  return text;
}

std::string ratio_tsv(const ExperimentRun& run) {
  std::string text = "data\tviews_missing\tbest\tbest_over_knn\tpaper\tauto_over_knn\n";
  for (const auto& r : ratios(run)) {
    const DataSource& source = run.experiment.data[r.data];
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", tsv_cell(source.name),
                        source.views_missing[at(r.level)], r.best, tsv_number(r.ratio),
                        tsv_number(r.paper_ratio), tsv_number(r.automatic));
  }
  return text;
}

std::string spectrum_tsv(const ExperimentRun& run) {
  std::string text = "data\tview\trank\teigenvalue\n";
  for (const auto& spectrum : run.spectra)
    for (Index i = 0; i < spectrum.values.size(); ++i)
      text += fmt::format("{}\t{}\t{}\t{}\n", tsv_cell(run.experiment.data[spectrum.data].name),
                          tsv_cell(spectrum.view), i + 1, tsv_number(spectrum.values(i)));
  return text;
}

}  // namespace mkc::io
