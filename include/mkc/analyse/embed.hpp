#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

enum class EmbedMethod { kernel_pca, diffusion, latent };
const Strings& embed_method_names();  // "kernel-pca", "diffusion", "latent"

struct EmbedOptions {
  EmbedMethod method = EmbedMethod::kernel_pca;
  Index dimensions = 2;
};

/// Coordinates of samples. The entry with the largest absolute value of every axis is positive.
struct Embedding {
  EmbedMethod method = EmbedMethod::kernel_pca;
  Matrix coordinates;  // (N, d), d at most the dimensions asked for: no axis is rounding error
  Vector weights;      // (d) descending, what each axis is worth (below)
};

/// Few coordinates that keep what the kernels tell of the samples (docs/reference/embed.md). K is
/// the mean of the kernels, each divided by its variance; one kernel alone is taken as it is.
///
/// kernel_pca:  u_a sqrt(lambda_a) of HKH; the weights are shares of the variance.
/// diffusion:   lambda_a psi_a of the random walk on exp(-d_ij^2 / (s_i s_j)), d_ij the distance in
///              the kernel, s_i that of the 7th neighbour, after the density is divided out
///              (Coifman and Lafon, 2006); the weights are the eigenvalues lambda_a.
/// latent:      axes of variance one that as many views as possible share: eigenvectors of
///              sum_m HK_mH (HK_mH + r_m I)^-1 / M, r_m a tenth of the largest eigenvalue of HK_mH
///              (regularised generalised canonical correlation); the weights are the eigenvalues,
///              1 = in all views without noise. Needs two views.
///
/// InputError for kernels as in cluster(); OptionError where the dimensions are not between 1 and
/// N - 1.
Embedding embed(const std::vector<Matrix>& kernels,  // (N, N) each, complete
                const Strings& views, const Strings& samples, const EmbedOptions& options);

}  // namespace mkc
