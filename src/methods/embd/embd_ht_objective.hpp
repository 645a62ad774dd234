#pragma once

#include "methods/embd/embd_scaling.hpp"
#include "methods/shared/reconstruction.hpp"
#include "numeric/solvers/reweighted_cg.hpp"

namespace mkc {

/// Reconstruction weights B_m (n_m, n_m), zero diagonal, of the samples each view has, and view
/// weights S with rows on the simplex:
///
///   F(B, S) = sum_m w_m tr((I - B_m)'K_m(I - B_m))
///           + c1' sum_m (||E_m||^2 + sigma_m ||s_m||^2)  +  c2' sum_m ||B_m||_2,1
///   E_m = sum_{l != m} s_ml (B_m - H_m pad(B_l)) diag(v_l / p_ml)        on the columns I_m
///
/// v_lt = 1 where view l has sample t, p_ml = |I_m and I_l| / n_m. pad(B_l) is B_l at the rows and
/// columns I_l of an N x N zero matrix; H_m carries rows on samples that view m lacks to those it
/// has, H_m P = P_I + H_m,U P_U with U the samples view m lacks. sigma_m = tau times the mean over
/// l of ||D_ml||^2 at the start, D_ml the l-th summand of E_m without s_ml. w_m, c1', c2' are the
/// LossWeights.
/// docs/decisions/0005-what-the-embedding-methods-minimise.md: how this departs from the paper.
class HeterogeneousObjective {
 public:
  HeterogeneousObjective(const Problem& problem, Weights start, LossWeights weights, double tau,
                         int threads);

  solvers::Blocks take_start() { return std::move(start_); }  // B_m of the given weights

  /// Rows of S for fixed B: min s'(G + sigma I)s on the simplex, G_ll' = <D_ml, D_ml'>.
  void update_relations(const solvers::Blocks& B);
  const Matrix& relations() const { return S_; }
  void set_relations(const Matrix& S);

  // F for fixed S as a group quadratic in B.
  double linear_norm() const { return linear_norm_; }  // of R = 2 w_m K_m off the diagonal
  double linear_dot(const solvers::Blocks& B) const;
  void subtract_linear(solvers::Blocks& G) const;
  const solvers::BlockVectors& row_penalties() const { return penalties_; }
  void apply(const solvers::Blocks& B, solvers::Blocks& HB);
  void prepare(const solvers::BlockVectors& weights);
  void precondition(const solvers::Blocks& R, solvers::Blocks& Z) const;

  /// The part of F that does not depend on B: w_m tr K_m, and the ridge on S.
  double constant() const;

  /// Terms of F at (B, S): within, between, ridge (on S), l21.
  std::vector<std::pair<std::string, double>> terms(const solvers::Blocks& B);

  /// A_m: B_m on the columns view m has; a missing column t is the minimiser of its own
  /// between-view term, H_m sum_l s_ml v_lt pad(B_l)_t / sum_l s_ml v_lt. (n_m, N)
  Weights weights(const solvers::Blocks& B);

 private:
  void find_shares();
  void make_buffers();
  void pad(const solvers::Blocks& B);
  template <class Weights>
  const double* sum_of_columns(Index m, Index t, const Weights& weight);
  Matrix gram_of_differences(const solvers::Blocks& B, Index m);
  void residual(const solvers::Blocks& B, Index m);  // E_m

  const Problem& problem_;
  int threads_;
  LossWeights weights_;
  double linear_norm_ = 0;
  std::vector<Indices> places_;  // of every sample among those the view has, or -1
  std::vector<Matrix> carried_;  // H_m on the samples view m lacks (n_m, |U_m|)
  Matrix share_;                 // p_ml
  Vector sigma_;
  Matrix S_, pull_;  // s_ml, s_ml / p_ml
  solvers::Blocks start_, inverses_;
  solvers::BlockVectors penalties_;
  std::vector<Vector> column_scale_;  // cm_t = sum_l s_ml v_lt / p_ml
  // Buffers: E_m (n_m, n_m); what lies on missing samples (|U_m|, n_m); pad(B_l), then H_l'E_l
  // (N, n_l); some columns of all D_ml; a column of N
  std::vector<Matrix> E_, outside_, padded_, differences_;
  std::vector<Vector> sums_;
};

}  // namespace mkc
