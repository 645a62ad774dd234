#pragma once

#include "methods/embd/embd_scaling.hpp"
#include "methods/shared/reconstruction.hpp"
#include "numeric/solvers/reweighted_cg.hpp"

namespace mkc {

/// One A (N, N) for all views, zero diagonal: every sample from the other samples.
///
///   F(A) = sum_m w_m sum_{t in I_m} ||phi_t - Phi_m H_m a_t||^2  +  c2' sum_i n_i ||row i of A||
///
/// H_m carries weights on samples that view m lacks to those it has; n_i is the number of views
/// that have sample i (the paper's penalty sum_m ||A_(I_m)||_2,1). With K~_m = w_m H_m'K_mH_m
/// the first part is sum_m sum_{t in I_m} (k~_tt - 2 k~_t'a_t + a_t'K~_m a_t).
class HomogeneousObjective {
 public:
  HomogeneousObjective(const Problem& problem, Weights start, const LossWeights& weights,
                       int threads);

  double linear_norm() const { return linear_.norm(); }
  double linear_dot(const solvers::Blocks& A) const { return linear_.cwiseProduct(A[0]).sum(); }
  void subtract_linear(solvers::Blocks& G) const { G[0] -= linear_; }
  const solvers::BlockVectors& row_penalties() const { return penalties_; }
  void apply(const solvers::Blocks& A, solvers::Blocks& HA);
  void prepare(const solvers::BlockVectors& weights);
  void precondition(const solvers::Blocks& R, solvers::Blocks& Z) const;

  double constant() const { return constant_; }  // F(0), the part that is not in the quadratic

  /// Terms of F at A: within, l21.
  std::vector<std::pair<std::string, double>> terms(const solvers::Blocks& A);

  /// A_m from the shared A: H_m a_t for the samples view m lacks. (n_m, N)
  Weights weights_of_views(const Matrix& A) const;

 private:
  // Samples that are observed in the same views share the matrix sum_m K~_m over these views.
  // Where there are too many patterns to keep one matrix each, columns are grouped by view instead.
  struct ColumnGroup {
    Indices samples;
    Matrix gram;              // (N, N)
    Matrix columns, product;  // (N, |samples|), buffers of apply()
  };

  void group_columns();
  void build_linear_term();

  const Problem& problem_;
  int threads_;
  std::vector<Matrix> carriers_;  // H_m
  std::vector<Matrix> kernels_;   // K~_m (N, N)
  std::vector<ColumnGroup> groups_;
  Matrix linear_;  // R
  solvers::BlockVectors penalties_;
  Matrix mean_hessian_;  // 2 sum_m n_m/N K~_m
  Matrix inverse_;       // (mean_hessian + diag(w))^-1
  double constant_ = 0;
};

}  // namespace mkc
