#pragma once

#include "mkc/models/reconstruction.hpp"
#include "mkc/solvers/reweighted_cg.hpp"

namespace mkc {

/// Reconstruction weights B_m (n_m, n_m), zero diagonal, of the samples each view has, and view
/// weights S with rows on the simplex:
///
///   F(B, S) = sum_m tr((I - B_m)'K_m(I - B_m)) / tr K_m
///           + c1/N sum_m (||E_m||^2 + sigma_m ||s_m||^2)  +  c2/N sum_m ||B_m||_2,1
///   E_m = sum_{l != m} s_ml (B_m - H_m pad(B_l)) diag(v_l / p_ml)        on the columns I_m
///
/// v_lt = 1 where view l has sample t, p_ml = |I_m and I_l| / n_m. pad(B_l) is B_l at the rows and
/// columns I_l of an N x N zero matrix; H_m carries rows on samples that view m lacks to those it
/// has, H_m P = P_I + H_m,U P_U with U the samples view m lacks. sigma_m = tau times the mean over
/// l of
/// ||D_ml||^2 at the start, D_ml the l-th summand of E_m without s_ml.
/// docs/decisions/0005-what-the-embedding-methods-minimise.md says how this departs from the paper.
class HeterogeneousObjective {
 public:
  HeterogeneousObjective(const Problem& problem, const Weights& start, double c1, double c2,
                         double tau, int threads);

  const solvers::Blocks& start() const { return start_; }  // B_m of the given weights

  /// Rows of S for fixed B: min s'(G + sigma I)s on the simplex, G_ll' = <D_ml, D_ml'>.
  void update_relations(const solvers::Blocks& B);
  const Matrix& relations() const { return S_; }
  void set_relations(const Matrix& S);

  // F for fixed S as a group quadratic in B.
  const solvers::Blocks& linear() const { return linear_; }
  const solvers::BlockVectors& row_penalties() const { return penalties_; }
  void apply(const solvers::Blocks& B, solvers::Blocks& HB);
  void prepare(const solvers::BlockVectors& weights);
  void precondition(const solvers::Blocks& R, solvers::Blocks& Z) const;

  /// The part of F that does not depend on B: 1 per view, and the ridge on S.
  double constant() const;

  /// Terms of F at (B, S): within, between (with the ridge on S), l21.
  std::vector<std::pair<std::string, double>> terms(const solvers::Blocks& B);

  /// A_m: B_m on the columns view m has; a missing column t is the minimiser of its own
  /// between-view term, H_m sum_l s_ml v_lt pad(B_l)_t / sum_l s_ml v_lt. (n_m, N)
  Weights weights(const solvers::Blocks& B) const;

 private:
  // Columns that two views share: positions in each.
  struct Shared {
    Indices here, there;
  };

  void differences_to(const solvers::Blocks& B, Index m, Index l, Matrix& D) const;
  void residuals(const solvers::Blocks& B);            // E_m for all m
  void add_adjoint(solvers::Blocks& G, double scale);  // G += scale E'(E)
  void carry(Index m, const Matrix& P, Matrix& outside, Matrix& out) const;
  const Shared& shared(Index m, Index l) const;

  const Problem& problem_;
  int threads_;
  double c1_over_n_, c2_over_n_;
  std::vector<Matrix> carried_;  // H_m on the samples view m lacks (n_m, |U_m|)
  std::vector<Shared> shared_;   // (m, l) -> common samples
  Matrix share_;                 // p_ml
  Vector sigma_;
  Matrix S_;
  solvers::Blocks start_, linear_, inverses_;
  solvers::BlockVectors penalties_;
  std::vector<Vector> column_scale_;         // cm_t = sum_l s_ml v_lt / p_ml
  std::vector<Matrix> padded_, E_, spread_;  // buffers: (N, n_m), (n_m, n_m), (N, n_m)
  std::vector<Matrix> outside_;              // buffers: (|U_m|, n_m)
};

}  // namespace mkc
