#pragma once

#include "methods/embd/embd_scaling.hpp"
#include "numeric/l21.hpp"

/// The embedding problems as the paper prints them (`form=paper`). Both are composite problems of
/// numeric/solvers/proximal_gradient.hpp.
namespace mkc {

/// ||[A'KA]_II - K||_F^2 of one view, A (n, n) the columns of its weights that are observed, and
/// its gradient 4 K A (A'KA - K). Buffers of one size are kept.
class KernelLoss {
 public:
  explicit KernelLoss(const SharedMatrix& K);

  Matrix& columns() { return A_; }  // A, to be filled in first
  double value();                   // ||A'KA - K||^2
  const Matrix& gradient();         // right after value()

 private:
  SharedMatrix K_;
  Matrix A_, KA_, D_, G_;  // A, K A, A'KA - K, gradient
};

/// Eq. mkc_emht: A_m (n_m, N) per view, one below the other in X,
///
///   sum_m w_m ||[A_m'K_mA_m]_II - K_m||^2 + c1' sum_m ||A_m,(I_m) - sum_l s_ml A_l,(I_m)||^2
///     + c2' sum_m ||A_m,(I_m)||_2,1
///
/// A_l,(I_m): rows I_m of A_l. On samples that view l lacks they are zero and A_l is (n_l, N), or
/// free and A_l is (N, N).
class PaperHeterogeneous {
 public:
  PaperHeterogeneous(const Problem& problem, LossWeights weights,
                     OutsideRows rows = OutsideRows::zero);

  double value(const Matrix& X);
  double value_and_gradient(const Matrix& X, Matrix& G);
  double penalty(const Matrix& X) { return l21_.value(X); }
  void prox(Matrix& X, double step) { l21_.prox(X, step); }
  double stationarity(const Matrix& X, const Matrix& G) { return l21_.distance(X, G); }

  /// Rows of S: ||A_m - sum_l s_ml A_l,(I_m)||^2 least on the simplex.
  void update_relations(const Matrix& X);
  const Matrix& relations() const { return S_; }
  void set_relations(const Matrix& S) { S_ = S; }

  std::vector<std::pair<std::string, double>> terms(const Matrix& X);
  /// X from A_m (n_m, N); free rows, where there are any, are zero. And back, without these.
  Matrix stack(const Weights& weights) const;
  Weights unstack(const Matrix& X) const;

  /// sum_l s_ml A_l,(I_m) (n_m, N): the weights of the paper's second estimate.
  Weights of_others(const Matrix& X);

  /// Samples that have a row in block m of X, in its order.
  const Indices& samples_of(Index m) const { return samples_[at(m)]; }
  auto block(Matrix& X, Index m) const {
    return X.middleRows(offset_[at(m)], static_cast<Index>(samples_of(m).size()));
  }

 private:
  // Rows of X that hold the samples I_m in block m and in block l; both lists run over I_m, without
  // the samples for which block l has no row.
  const CommonSamples& common(Index m, Index l) const {
    return common_[at(m * problem_.n_views() + l)];
  }
  const Indices& observed_rows(Index m) const { return common(m, m).here; }  // of X, samples I_m
  double within(const Matrix& X, Matrix* G);
  void find_residuals(const Matrix& X);  // R_m = A_m,(I_m) - sum_l s_ml A_l,(I_m)

  const Problem& problem_;
  LossWeights weights_;
  std::vector<Indices> samples_;
  Indices offset_;
  std::vector<CommonSamples> common_;
  prox::L21 l21_;  // rows of samples that the view lacks cost nothing
  std::vector<KernelLoss> losses_;
  Matrix S_, R_;
};

/// embd_hm: one A (N, N) for all views, A_(I_m) its rows I_m,
///
///   sum_m w_m ||[A_(I_m)'K_mA_(I_m)]_II - K_m||^2 + c2' sum_m ||A_(I_m)||_2,1
class PaperHomogeneous {
 public:
  PaperHomogeneous(const Problem& problem, LossWeights weights);

  double value(const Matrix& A) { return within(A, nullptr); }
  double value_and_gradient(const Matrix& A, Matrix& G);
  double penalty(const Matrix& A) { return l21_.value(A); }
  void prox(Matrix& A, double step) { l21_.prox(A, step); }
  double stationarity(const Matrix& A, const Matrix& G) { return l21_.distance(A, G); }

  std::vector<std::pair<std::string, double>> terms(const Matrix& A);

 private:
  double within(const Matrix& A, Matrix* G);

  const Problem& problem_;
  LossWeights weights_;
  prox::L21 l21_;  // row i counts once per view that has sample i
  std::vector<KernelLoss> losses_;
};

}  // namespace mkc
