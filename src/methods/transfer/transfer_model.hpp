#pragma once

#include "methods/transfer/transfer.hpp"

namespace mkc {

/// The rounds of `transfer` with options that leave nothing to choose.
class TransferModel {
 public:
  TransferModel(const Problem& problem, const TransferOptions& options, int threads);

  /// Predicts every incomplete view from the others as they are. Returns the largest relative
  /// change of a kernel.
  double round();

  /// The last pass of SourceViews::observed: as round(), but every missing sample from the views
  /// that it really has.
  void round_from_observed();

  std::vector<Matrix> kernels() const;                     // in the scale of the problem
  const Matrix& uncertainty() const { return variance_; }  // (N, M)
  const Matrix& weights() const { return weights_; }       // (M, M) w_l of view m in row m

 private:
  /// What view m is predicted with: G, the regression on its observed samples, and s.
  struct Regression {
    Matrix G, Q;
    double residual_scale;
  };

  Matrix source(Index m, const Vector& weights) const;
  Regression regress(Index m, const Vector& weights) const;
  void find_weights();
  void start();
  Matrix predicted(Index m, bool from_observed);
  void predict_from_observed(Index m, const Regression& all, Matrix& W, Matrix& R,
                             Vector& residual) const;
  Matrix finished(Index m, Matrix K_IT, Matrix K_TT, const Vector& residual);

  const Problem& problem_;
  TransferOptions options_;
  int threads_;
  Vector scale_;                 // mean diagonal of each view
  std::vector<Matrix> target_;   // K_II at unit mean diagonal, or its log Gram matrix
  std::vector<bool> log_;        // which of the two
  std::vector<Matrix> kernels_;  // K^_m at unit mean diagonal
  Matrix expected_diagonals_;    // (N, M), at unit mean diagonal
  Matrix weights_, variance_;
};

}  // namespace mkc
