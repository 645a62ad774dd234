#include "methods/latent/latent_features.hpp"

#include <cmath>

#include "methods/shared/log_domain.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc::latent {

namespace {

constexpr double smallest_kept = 1e-9;       // eigenvalue, relative to the largest, of a source
constexpr double smallest_positive = 1e-14;  // of any feature
constexpr double negative_share = 1e-6;      // of the spectrum: more is not Euclidean
constexpr double same = 1e-6;                // eigenvalues this close (relative) are equal

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
  if (!(values(0) > smallest_positive * size)) {  // all rows are equal
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
