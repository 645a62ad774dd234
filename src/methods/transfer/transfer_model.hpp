#pragma once

#include "methods/shared/source_kernel.hpp"
#include "methods/transfer/transfer.hpp"
#include "methods/transfer/transfer_regression.hpp"

namespace mkc {

/// The rounds of `transfer` with options that leave nothing to choose.
class TransferModel {
 public:
  TransferModel(const Problem& problem, const TransferOptions& options, int threads);

  /// Views that are predicted at the same time. In large problems it is one, by all threads.
  static Index views_at_once(Index n_samples, Index n_views, int threads);

  /// Predicts every incomplete view from the others as they are. Returns the largest relative
  /// change of a kernel.
  double round();

  /// The last pass of SourceViews::observed: as round(), but every missing sample from the views
  /// that it really has.
  void round_from_observed();

  std::vector<Matrix> kernels() const&;  // in the scale of the problem
  std::vector<Matrix> kernels() &&;
  const Matrix& uncertainty() const { return variance_; }  // (N, M)
  const Matrix& weights() const { return weights_; }       // (M, M) w_l of view m in row m

  /// The samples of a view in the order of a regression.
  struct Order {
    Indices samples;    // observed ones, then missing ones
    Indices positions;  // of the observed ones in the rows of the view
    TransferRegression::Sizes sizes;
  };

 private:
  bool is_log(Index m) const { return log_[at(m)].size() > 0; }
  Order order_of(Index m, const Indices& missing) const;
  void fill_source(const Vector& weights, const Order& order, MutableMatrixRef G,
                   int threads) const;
  void fill_target(Index m, bool as_log, const Indices& positions, MutableMatrixRef K) const;
  void regress(Index m, const Vector& weights, const Order& order, TransferRegression& regression,
               int threads) const;

  void find_weights();
  double error_of_source(Index m, Index l) const;
  void start();
  double update(bool from_observed);
  Matrix predicted(Index m, bool from_observed, TransferRegression& regression, int threads);
  void predict_from_observed(Index m, TransferRegression& all, Vector& residual, int threads) const;
  Matrix finished(Index m, TransferRegression& regression, const Vector& residual, int threads);
  void leave_log_domain(Index m, Matrix& X, int threads) const;
  void settle_diagonal(Index m, Matrix& X) const;
  double replace(Index m, const Matrix& X, int threads);
  std::vector<Matrix> take_kernels();

  const Problem& problem_;
  TransferOptions options_;
  SourceShape shape_;
  int threads_, views_at_once_, threads_per_view_;
  Vector scale_;  // mean diagonal of each view
  std::vector<Order> orders_;
  std::vector<Matrix> log_;      // Gram matrix behind -log of K_II, where that is predicted
  std::vector<Matrix> kernels_;  // K^_m at unit mean diagonal
  Matrix diagonals_;             // (N, M) of the kernels
  Vector sums_, squares_;        // (M) of all entries of the kernels, and of the squares of K_II
  Matrix expected_diagonals_;    // (N, M), at unit mean diagonal
  Matrix weights_, variance_;
};

}  // namespace mkc
