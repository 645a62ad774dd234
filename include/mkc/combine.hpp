#pragma once

#include "mkc/problem/label_types.hpp"
#include "mkc/problem/problem.hpp"

namespace mkc {

/// tr(HKH) / N: the mean squared distance of a sample to the centre. What is constant in a kernel
/// counts neither for a support vector machine nor for k-means.
double kernel_variance(const MatrixRef& K);

/// <HAH, HBH> / (|HAH| |HBH|), H the centring matrix; 0 where one of them is constant.
double centred_alignment(const MatrixRef& A, const MatrixRef& B);

/// The similarity that labels ask for, all samples labelled, (N, N). Classes: 1 where two samples
/// are of one class, else 0. Numbers: (y_i - mean)(y_j - mean). Survival: r_i r_j, r the martingale
/// residuals without covariates (mkc/problem/survival.hpp): positive where the event came early.
Matrix target_kernel(const Target& target);

/// Weights of the views, >= 0 and of sum one.
///
/// equal:      1 / M each.
/// relations:  w_l = sum_m s_ml / M, how much the other views rely on view l.
/// alignment:  proportional to the centred alignment of a view with the labels (target_kernel),
///             of each view by itself; negative ones count as 0.
/// alignf:     those whose weighted sum is best aligned with the labels, all views together
///             (Cortes, Mohri, Rostamizadeh 2012): v >= 0 that minimises v'Mv - 2v'a with
///             M_kl = <HK_kH, HK_lH> and a_k = <HK_kH, T>, T the labels. A view that repeats
///             another shares its weight. `scale` as in combine_kernels: the weights are of
///             kernels divided by their variance, or of the kernels as they are.
///
/// The last two use the labels, so test samples must not be among them. InputError where no view
/// is aligned with the labels.
Vector equal_weights(Index n_views);
Vector relation_weights(const MatrixRef& S);
Vector alignment_weights(const std::vector<Matrix>& kernels, const Target& target);
Vector alignf_weights(const std::vector<Matrix>& kernels, const Target& target, bool scale = true);

/// What each kernel is multiplied with: its weight, divided by its variance where `scale`. Throws
/// InputError naming the view where a kernel with weight has no variance.
Vector kernel_factors(const std::vector<Matrix>& kernels, const Vector& weights,
                      const Strings& views, bool scale = true);

/// sum_m f_m K_m, of kernels (N, N) or of kernel rows (n, N) of new samples: the factors of the
/// training kernels make both fit together.
Matrix weighted_sum(const std::vector<Matrix>& kernels, const Vector& factors);

/// weighted_sum(kernels, kernel_factors(...)).
Matrix combine_kernels(const std::vector<Matrix>& kernels, const Vector& weights,
                       const Strings& views, bool scale = true);

}  // namespace mkc
