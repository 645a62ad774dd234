#pragma once

#include <algorithm>
#include <cmath>

#include <Eigen/LU>

#include "advise/joint_model.hpp"
#include "numeric/blocks.hpp"
#include "support/random_problem.hpp"

/// What advice computes by updates, computed from the definitions: slow and obvious.
namespace mkc::advice {

inline JointModel small_model(std::uint64_t seed) {
  return joint_model(
      test::random_problem(seed, {.n_samples = 40, .n_views = 3, .missing = 0.35}).problem(), 1);
}

inline Indices columns(const JointModel& model, const factor::Pattern& has, bool wanted) {
  Indices found;
  for (Index m = 0; m < model.n_views(); ++m)
    if (has[at(m)] == wanted)
      for (Index c = model.first[at(m)]; c < model.first[at(m) + 1]; ++c) found.push_back(c);
  return found;
}

// Cov(x_h | x_o) = (Omega_hh)^-1 with Omega = Sigma^-1: another way than Schur's.
inline Matrix conditional(const JointModel& model, const factor::Pattern& has) {
  const Matrix precision = model.sigma.inverse();
  const Indices h = columns(model, has, false);
  return submatrix(precision, h, h).inverse();
}

inline Matrix some_errors(const JointModel& model) {
  Matrix error = Matrix::Zero(model.n_samples(), model.n_views());
  for (Index m = 0; m < model.n_views(); ++m)
    for (Index i = 0; i < model.n_samples(); ++i)
      if (!model.has(i, m)) error(i, m) = 0.1 * static_cast<double>(1 + (3 * i + 7 * m) % 5);
  return error;
}

// A regression that is fitted again from the start.
struct SlowRegression {
  Matrix Z, P;
  Vector h;

  SlowRegression(const JointModel& model, Index m, const Vector& precisions, double lambda) {
    Indices others;
    for (Index c = 0; c < model.X.cols(); ++c)
      if (c < model.first[at(m)] || c >= model.first[at(m) + 1]) others.push_back(c);
    Z.resize(model.n_samples(), std::ssize(others) + 1);
    Z.col(0).setOnes();
    Z.rightCols(std::ssize(others)) = model.X(Eigen::all, others);
    Matrix A = lambda * Matrix::Identity(Z.cols(), Z.cols());
    A(0, 0) = 1e-6;
    for (Index i = 0; i < Z.rows(); ++i) A += precisions(i) * Z.row(i).transpose() * Z.row(i);
    P = A.inverse();
    h = (Z * P * Z.transpose()).diagonal();
  }
};

// e_tm of the definition, with every pattern and regression computed anew.
struct SlowExpectation {
  const JointModel& model;
  Matrix error;
  double b, a;

  // V(m | o): of an observed view with the other observed views.
  double open(Index i, Index m, const Mask& has) const {
    factor::Pattern pattern(at(model.n_views()));
    for (Index u = 0; u < model.n_views(); ++u) pattern[at(u)] = u != m && has(i, u);
    const Matrix C = conditional(model, pattern);
    Index first = 0;
    for (Index u = 0; u < m; ++u) first += pattern[at(u)] ? 0 : model.width(u);
    const double whole = model.sigma.diagonal().segment(model.first[at(m)], model.width(m)).sum();
    const double left = C.diagonal().segment(first, model.width(m)).sum();
    return model.kept(m) * left / whole + 1 - model.kept(m);
  }

  Vector leverages(Index m, const Mask& has) const {
    double mean = 0, count = 0;  // over the samples that had the view at the start
    for (Index i = 0; i < model.n_samples(); ++i)
      if (model.has(i, m)) {
        mean += open(i, m, model.has);
        count += 1;
      }
    mean /= count;
    Vector p = Vector::Zero(model.n_samples());
    for (Index i = 0; i < p.size(); ++i)
      if (has(i, m)) p(i) = std::clamp(std::pow(mean / open(i, m, has), 2 * b), 0.1, 10.0);
    const double lambda = static_cast<double>(model.n_views() - 1) * mean / (1 - mean);
    return SlowRegression(model, m, p, lambda).h;
  }

  double total(const Mask& has) const {
    double sum = 0;
    for (Index m = 0; m < model.n_views(); ++m) {
      const Vector before = leverages(m, model.has), now = leverages(m, has);
      const auto n0 = static_cast<double>(model.has.col(m).count()),
                 n = static_cast<double>(has.col(m).count());
      for (Index i = 0; i < model.n_samples(); ++i)
        if (!has(i, m))
          sum += error(i, m) * std::pow(open(i, m, has) / open(i, m, model.has), b) *
                 std::sqrt((1 + now(i)) / (1 + before(i))) * std::pow(n0 / n, a);
    }
    return sum;
  }
};

}  // namespace mkc::advice
