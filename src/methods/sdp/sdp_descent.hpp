#pragma once

#include "methods/sdp/sdp_objective.hpp"

namespace mkc {

/// Block coordinate descent on SdpObjective (Algorithm psd of the paper's supplement): one X_m
/// after the other, each from the newest values of the others, then S. The supplement updates all
/// X_m from the values of the round before, which may raise F; one after the other never does.
class SdpDescent {
 public:
  /// X: PSD starts, S: relations. The objective must outlive the descent.
  SdpDescent(const SdpObjective& objective, std::vector<Matrix> X, Matrix S);

  /// Updates X_0, X_1, ..., then S, from X extrapolated along the last round's move; where that
  /// does not lower F, from X itself. Returns the largest `residual` met on the way.
  double round();
  double value() const { return value_; }  // F(X, S) after the last round

  /// A few steps of the solver for X_m; returns the residual X_m had before.
  double update_kernel(Index m);
  void update_relations();

  /// Distance between X_m and the best X_m given everything else, relative to its target: an upper
  /// bound (see PsdLeastSquaresResult::residual) after one step, and the distance itself where one
  /// step is exact. The largest over the views; S is always the best one after update_relations().
  double residual();

  const std::vector<Matrix>& kernels() const { return X_; }
  std::vector<Matrix>& kernels() { return X_; }
  const Matrix& relations() const { return S_; }

 private:
  const SdpObjective& objective_;
  std::vector<Matrix> X_;
  Matrix S_;
  double extrapolated_round();  // F may rise
  double plain_round();         // F never rises

  std::vector<Matrix> X_old_;  // before the last round
  double value_;
  double momentum_ = 1;       // Nesterov's t; 1: the next round is plain
  double last_residual_ = 1;  // of the last round: sets how exactly X_m is solved for
  double solve(const SdpObjective::Block& block, Index m, Matrix& X, int steps, double tolerance);

  solvers::PsdLeastSquaresWorkspace work_;    // one for all views: they take turns
  std::vector<solvers::SpectrumPart> split_;  // how each view's spectrum was split last
};

}  // namespace mkc
