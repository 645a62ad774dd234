#pragma once

#include "mkc/problem/assemble.hpp"

namespace mkc {

/// Samples that have the same views.
struct MissingPattern {
  std::vector<bool> views;  // observed or not, one per view
  Index samples = 0;
};

/// Most samples first; where equal, more views first.
std::vector<MissingPattern> missing_patterns(const Mask& observed);

/// Samples that two views have in common; on the diagonal those each has. (M, M)
Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic> shared_samples(const Mask& observed);

/// How many samples of each view other views have too. Below `enough_shared`, completed rows of the
/// view say little, and errors measured on hidden rows say little of them.
Indices shared_with_others(const Mask& observed);
inline constexpr Index enough_shared = 10;

/// One line per view, samples from left to right with most views first, at most `width` characters:
/// '#' observed, '.' missing, '+' some observed and some missing samples.
Strings missingness_map(const Mask& observed, Index width);

/// Scale and spectrum of an observed block.
struct KernelCheck {
  double smallest_diagonal = 0, median_diagonal = 0, largest_diagonal = 0;
  double smallest_eigenvalue = 0, largest_eigenvalue = 0;
  bool positive_semidefinite = true;  // to the tolerance of ProblemChecks
  Index directions = 0;               // eigenvectors that hold nine tenths of the trace
  std::vector<double> spectrum;  // the largest eigenvalues, in parts of the sum of positive ones
};
KernelCheck check_kernel(const MatrixRef& K);  // (n, n), n >= 1

}  // namespace mkc
