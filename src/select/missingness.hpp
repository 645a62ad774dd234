#pragma once

#include <limits>

#include "mkc/problem/problem.hpp"

namespace mkc {

/// Whether the samples that lack a view can be told from those that have it by what the other views
/// show of them. Then they are not missing at random, and rows hidden at random are not like them.
struct Missingness {
  double auc =
      std::numeric_limits<double>::quiet_NaN();  // area under the ROC curve, on samples the
                                                 // model was not fitted on; NaN: too few
  double p_value = std::numeric_limits<double>::quiet_NaN();  // of that area, labels being random
  Vector odds;  // (N) of lacking the view given its other views; all 1 where not predictable
  bool predictable = false;
};

/// Per view; `distances`: neighbour_distances(). The model is a ridge-penalised logistic regression
/// on the leading directions of the kernels of other views (zero where a sample lacks one, so that
/// patterns of missing views tell it nothing) and on how far the sample is from its nearest
/// neighbours there. AUC and odds are those of five folds of samples. Predictable: an AUC of 0.6 or
/// more that chance does not give (5 %, Holm's correction for the number of incomplete views).
std::vector<Missingness> model_missingness(const Problem& problem, const Matrix& distances);

/// Mean of the errors in the worst case where the odds of being missing depend on the error by at
/// most a factor of gamma: the largest mean with weights in [1, gamma].
double mean_under_bias(Vector errors, double gamma);

}  // namespace mkc
