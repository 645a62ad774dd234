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
    Index samples = 0, repeats = 0;
    Spread accuracy, balanced_accuracy, nmi, ari, r2, concordance;
    /// Of the mean of the main score (accuracy, r2 or concordance): over the choice of samples and
    /// of folds. sqrt(mean of its squared errors in the repeats + deviation^2 / repeats)
    double standard_error = 0;
    std::vector<double> main;  // the main score of every repeat
  };
  OnLabels all, complete;  // see LabelScores
  std::string failure;     // of its first trial that failed, or ""
};

/// The main score of a type of labels: accuracy, r2 or concordance.
Spread MethodSummary::OnLabels::* main_score(LabelType type);

/// A spread by the name of its score in files.
Spread spread_named(const MethodSummary::OnLabels& labels, const std::string& name);

/// Whether a method predicts better than without completion, on the samples that lack no view.
struct Difference {
  double value;           // with minus without
  double over_repeats;    // its standard error over the repeats alone: other folds
  double standard_error;  // over samples too, as if the two scores were independent
  /// "helped" or "hurt" beyond two standard errors; "may have helped" or "may have hurt" beyond two
  /// of those over repeats and half of the other; else "made no clear difference".
  const char* word;
};
Difference difference(const MethodSummary& with, const MethodSummary& without, LabelType type);

/// Methods in the order in which they appear.
std::vector<MethodSummary> summarize(const std::vector<FinishedTrial>& trials);

}  // namespace mkc
