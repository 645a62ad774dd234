#pragma once

#include <string>
#include <vector>

#include "mkc/base/types.hpp"
#include "mkc/kernels/kernel_options.hpp"
#include "mkc/problem/result.hpp"

namespace mkc::factor {

/// Rows first, ..., first + count - 1 of all views, completed. The kernel of view m is
/// k^_ij = phi_i'phi_j + (i = j) extra_i, positive semi-definite because extra >= 0.
struct CompletedBlock {
  Index first = 0;
  Mask observed;                 // (count, M)
  std::vector<Matrix> features;  // per view (count, rank): phi
  Matrix extra;     // (count, M) what the features leave open of k_ii: observed rows come to their
                    // own k_ii, completed ones get their conditional variance
  Matrix variance;  // (count, M) conditional variance of completed rows; 0 where observed
  Matrix error, low, high;  // (count, M) estimated relative error and interval; NaN where observed

  Index count() const { return observed.rows(); }
};

/// k^ between some rows, from their features: A (a, rank), B (b, rank).
Matrix kernel_block(const MatrixRef& A, const MatrixRef& B);

/// k^ of some rows among themselves, `extra` (a) on the diagonal.
Matrix kernel_block_with_diagonal(const MatrixRef& A, const Eigen::Ref<const Vector>& extra);

/// What is known of the features of a view.
struct ViewSummary {
  std::string name;
  std::string kernel;      // "rbf, gamma = 0.0042"
  KernelOptions options;   // nothing automatic
  Index observed = 0;      // samples that have the view
  Index rank = 0;          // features
  Index landmarks = 0;     // 0: the features are exact but for the cut to the rank
  double trace_error = 0;  // 1 - mean |phi|^2 / mean k_ii over the observed rows of the sample
};

/// One stage of the model and its share in the completed rows of each view.
struct Expert {
  std::string name;        // "gaussian", "regression 1", ...
  Vector held_out_errors;  // (M) mean relative error of hidden rows; NaN = none hidden
  Vector weights;          // (M) convex
};

/// What the held-out rows say. quality.error, low and high are empty: they come by blocks.
struct FactorQuality {
  Quality quality;
  std::vector<Expert> experts;
};

}  // namespace mkc::factor
