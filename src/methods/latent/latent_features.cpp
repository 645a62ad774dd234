#include "methods/latent/latent_features.hpp"

#include <cmath>

#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc::latent {

namespace {

constexpr double smallest_kept = 1e-9;       // eigenvalue, relative to the largest, of a source
constexpr double smallest_positive = 1e-14;  // of any feature
constexpr double negative_share = 1e-6;      // of the spectrum: more is not Euclidean
constexpr double same = 1e-6;                // eigenvalues this close (relative) are equal

void centre(Matrix& A) {
  const Vector mean = A.rowwise().mean();
  const double all = mean.mean();
  A.colwise() -= mean;
  A.rowwise() -= (mean.array() - all).matrix().transpose();
  linalg::mirror_lower(A);
}

// How many of the values (descending) to keep: about `rank`, at a gap.
Index cut(const Vector& values, Index rank) {
  Index kept = 0;
  while (kept < values.size() && values(kept) > smallest_kept * values(0)) ++kept;
  if (kept <= rank) return kept;
  const auto gap = [&](Index r) { return values(r - 1) - values(r) > same * values(r - 1); };
  for (Index r = rank; r >= std::max<Index>(1, rank / 2); --r)
    if (gap(r)) return r;
  for (Index r = rank + 1; r < kept; ++r)
    if (gap(r)) return r;
  return kept;
}

}  // namespace

Matrix kernel_gram(const MatrixRef& K) {
  Matrix gram = K;
  centre(gram);
  return gram;
}

std::optional<Matrix> log_gram(const MatrixRef& K) {
  if (!(K.minCoeff() > 0)) return std::nullopt;
  const Eigen::ArrayXd half_log = 0.5 * K.diagonal().array().log();
  Matrix gram = K;
  gram = 0.5 * gram.array().log().matrix();  // -D / 2, up to what centring removes
  gram.colwise() -= (0.5 * half_log).matrix();
  gram.rowwise() -= (0.5 * half_log).matrix().transpose();
  centre(gram);
  return gram;
}

ViewFeatures view_features(const MatrixRef& K, bool prefer_log, Index rank) {
  ViewFeatures view;
  linalg::Eigh eigen;
  if (prefer_log) {
    if (auto gram = log_gram(K)) {
      eigen = linalg::eigh(*gram);
      const double negative = -eigen.values.cwiseMin(0).sum();
      const double positive = eigen.values.cwiseMax(0).sum();
      if (positive > 0 && negative <= negative_share * positive) {
        view.log = true;
        view.gram = *std::move(gram);
      }
    }
  }
  if (!view.log) {
    view.gram = kernel_gram(K);
    eigen = linalg::eigh(view.gram);
  }
  const Vector values = eigen.values.reverse().cwiseMax(0);
  // logarithms have no unit
  const double size = view.log ? static_cast<double>(K.rows()) : K.trace();
  if (!(values(0) > smallest_positive * size)) {  // all samples are the same
    view.log = false;
    view.gram.setZero();
    view.sources = Matrix::Zero(K.rows(), 0);
    return view;
  }
  const auto features = [&](Index r) -> Matrix {
    return eigen.vectors.rightCols(r).rowwise().reverse() * values.head(r).cwiseSqrt().asDiagonal();
  };
  if (view.log) {
    Index r = 0;
    while (r < values.size() && values(r) > smallest_positive * values(0)) ++r;
    view.all = features(r);
  }
  view.sources = features(cut(values, rank));
  view.sources /= std::sqrt(view.sources.squaredNorm() / static_cast<double>(K.rows()));
  return view;
}

}  // namespace mkc::latent
