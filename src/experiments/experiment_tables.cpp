#include "experiments/experiment_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "evaluate/tsv_numbers.hpp"
#include "formats/tables_out.hpp"

namespace mkc::io {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// As the paper takes it: over all views of all partitions.
double deviation_over_views(const std::vector<FinishedTrial>& trials, double ViewScores::* score) {
  std::vector<double> values;
  for (const auto& trial : trials)
    for (const auto& view : trial.result.views)
      if (!std::isnan(view.*score)) values.push_back(view.*score);
  return spread_of(values).deviation;
}

// Sums up the trials of one method on one data set at one level; there may be none.
void add_trials(const ExperimentRun& run, ExperimentSummary& summary) {
  std::vector<FinishedTrial> trials;
  std::vector<double> seconds, tuning;
  for (const auto& trial : run.trials) {
    if (trial.data != summary.data || trial.method != summary.method ||
        trial.level != summary.level || trial.losing != summary.losing)
      continue;
    const TrialResult& test = trial.result.test;
    trials.push_back(
        {{run.experiment.methods[trial.method].tuned.name, trial.partition, false}, test});
    if (!test.failure.empty()) {
      ++summary.failed;
      continue;
    }
    seconds.push_back(test.seconds);
    tuning.push_back(trial.result.tuning_seconds);
  }
  summary.trials = static_cast<Index>(trials.size());
  if (!trials.empty()) {
    summary.errors = summarize(trials).at(0);
    summary.errors.are.deviation = deviation_over_views(trials, &ViewScores::are);
    summary.errors.are_squared.deviation = deviation_over_views(trials, &ViewScores::are_squared);
  }
  summary.seconds = spread_of(seconds);
  summary.tuning_seconds = spread_of(tuning);
}

// data, views_missing, losing, method of a trial or a summary
template <class Place>
std::string place_text(const ExperimentRun& run, const Place& place) {
  const DataSource& source = run.experiment.data[place.data];
  return fmt::format("{}\t{}\t{}\t{}", tsv_cell(source.name), source.views_missing[at(place.level)],
                     place.losing, tsv_cell(run.experiment.methods[place.method].tuned.name));
}

// Of the paper's own methods: all in its table except these.
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
          ExperimentSummary summary{d, m, static_cast<Index>(level), losing, {}, {}, {}, 0, 0};
          add_trials(run, summary);
          if (summary.trials > 0) summaries.push_back(std::move(summary));
        }
  return summaries;
}

Strings time_columns(const Experiment& experiment,
                     const std::vector<ExperimentSummary>& summaries) {
  Strings names;
  for (const auto& s : summaries)
    if (const std::string& name = experiment.data[s.data].times;
        std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(name);
  return names;
}

std::vector<ExperimentRatio> ratios(const ExperimentRun& run) {
  std::vector<ExperimentRatio> result;
  const auto summaries = summarize(run);
  const Experiment& experiment = run.experiment;
  for (std::size_t d = 0; d < experiment.data.size(); ++d)
    for (std::size_t level = 0; level < experiment.data[d].views_missing.size(); ++level) {
      const std::string& column = experiment.data[d].paper;
      double best = nan, neighbours = nan, with_diagonal = nan, automatic = nan;
      ExperimentRatio ratio{d, static_cast<Index>(level), "", nan, nan, nan, nan, nan};
      for (const auto& s : summaries) {
        if (s.data != d || s.level != ratio.level || s.losing != experiment.losing.back()) continue;
        const ExperimentMethod& method = experiment.methods[s.method];
        const double error = s.errors.are_squared.mean;
        if (method.tuned.name == "knn") neighbours = error;
        if (method.tuned.name == "knn, diagonal") with_diagonal = error;
        if (method.tuned.name == "auto") automatic = error;
        if (method.mkc && !std::isnan(error) && !(error >= best)) {
          best = error;
          ratio.best = method.tuned.name;
        }
      }
      ratio.ratio = best / neighbours;
      ratio.automatic = automatic / neighbours;
      ratio.over_diagonal = best / with_diagonal;
      ratio.automatic_over_diagonal = automatic / with_diagonal;
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
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", place_text(run, s),
                        tsv_spread(s.errors.are), tsv_spread(s.errors.are_squared),
                        tsv_spread(s.errors.rmse), tsv_spread(s.errors.alignment),
                        tsv_number(s.errors.coverage), s.trials, s.failed,
                        tsv_number(paper_figure(run.paper.errors, run.experiment.data[s.data].paper,
                                                run.experiment.methods[s.method].paper, s.level)));
  return text;
}

std::string time_tsv(const ExperimentRun& run) {
  std::string text = fmt::format(
      "{}\tseconds\tseconds_sd\ttuning_seconds\ttuning_seconds_sd\tpeak_mib\tpaper_minutes\n",
      place_header);
  for (const auto& s : summarize(run))
    text +=
        fmt::format("{}\t{}\t{}\t{}\t{}\n", place_text(run, s), tsv_spread(s.seconds),
                    tsv_spread(s.tuning_seconds), tsv_number(s.errors.peak_mib),
                    tsv_number(paper_figure(run.paper.minutes, run.experiment.data[s.data].times,
                                            run.experiment.methods[s.method].paper, s.level)));
  return text;
}

std::string trial_tsv(const ExperimentRun& run) {
  std::string text = fmt::format(
      "{}\tpartition\tview\thidden_rows\tare\tare_squared\tstatus\tseconds\ttried\ttuning_error\t"
      "used\tfailure\n",
      place_header);
  for (const auto& trial : run.trials) {
    const TrialResult& test = trial.result.test;
    const auto line = [&](const std::string& view, const ViewScores& s) {
      text += fmt::format(
          "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", place_text(run, trial),
          trial.partition, view, s.hidden_rows, tsv_number(s.are), tsv_number(s.are_squared),
          test.status, tsv_number(test.seconds), trial.result.tried,
          tsv_number(trial.result.tuning_error), tsv_cell(test.spec), tsv_cell(test.failure));
    };
    for (std::size_t m = 0; m < test.views.size(); ++m) line(std::to_string(m + 1), test.views[m]);
    if (test.views.empty()) line("NA", {0, nan, nan, nan, nan, nan});
  }
  return text;
}

std::string ratio_tsv(const ExperimentRun& run) {
  std::string text =
      "data\tviews_missing\tbest\tbest_over_knn\tpaper\tauto_over_knn\tbest_over_knn_diagonal\t"
      "auto_over_knn_diagonal\n";
  for (const auto& r : ratios(run)) {
    const DataSource& source = run.experiment.data[r.data];
    text += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", tsv_cell(source.name),
                        source.views_missing[at(r.level)], r.best, tsv_number(r.ratio),
                        tsv_number(r.paper_ratio), tsv_number(r.automatic),
                        tsv_number(r.over_diagonal), tsv_number(r.automatic_over_diagonal));
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
