#pragma once

#include "methods/embd/embd_paper.hpp"

namespace mkc::approx {

/// Eq. mkc_app as the paper prints it (`form=paper`), A_m (n_m, N) per view, one below the other:
///
///   sum_m w_m ||[X_m]_II - K_m||^2 + sum_m b_m ||X_m - sum_l s_ml X_l||^2 + c2' sum_m ||A_m||_2,1
///   with X_m = A_m'K_mA_m and A_II free
///
/// A composite problem of numeric/solvers/proximal_gradient.hpp.
class PaperObjective {
 public:
  PaperObjective(const Problem& problem, Vector within, Vector between, double l21);

  double value(const Matrix& A);
  double value_and_gradient(const Matrix& A, Matrix& G);
  double penalty(const Matrix& A) { return l21_.value(A); }
  void prox(Matrix& A, double step) { l21_.prox(A, step); }
  double stationarity(const Matrix& A, const Matrix& G) { return l21_.distance(A, G); }

  /// Rows of S: ||X_m - sum_l s_ml X_l||^2 least on the simplex.
  void update_relations(const Matrix& A);
  const Matrix& relations() const { return S_; }
  void set_relations(const Matrix& S) { S_ = S; }

  std::vector<std::pair<std::string, double>> terms(const Matrix& A);
  Matrix stack(const Weights& weights) const;
  Weights unstack(const Matrix& A) const;

 private:
  auto block(const Matrix& A, Index m) const {
    return A.middleRows(offset_[at(m)], problem_.view(m).block.rows());
  }
  struct Losses {
    double within = 0, between = 0;
  };
  void find_kernels(const Matrix& A);  // KA_ and X_
  Losses losses(const Matrix& A);      // with KA_, X_ and R_

  const Problem& problem_;
  Vector within_, between_;
  prox::L21 l21_;
  Indices offset_;
  std::vector<Matrix> KA_, X_, R_;  // K_mA_m; A_m'K_mA_m; X_m - sum_l s_ml X_l
  Matrix S_;
};

}  // namespace mkc::approx
