#pragma once

#include "experiments/experiment.hpp"
#include "mkc/evaluate/summary.hpp"

namespace mkc::io {

/// An experiment that was run, in whole or in part.
struct ExperimentRun {
  Experiment experiment;
  PaperFigures paper;
  std::vector<ExperimentTrial> trials;  // the finished ones, in the order of the plan
  Index planned = 0;
  Strings missing;  // per data set: the reason why it was left out, or ""

  struct Spectrum {
    std::size_t data;
    std::string view;
    Vector values;  // eigenvalues of the kernel over its trace, descending
  };
  std::vector<Spectrum> spectra;
};

/// One method on one data set at one level, over the partitions.
struct ExperimentSummary {
  std::size_t data, method;
  Index level;
  double losing;
  MethodSummary errors;   // are, are_squared: deviation over views and partitions, as in the paper
  Spread seconds;         // of the completion of the test task
  Spread tuning_seconds;  // of the choice of options before it
  Index trials, failed;
};
std::vector<ExperimentSummary> summarize(const ExperimentRun& run);

/// The columns of the table of times that have results, e.g. TOY for several data sets.
Strings time_columns(const Experiment& experiment, const std::vector<ExperimentSummary>& summaries);

/// Best of the paper's methods and `auto`, in squared errors over those of the methods named `knn`
/// and `knn, diagonal`.
struct ExperimentRatio {
  std::size_t data;
  Index level;
  std::string best;                      // of the paper's methods here
  double ratio, paper_ratio, automatic;  // NaN where there is none
  double over_diagonal, automatic_over_diagonal;
};
std::vector<ExperimentRatio> ratios(const ExperimentRun& run);

/// Tables for programs; errors.tsv does not depend on the clock.
std::string error_tsv(const ExperimentRun& run);
std::string time_tsv(const ExperimentRun& run);
std::string trial_tsv(const ExperimentRun& run);
std::string ratio_tsv(const ExperimentRun& run);
std::string spectrum_tsv(const ExperimentRun& run);

/// The tables for readers, with the paper's numbers and the command that made them.
std::string experiment_markdown(const ExperimentRun& run, const std::string& command,
                                const Strings& images);

/// Figures: eigenvalues per view; error over the share of samples that lose views (empty where
/// there is one share only).
std::string spectrum_svg(const ExperimentRun& run);
std::string losing_svg(const ExperimentRun& run);

}  // namespace mkc::io
