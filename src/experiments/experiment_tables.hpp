#pragma once

#include "mkc/evaluate/summary.hpp"
#include "experiments/experiment.hpp"

namespace mkc::io {

/// An experiment that was run, wholly or in part.
struct ExperimentRun {
  Experiment experiment;
  PaperFigures paper;
  std::vector<ExperimentCell> cells;  // finished ones, in the order of the plan
  Index planned = 0;
  Strings missing;  // per data set: why it was left out, or ""

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
  MethodSummary errors;
  Spread seconds;         // of the completion of the test problem
  Spread tuning_seconds;  // of the choice before it
  Index cells, failed;
};
std::vector<ExperimentSummary> summarize(const ExperimentRun& run);

/// Best of the paper's methods over knn, and `auto` over knn, in squared errors.
struct ExperimentRatio {
  std::size_t data;
  Index level;
  std::string best;                      // of the paper's methods here
  double ratio, paper_ratio, automatic;  // NaN where there is none
};
std::vector<ExperimentRatio> ratios(const ExperimentRun& run);

/// Tables for programs; errors.tsv does not depend on the clock.
std::string error_tsv(const ExperimentRun& run);
std::string time_tsv(const ExperimentRun& run);
std::string cell_tsv(const ExperimentRun& run);
std::string ratio_tsv(const ExperimentRun& run);
std::string spectrum_tsv(const ExperimentRun& run);

/// The tables for people, beside the paper's figures, and the command that made them.
std::string experiment_markdown(const ExperimentRun& run, const std::string& command,
                                const Strings& images);

/// Figures: eigenvalues per view; error over the share of samples that lose views (empty where
/// there is one share only).
std::string spectrum_svg(const ExperimentRun& run);
std::string losing_svg(const ExperimentRun& run);

}  // namespace mkc::io
