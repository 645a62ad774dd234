#pragma once

#include "mkc/problem/labels.hpp"
#include "mkc/problem/problem.hpp"

namespace mkc {

/// tr(HKH) / N: the mean squared distance of a sample to the centre. What is constant in a kernel
/// counts neither for a support vector machine nor for k-means.
double kernel_variance(const MatrixRef& K);

/// <HAH, HBH> / (|HAH| |HBH|), H the centring matrix; 0 where one of them is constant.
double centred_alignment(const MatrixRef& A, const MatrixRef& B);

/// Weights of the views, >= 0 and of sum one.
///
/// equal:      1 / M each.
/// relations:  w_l = sum_m s_ml / M, how much the other views rely on view l.
/// alignment:  proportional to the centred alignment of a view with the classes, 1 where two
///             labelled samples are of one class and 0 elsewhere; negative ones count as 0. It uses
///             the labels, so test samples must not be among them.
Vector equal_weights(Index n_views);
Vector relation_weights(const MatrixRef& S);
Vector alignment_weights(const std::vector<Matrix>& kernels, const Labels& labels);

/// sum_m w_m K_m, each kernel divided by its variance first where `scale`. Throws InputError naming
/// the view where a kernel with weight has no variance.
Matrix combine_kernels(const std::vector<Matrix>& kernels, const Vector& weights,
                       const Strings& views, bool scale = true);

}  // namespace mkc
