#pragma once

#include <limits>

#include "mkc/problem/label_types.hpp"

namespace mkc {

/// The value of a score that is not defined.
inline constexpr double no_score = std::numeric_limits<double>::quiet_NaN();

/// A score, and its standard error over the choice of samples: the jackknife, from the scores
/// without one sample each. NaN where it is not defined.
struct Estimate {
  double value, error;
};

/// Of the share of n samples: sqrt(share (1 - share) / (n - 1)).
double error_of_share(double share, Index n);

/// Share of right classes.
Estimate share_right(const Indices& truth, const Indices& predicted);

/// R^2 = 1 - sum (y - y^)^2 / sum (y - mean)^2: 1 = exact, 0 = as good as the mean.
Estimate r_squared(const Vector& truth, const Vector& predicted);

/// Harrell's concordance over the pairs of samples within one fold: risks of different models are
/// not compared.
Estimate concordance_within(const Survival& truth, const Vector& risk, const Indices& fold);

}  // namespace mkc
