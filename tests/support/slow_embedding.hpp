#pragma once

#include "methods/shared/reconstruction.hpp"

/// The objectives of the embedding methods, sample by sample as their definitions read.
namespace mkc::test {

/// sum_m sum_{t in I_m} ||phi_t - Phi_m H_m a_t||^2 / tr K_m, for one A (N, N).
double slow_homogeneous_loss(const Problem& problem, const Weights& start, const Matrix& A);

/// c2/N sum_i n_i ||row i of A||
double slow_homogeneous_penalty(const Problem& problem, double c2, const Matrix& A);

/// sum_m tr((I - B_m)'K_m(I - B_m)) / tr K_m
double slow_heterogeneous_within(const Problem& problem, const std::vector<Matrix>& B);

/// sum_m ||E_m||_F^2 for given view weights S.
double slow_heterogeneous_between(const Problem& problem, const Weights& start,
                                  const std::vector<Matrix>& B, const Matrix& S);

/// The paper's Eq. mkc_emht without the l2,1 norm, entry by entry: A_m (n_m, N), `within` per view.
double slow_paper_heterogeneous(const Problem& problem, const std::vector<Matrix>& A,
                                const Matrix& S, const Vector& within, double between);

/// The same with A_m (N, N): rows of samples that view m lacks are unknowns, too.
double slow_paper_free_rows(const Problem& problem, const std::vector<Matrix>& A, const Matrix& S,
                            const Vector& within, double between);

/// The paper's Eq. mkc_app without the l2,1 norm, entry by entry: A_m (n_m, N), `within` and
/// `between` per view.
double slow_paper_app(const Problem& problem, const std::vector<Matrix>& A, const Matrix& S,
                      const Vector& within, const Vector& between);

/// Entry (s, t) of A'KA, A (n, N): a double sum over the samples of the view.
double slow_kernel_entry(const ObservedKernel& view, const Matrix& A, Index s, Index t);

/// The paper's embd_hm without the l2,1 norm, one A (N, N).
double slow_paper_homogeneous(const Problem& problem, const Matrix& A, const Vector& within);

/// sum_m ||B_m||_2,1
double slow_l21(const std::vector<Matrix>& B);

}  // namespace mkc::test
