#pragma once

#include "mkc/evaluate/trial.hpp"

namespace mkc {

struct Spread {
  double mean, deviation;  // over repeats; NaN where there is none
};

/// Mean and standard deviation (over n - 1) of numbers, none of them NaN.
Spread spread_of(const std::vector<double>& values);

/// One method over all its trials. Scores are means over the views with hidden rows, then over the
/// repeats; NaN where there is nothing.
struct MethodSummary {
  std::string method;
  Spread are, are_squared, rmse, alignment, recovered;
  double average_row;  // error of the average row on the same rows
  double coverage;     // share of all hidden rows
  double seconds;      // mean of a completion
  double peak_mib;     // largest

  struct OnLabels {
    Index samples = 0;
    Spread accuracy, balanced_accuracy, nmi, ari;
  };
  OnLabels all, complete;  // see LabelScores
  std::string failure;     // of its first trial that failed, or ""
};

/// Methods in the order in which they appear.
std::vector<MethodSummary> summarize(const std::vector<FinishedTrial>& trials);

}  // namespace mkc
