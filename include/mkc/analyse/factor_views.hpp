#pragma once

#include "mkc/analyse/cluster.hpp"
#include "mkc/analyse/embed.hpp"

namespace mkc {

/// Complete kernels F_m F_m' + diag(e_m) of several views, without whole kernels. What follows
/// takes time and memory linear in the number of samples.
struct FactorViews {
  Strings samples, views;
  std::vector<Matrix> features;  // per view (N, r_m)
  Matrix extra;                  // (N, M)
};

/// The kernel sum_m f_m K_m of combine_kernels(), as features sqrt(f_m) F_m side by side and a
/// diagonal.
struct CombinedFactors {
  Matrix features;            // (N, sum_m r_m)
  Vector extra;               // (N)
  Vector variances, factors;  // (M) kernel_variance() of the views, and f_m
};
CombinedFactors combine_factors(const FactorViews& views, const Vector& weights, bool scale = true);

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
