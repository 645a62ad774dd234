#pragma once

#include <optional>

#include "mkc/problem/problem.hpp"
#include "numeric/linalg/cholesky.hpp"

/// What the embedding methods share: samples as weighted sums of the samples a view has,
/// phi^_t = sum_{i in I_m} a_it phi_i (paper, section 2.1), and the kernels that follow from it.
namespace mkc {

/// Per view A_m (n_m, N): column t holds the weights with which the samples that view m has, in the
/// order of its rows, reconstruct sample t.
using Weights = std::vector<Matrix>;

/// The start of the embedding methods: every sample from the *other* samples.
///
/// Observed t (leave-one-out kernel ridge): Q = (K + ridge I)^-1, a_t = -Q_.t / Q_tt, a_tt = 0.
/// Missing t: for every view l that has t, with R = I_m and I_l in common, (K_l,RR + ridge I)^-1
/// K_l,Rt; the mean over these views. Where there is none, equal weights.
/// ridge = `relative_ridge` times the mean diagonal of the block.
Weights leave_one_out_weights(const Problem& problem, double relative_ridge, int threads = 1);

/// H_m (n_m, N): identity on the samples view m has, the given weights on the others. It carries
/// weights that sit on any sample over to the samples view m has.
Matrix carrier(const ObservedKernel& view, Matrix weights);

/// What the losses of the embedding methods and of app are divided by.
enum class LossScaling {
  unit,      // by what A = 0 would cost and by N: weights of 1 are sensible everywhere
  paper,     // by nothing: the plain sums the paper prints
  released,  // by M n_m^2, M N and M, as in the authors' released code; embd only
};

/// How the diagonal of a completed sample is settled.
enum class DiagonalRule {
  none,  // k^_tt = a_t'K a_t: the reconstruction is taken for the sample itself
  add,   // k^_tt = what the diagonal should be: what the weights leave unexplained is added, and
         // weights that explain more than there is are scaled down
};

/// What k_tt should be for every sample and view (N, M): the view's own diagonal where it is
/// constant, else the mean over the views that have t of their k_tt, each scaled by the ratio of
/// the two views' mean diagonals on common samples (weighted by row m of `relations` where given).
Matrix expected_diagonals(const Problem& problem, const std::optional<Matrix>& relations = {});

/// `add` on a completed kernel, bit for bit on its observed block: rows of `missing` samples that
/// explain more than `diagonal` (N) are scaled down, and k_tt becomes diagonal(t). PSD stays PSD.
void settle_diagonal(const Indices& missing, const Vector& diagonal, Matrix& K);

/// K^ = A'KA with the observed columns of A replaced by the identity: keeps the observed block and
/// is PSD (with `add`, plus a non-negative diagonal). `diagonal`: expected k_tt, N.
Matrix reconstructed_kernel(const ObservedKernel& view, const Matrix& weights, DiagonalRule rule,
                            const Vector& diagonal);

/// The same for all views.
std::vector<Matrix> reconstructed_kernels(const Problem& problem, const Weights& weights,
                                          DiagonalRule rule,
                                          const std::optional<Matrix>& relations = {},
                                          int threads = 1);

/// For every sample its position among the rows of a view, or -1. (N)
Indices positions_in(const ObservedKernel& view, Index n_samples);

/// The samples that two views have: their positions in the rows of each.
struct CommonSamples {
  Indices here, there;
};
CommonSamples common_samples(const ObservedKernel& view, const Indices& positions_in_other);

/// K + ridge I, factored; ridge = `relative_ridge` times the mean diagonal, raised tenfold from
/// `smallest` on until the factor exists.
linalg::Cholesky factor_with_ridge(const MatrixRef& K, double relative_ridge,
                                   double smallest = 1e-12);

}  // namespace mkc
