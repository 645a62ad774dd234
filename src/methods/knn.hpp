#pragma once

#include <optional>

#include "methods/shared/reconstruction.hpp"
#include "mkc/methods/method.hpp"
#include "mkc/problem/metrics.hpp"

namespace mkc {

struct KnnOptions {
  std::optional<Index> k = 5;  // neighbours averaged; larger is smoother; none: on held-out rows
  Measure measure = Measure::are;              // what is minimised there
  DiagonalRule diagonal = DiagonalRule::none;  // what k_tt of a missing sample becomes
};

/// A missing sample is the mean (knn) or the mean weighted by 1/d (wknn) of its k nearest samples
/// among those the view has, in the view's own feature space: K^ = A'KA with A the neighbours'
/// weights (identity for observed samples), hence PSD. The distance is taken over the views both
/// samples have: d_ij = mean_l (k_ii + k_jj - 2 k_ij) / (mean of the same over all pairs of view
/// l). Ties go to the smaller sample name. Uncertainty of a row: the neighbours' spread around
/// their mean, sum_j a_j ||phi_j - phi^_t||^2 = sum_j a_j k_jj - k^_tt, of the mean itself where
/// `diagonal` changes k^_tt.
Method knn_method();
Method wknn_method();

OptionTable<KnnOptions> knn_options(const std::string& name);

}  // namespace mkc
