#include "methods/latent/latent_kernels.hpp"

#include <cmath>
#include <limits>

#include "methods/shared/observed_block.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc::latent {

namespace {

constexpr double tiny = std::numeric_limits<double>::min();
constexpr double no_length = 1e-12;  // squared, over the diagonal

bool constant(const Vector& diagonal) {
  const double mean = diagonal.mean();
  return (diagonal.array() - mean).abs().maxCoeff() <= 1e-6 * std::abs(mean);
}

Matrix assembled(const Problem& problem, Index view, const Matrix& K_IT, const Matrix& K_TT) {
  const ObservedKernel& known = problem.view(view);
  return join_blocks(known.block, known.rows, K_IT, problem.missing(view), K_TT);
}

CompletedView in_kernel_domain(const Problem& problem, Index view, const Reading& reading,
                               LatentLength length) {
  const SharedMatrix& K = problem.view(view).block;
  Matrix W = reading.weights, K_IT = linalg::multiply(K, W);
  Vector open = reading.variance;
  if (constant(K.diagonal())) {
    const double diagonal = K.diagonal().mean();
    for (Index t = 0; t < W.cols(); ++t) {
      const double squared = std::max(W.col(t).dot(K_IT.col(t)), 0.0);
      const double length2 =
          length == LatentLength::balance ? squared + reading.variance(t) : squared;
      // a reading of length 0, up to rounding, has no direction to be stretched in
      double scale = length2 > no_length * diagonal ? std::sqrt(diagonal / length2) : 0;
      if (length == LatentLength::shorten) scale = std::min(1.0, scale);
      W.col(t) *= scale;
      K_IT.col(t) *= scale;
      open(t) = std::max(0.0, diagonal - squared * scale * scale);
    }
  }
  Matrix K_TT = linalg::multiply_tn(W, K_IT);
  K_TT.diagonal() += open;
  return {assembled(problem, view, K_IT, K_TT), reading.variance};
}

CompletedView in_log_domain(const Problem& problem, Index view, const ViewFeatures& features,
                            const Reading& reading) {
  const SharedMatrix& K = problem.view(view).block;
  const linalg::Eigh S = linalg::eigh(reading.covariance);
  const Eigen::ArrayXd s = S.values.cwiseMax(0);
  const double whole = std::max(s.sum(), tiny);
  // features in columns: (r, n) and (r, missing)
  const Matrix Y = linalg::multiply_tn(S.vectors, features.all.transpose());
  const Matrix X = linalg::multiply(Y, reading.weights);
  const Index n = Y.cols(), missing = X.cols();
  const Eigen::ArrayXd a = reading.variance.array() / whole;
  const Eigen::ArrayXd root = K.diagonal().cwiseSqrt();
  const double typical = std::sqrt(K.diagonal().mean());

  Matrix K_IT(n, missing), K_TT(missing, missing);
  Vector uncertainty(missing);
  Eigen::ArrayXd inverse(s.size());
  for (Index t = 0; t < missing; ++t) {
    inverse = (1 + 2 * a(t) * s).inverse();
    const double height = std::sqrt(std::exp(inverse.log().sum()));
    for (Index i = 0; i < n; ++i)
      K_IT(i, t) = root(i) * typical * height *
                   std::exp(-((Y.col(i) - X.col(t)).array().square() * inverse).sum());
    K_TT(t, t) = typical * typical;
    uncertainty(t) = typical * typical * (1 - std::exp(-0.5 * (1 + 4 * a(t) * s).log().sum()));
    for (Index u = t + 1; u < missing; ++u) {
      inverse = (1 + 2 * (a(t) + a(u)) * s).inverse();
      K_TT(u, t) = K_TT(t, u) = typical * typical *
                                std::exp(0.5 * inverse.log().sum() -
                                         ((X.col(u) - X.col(t)).array().square() * inverse).sum());
    }
  }
  return {assembled(problem, view, K_IT, K_TT), uncertainty};
}

}  // namespace

CompletedView completed_view(const Problem& problem, Index view, const ViewFeatures& features,
                             const Reading& reading, LatentLength length) {
  if (problem.complete(view)) return {Matrix(problem.view(view).block), Vector(0)};
  return features.log ? in_log_domain(problem, view, features, reading)
                      : in_kernel_domain(problem, view, reading, length);
}

}  // namespace mkc::latent
