#pragma once

#include <optional>

#include "methods/mkmc_model.hpp"
#include "mkc/methods/method.hpp"

namespace mkc {

struct MkmcOptions {
  // lambda over the mean diagonal; empty: 0, and 0.01 where the common matrix is singular
  std::optional<double> ridge = {};
  CommonKind model = CommonKind::full;
  Index rank = 0;        // q of pca and fa; 0: eigenvalues above their mean
  Index max_iter = 200;  // iterations at most
  double tol = 1e-4;     // stop once the common matrix changes by less, relative
};

/// Mutual kernel matrix completion (Rivero, Kato and co-workers 2017): every view is drawn to one
/// common matrix in the Kullback-Leibler divergence of zero-mean Gaussians. With kernels at unit
/// mean diagonal, I the observed and T the missing samples of a view,
///
///   E: K^_IT = K_II W,  K^_TT = W'K_II W + (C_TT - C_TI W),  W = C_II^-1 C_IT,
///   M: C = 1/M sum_m K^_m + lambda I.
///
/// Each step lowers sum_m [log det C_II + tr(C_II^-1 K_m)] + M lambda tr(C^-1), which is
/// info.objective. With `model` C is restricted to q factors and noise (parametric MKMC, 2018): the
/// M-step is then that of CommonModel for the same mean. Published with lambda = 0, which low-rank
/// kernels do not allow. Start: missing samples unrelated to all others. Uncertainty of a row: its
/// diagonal entry of C_TT - C_TI W.
Method mkmc_method();

OptionTable<MkmcOptions> mkmc_options();

}  // namespace mkc
