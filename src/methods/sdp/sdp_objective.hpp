#pragma once

#include "mkc/problem/problem.hpp"
#include "numeric/solvers/psd_least_squares.hpp"

namespace mkc {

/// What the two losses are divided by.
enum class SdpScaling {
  balanced,  // w_m = ||K_m||_F^2, b_m = w_m N^2 / n_m^2: what a zero X_m would cost
  paper,     // w_m = b_m = 1: the plain sums of Eq. mkc_sdp
};

/// F(X, S) = sum_m ||X_m[I,I] - K_m||_F^2 / w_m
///         + c sum_m (||X_m - sum_l s_ml X_l||_F^2 + sigma_m ||s_m||^2) / b_m
/// for X_m (N, N) symmetric and S (M, M) with zero diagonal: Eq. mkc_sdp of the paper, where our
/// X_m is its K^(m) and I = I_m. Refers to the problem, which must outlive it.
class SdpObjective {
 public:
  SdpObjective(const Problem& problem, double c, SdpScaling scaling);

  /// sigma_m = tau times the mean over l of ||X_m - X_l||_F^2; 0 before this is called.
  void set_ridge(double tau, const std::vector<Matrix>& X);
  double sigma(Index m) const { return sigma_(m); }

  const Problem& problem() const { return *problem_; }
  double c() const { return c_; }

  double within(const std::vector<Matrix>& X, Index m) const;  // the m-th terms of the two sums
  double between(const std::vector<Matrix>& X, const Vector& s_m, Index m) const;

  /// What depends on row m of S: the m-th between-view loss with its ridge.
  double relation_cost(const std::vector<Matrix>& X, const Vector& s_m, Index m) const {
    return between(X, s_m, m) + sigma_(m) * s_m.squaredNorm() / b_(m);
  }

  struct Terms {
    double within = 0, between = 0, ridge = 0;  // c is in none of them
  };
  Terms terms(const std::vector<Matrix>& X, const Matrix& S) const;
  double value(const std::vector<Matrix>& X, const Matrix& S) const;

  /// F as a function of X_m alone: ||W o (X_m - target)||_F^2 + const, the supplement's Kobj.
  struct Block {
    Matrix target;                  // (N, N)
    solvers::BlockWeights weights;  // W^2
  };
  Block block(const std::vector<Matrix>& X, const Matrix& S, Index m) const;

 private:
  const Problem* problem_;
  double c_;
  Vector w_, b_, sigma_;  // (M)
};

/// ||W o (X - target)||_F^2.
double value_of(const SdpObjective::Block& block, const Matrix& X);

}  // namespace mkc
