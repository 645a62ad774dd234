#include "methods/latent/latent_em.hpp"

#include <cmath>

#include "methods/shared/gather.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"

namespace mkc::latent {

namespace {

constexpr Index most_iterations = 40;
constexpr double tolerance = 1e-3;  // relative change of the completed features

// Columns missing and observed in a pattern.
struct Split {
  const Indices* rows;
  Indices missing, observed;
};

std::vector<Split> splits_of(const std::vector<ViewPattern>& patterns, const Indices& views,
                             const Indices& first_column) {
  std::vector<Split> splits;
  for (const ViewPattern& pattern : patterns) {
    Split split{&pattern.samples, {}, {}};
    for (std::size_t v = 0; v < views.size(); ++v)
      for (Index c = first_column[v]; c < first_column[v + 1]; ++c)
        (pattern.has[at(views[v])] ? split.observed : split.missing).push_back(c);
    if (!split.missing.empty()) splits.push_back(std::move(split));
  }
  return splits;
}

// Conditional means of one pattern into X (centred); adds the conditional covariances to S.
void expectation(const Split& split, const Matrix& precision, Matrix& X, Matrix& S) {
  const auto factor = linalg::Cholesky::factor(submatrix(precision, split.missing, split.missing));
  if (!factor) return;  // rounding: a principal block of a positive definite matrix
  const auto count = static_cast<Index>(split.rows->size());
  Matrix mean = Matrix::Zero(static_cast<Index>(split.missing.size()), count);
  if (!split.observed.empty()) {
    const Matrix known = submatrix(X, *split.rows, split.observed);
    mean = -factor->solve(
        linalg::multiply_nt(submatrix(precision, split.missing, split.observed), known));
  }
  const Matrix covariance = factor->inverse();
  for (std::size_t j = 0; j < split.missing.size(); ++j) {
    for (Index i = 0; i < count; ++i)
      X((*split.rows)[at(i)], split.missing[j]) = mean(static_cast<Index>(j), i);
    for (std::size_t i = 0; i < split.missing.size(); ++i)
      S(split.missing[i], split.missing[j]) +=
          static_cast<double>(count) * covariance(static_cast<Index>(i), static_cast<Index>(j));
  }
}

/// The features of all views side by side, 0 where missing, and their first covariance.
struct Joint {
  Matrix X;       // (N, R)
  Matrix sigma;   // (R, R)
  Vector ridges;  // (R) added to the diagonal of sigma
};

Joint start_of(const Problem& problem, const std::vector<ViewFeatures>& features,
               const Indices& views, const Indices& first_column, double ridge) {
  const Index R = first_column.back();
  Joint joint{Matrix::Zero(problem.n_samples(), R), Matrix::Zero(R, R), Vector(R)};
  for (std::size_t v = 0; v < views.size(); ++v) {
    const Matrix& F = features[at(views[v])].sources;
    const Indices& rows = problem.view(views[v]).rows;
    for (Index c = 0; c < F.cols(); ++c) {
      const Index column = first_column[v] + c;
      for (std::size_t i = 0; i < rows.size(); ++i)
        joint.X(rows[i], column) = F(static_cast<Index>(i), c);
      joint.ridges(column) = ridge / static_cast<double>(F.cols());
      joint.sigma(column, column) = F.col(c).squaredNorm() / static_cast<double>(rows.size());
    }
  }
  joint.sigma.diagonal() += joint.ridges;
  return joint;
}

}  // namespace

Completed complete_features(const Problem& problem, const std::vector<ViewFeatures>& features,
                            const Indices& views, const std::vector<ViewPattern>& patterns,
                            double ridge) {
  Indices first_column = {0};
  for (const Index m : views)
    first_column.push_back(first_column.back() + features[at(m)].sources.cols());
  const auto splits = splits_of(patterns, views, first_column);

  auto [X, sigma, ridges] = start_of(problem, features, views, first_column, ridge);
  Completed result;
  Matrix before = X;
  for (;; ++result.iterations) {
    const auto factor = linalg::Cholesky::factor(sigma);
    if (!factor) break;  // the ridge is too small for this covariance: keep what we have
    const Matrix precision = factor->inverse();
    const Eigen::RowVectorXd mean = X.colwise().mean();
    X.rowwise() -= mean;
    sigma.setZero();
    for (const Split& split : splits) expectation(split, precision, X, sigma);
    X.rowwise() += mean;
    const double change = (X - before).norm();
    const bool settled = result.iterations > 0 && change <= tolerance * X.norm();
    if (settled || result.iterations == most_iterations) break;
    before = X;
    sigma += linalg::gram_of_columns(X.rowwise() - X.colwise().mean());
    sigma /= static_cast<double>(problem.n_samples());
    sigma.diagonal() += ridges;
  }
  for (std::size_t v = 0; v < views.size(); ++v)
    result.features.push_back(X.middleCols(first_column[v], first_column[v + 1] - first_column[v]));
  return result;
}

}  // namespace mkc::latent
