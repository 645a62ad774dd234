#pragma once

#include <functional>

#include "mkc/analyse/cluster.hpp"
#include "mkc/analyse/embed.hpp"

namespace mkc {

/// Complete kernels F_m F_m' + diag(e_m) of several views, without whole kernels. Factors are read
/// some rows at a time: what follows takes time linear in the number of samples N, and memory only
/// for what it returns.
struct FactorViews {
  Strings samples, views;
  Indices ranks;  // r_m
  /// Rows of F_m as columns (r_m, rows). Several threads may ask at once.
  std::function<Matrix(Index view, const Indices& rows)> features;
  Matrix extra;  // (N, M)
};

/// How the kernels of views add up to one, sum_m f_m K_m, as combine_kernels() has it: its features
/// are sqrt(f_m) F_m side by side.
struct CombinedFactors {
  Vector variances, factors;  // (M) kernel_variance() of the views, and f_m
  Vector extra;               // (N) the diagonal beside the features

  /// Features of `count` rows from `first` on, as columns (sum_m r_m, count).
  Matrix features(const FactorViews& views, Index first, Index count) const;
  Matrix features(const FactorViews& views, const Indices& rows) const;
};
CombinedFactors combine_factors(const FactorViews& views, const Vector& weights, bool scale = true);

/// The same sum for other samples of the views, such as new ones: with the factors f_m of training.
CombinedFactors with_factors(const FactorViews& views, const Vector& factors);

/// As embed() of kernels: kernel_pca and latent, of the kernels without e_m, which is no part of
/// any axis but counts as variance. OptionError for diffusion, which needs every pair of samples.
Embedding embed(const FactorViews& views, const EmbedOptions& options);

/// As cluster() of at most `most` samples, chosen by name. Each other sample joins the cluster of
/// most of its ten nearest ones among them in the mean kernel; its strength is theirs, times their
/// share.
constexpr std::size_t most_clustered = 2000;
Clustering cluster(const FactorViews& views, const ClusterOptions& options,
                   std::size_t most = most_clustered);

}  // namespace mkc
