#pragma once

#include <optional>

#include "methods/shared/reconstruction.hpp"
#include "mkc/methods/method.hpp"
#include "mkc/problem/metrics.hpp"

namespace mkc {

struct MkkmOptions {
  std::optional<Index> k;     // clusters, the columns of H; none: chosen on held-out rows
  std::optional<double> eps;  // keeps missing samples short; larger: shorter; none: chosen so
  std::optional<double> mutual = {};  // weight that draws views to each other; none: MKKM-IK
  DiagonalRule diagonal = DiagonalRule::add;
  Index max_iter = 100;            // rounds at most
  double tol = 1e-4;               // stop once a round lowers the objective by less, relative
  Measure measure = Measure::are;  // what is minimised on held-out rows
};

/// Multiple kernel k-means with incomplete kernels (Liu et al. 2017, 2020): clusters and missing
/// rows in one problem. With kernels at unit mean diagonal, I the observed and T the missing
/// samples of a view, U = I - HH',
///
///   min  sum_m b_m^2 [tr(K_m U) + eps tr(K_m,TT)] + mutual / (2 N) sum_m ||K_m - sum_l b_l
///   K_l||_F^2 over H'H = I_k (N, k), b >= 0, sum b = 1, and the missing rows of every K_m (l !=
///   m),
///
/// with K_m PSD, in turn; info.objective never rises. Without `mutual` each step is exact and
///
///   K_IT = K_II W, K_TT = W'K_II W, W = H_I (H_I'H_I + eps 1)^-1 H_T',
///
/// which is the published -U_IT (U_TT + eps 1)^-1 with a k x k system in place of one of all
/// missing samples; eps is not in the paper, whose program has 1e-3. With `mutual` (MKKM-IK-MKC)
/// eps is 0, every missing entry becomes a weighted sum of the other views' less a multiple of U,
/// and the kernel is then made PSD (keep_observed); the run ends where that would raise the
/// objective. Start: missing rows 0, b equal.
Method mkkm_method();

OptionTable<MkkmOptions> mkkm_options();

}  // namespace mkc
