#include "analyse/spectral.hpp"

#include <algorithm>
#include <cmath>

#include "analyse/k_means.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc {

namespace {
constexpr int thorough_starts = 20;
}

Indices clusters_of_rows(const MatrixRef& vectors, const Strings& samples, std::uint64_t seed,
                         int starts) {
  Matrix points = vectors.transpose();  // (k, n)
  for (Index i = 0; i < points.cols(); ++i)
    if (const double norm = points.col(i).norm(); norm > 0) points.col(i) /= norm;
  return k_means(points, points.rows(), samples, seed, starts);
}

Indices spectral_clusters(const MatrixRef& K, Index k, const Strings& samples, std::uint64_t seed) {
  return clusters_of_rows(linalg::eigh_largest(K, std::min(k, K.rows())).vectors, samples, seed,
                          thorough_starts);
}

Matrix kernel_distances(const MatrixRef& K, const Indices& rows, const Indices& columns) {
  Matrix D(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (Index j = 0; j < D.cols(); ++j) {
    const Index b = columns[at(j)];
    for (Index i = 0; i < D.rows(); ++i) {
      const Index a = rows[at(i)];
      D(i, j) = std::max(0.0, K(a, a) + K(b, b) - 2 * K(a, b));
    }
  }
  return D;
}

std::vector<Indices> nearest_columns(const MatrixRef& distances, Index count,
                                     const Indices& order) {
  std::vector<Indices> nearest(static_cast<std::size_t>(distances.rows()));
  std::vector<std::pair<double, std::pair<Index, Index>>> row;
  for (Index i = 0; i < distances.rows(); ++i) {
    row.clear();
    for (Index j = 0; j < distances.cols(); ++j)
      if (!std::isnan(distances(i, j))) row.push_back({distances(i, j), {order[at(j)], j}});
    const auto kept = std::min(static_cast<std::size_t>(count), row.size());
    std::partial_sort(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(kept), row.end());
    for (std::size_t p = 0; p < kept; ++p) nearest[at(i)].push_back(row[p].second.second);
  }
  return nearest;
}

Matrix normalized_graph(Matrix W) {
  const Vector degrees = W.rowwise().sum();
  const Vector scale = degrees.unaryExpr([](double d) { return d > 0 ? 1 / std::sqrt(d) : 0; });
  W.array().colwise() *= scale.array();
  W.array().rowwise() *= scale.transpose().array();
  return W;
}

}  // namespace mkc
