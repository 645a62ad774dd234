#pragma once

#include "advise/patterns.hpp"

namespace mkc::advice {

/// Every view regressed on the features of the others: how well its parameters are known, and what
/// one more sample adds.
///
/// With x = [1, features of the other views], p_i the precision of sample i and I the samples that
/// have view m,
///
///   P = (sum_{i in I} p_i x_i x_i' + lambda D)^-1,   h_t = x_t' P x_t,
///
/// the squared error of row t is proportional to 1 + h_t (Bayesian linear regression). A precision
/// raised by d changes h_t by
///
///   -d (x_i' P x_t)^2 / (1 + d h_i)                                   (Sherman and Morrison).
///
/// p_i falls with what the views a sample has leave open of view m, as its noise grows. D is the
/// identity without the intercept's entry. lambda = noise over signal: (M - 1) V / (1 - V), V the
/// mean open share of the view over I.
class Regressions {
 public:
  /// `pattern_of` (N): numbers in `patterns`.
  Regressions(const JointModel& model, const Patterns& patterns, const Indices& pattern_of,
              int threads);

  /// Precision of a sample of this pattern in the regression of view m; observed or not.
  double precision(Index m, Index pattern, const Patterns& patterns) const;

  /// The precision of sample i in view m rises by d. Takes effect with refresh().
  void add(Index m, Index i, double d);

  /// P and h after add().
  void refresh(int threads);

  /// The rows whose h counts for reduction(), a_t >= 0 of view m in column m.
  void weigh(const Matrix& weights, int threads);

  double leverage(Index i, Index m) const { return leverage_(i, m); }  // h
  const Matrix& leverages() const { return leverage_; }

  /// sum over t with weight a_t of a_t (decrease of h_t) / (1 + h_t), t = i left out, if the
  /// precision of sample i in view m rises by d; d may be negative. To first order in the change.
  double reduction(Index m, Index i, double d) const;

  /// Leave-one-out residuals of the observed rows of view m, relative to their root mean square,
  /// (N), 1 where not observed: how far a row is from what the other views tell.
  Vector surprise(Index m) const;

  const Vector& mean_open() const { return mean_open_; }  // (M) V over the samples with a view

 private:
  void refresh_view(Index m);
  void weigh_view(Index m);

  const JointModel& model_;
  Matrix Z_;                     // (N, R + 1) [1, X]
  Vector mean_open_;             // (M)
  Vector mean_powered_;          // (M) its power b
  Matrix precisions_;            // (N, M) 0 where the view is not observed
  std::vector<Matrix> A_, P_;    // per view (R + 1, R + 1); rows of the view itself are 0
  Matrix leverage_, quadratic_;  // (N, M) h, and x_i' P W P x_i with W = sum a_t/(1 + h_t) x_t x_t'
  Matrix shares_;                // (N, M) a_t / (1 + h_t)
};

}  // namespace mkc::advice
