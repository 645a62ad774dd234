#include "kernels/distances.hpp"

#include <algorithm>
#include <vector>

#include "numeric/linalg/blas.hpp"

namespace mkc {

namespace {

// Distances below this share of ||y_i||^2 + ||y_j||^2 lose more than three digits to cancellation
// and are taken from the difference of the rows instead.
constexpr double cancellation = 1e-3;

std::vector<double> pairs_below_diagonal(const MatrixRef& D) {
  const Index n = D.rows();
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(n * (n - 1) / 2));
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i) values.push_back(D(i, j));
  return values;
}

double mean_of_nonzero(const std::vector<double>& values) {
  double sum = 0, count = 0;
  for (const double value : values)
    if (value != 0) {
      sum += value;
      ++count;
    }
  return count == 0 ? 0 : sum / count;
}

}  // namespace

Matrix squared_distances(const MatrixRef& X) {
  const Matrix T = X.transpose();  // (d, n): samples are contiguous
  // Shifting the samples to mean 0 shortens them and leaves their distances alone.
  Matrix D = linalg::gram_of_columns(T.colwise() - T.rowwise().mean());
  const Vector norms = D.diagonal();
  // d_ij = ||y_i||^2 + ||y_j||^2 - 2 y_i'y_j of the shifted y; where that cancels ||x_i - x_j||^2
  for (Index j = 0; j < D.cols(); ++j) {
    D(j, j) = 0;
    for (Index i = j + 1; i < D.rows(); ++i) {
      const double both = norms(i) + norms(j);
      D(i, j) = both - 2 * D(i, j);
      if (!(D(i, j) > cancellation * both)) D(i, j) = (T.col(i) - T.col(j)).squaredNorm();
    }
  }
  linalg::mirror_lower(D);
  return D;
}

Matrix absolute_distances(const MatrixRef& X) {
  constexpr Index tile = 32, panel = 256;  // two panels of 32 samples x 256 features fit in L2
  const Matrix T = X.transpose();          // (d, n): samples are contiguous
  const Index n = T.cols(), d = T.rows();
  Matrix D = Matrix::Zero(n, n);
  for (Index j0 = 0; j0 < n; j0 += tile)
    for (Index i0 = j0; i0 < n; i0 += tile)
      for (Index k = 0; k < d; k += panel) {
        const auto part = T.middleRows(k, std::min(panel, d - k));
        for (Index j = j0; j < std::min(j0 + tile, n); ++j)
          for (Index i = std::max(i0, j + 1); i < std::min(i0 + tile, n); ++i)
            D(i, j) += (part.col(i) - part.col(j)).lpNorm<1>();
      }
  linalg::mirror_lower(D);
  return D;
}

double median_squared_distance(const MatrixRef& D) {
  std::vector<double> values = pairs_below_diagonal(D);
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double median_gamma(const MatrixRef& D) {
  const double median = median_squared_distance(D);
  const double width = median > 0 ? median : mean_of_nonzero(pairs_below_diagonal(D));
  return width > 0 ? 1 / width : 1;
}

double scale_gamma(const MatrixRef& X) {
  if (X.maxCoeff() == X.minCoeff()) return 1;  // the mean may be off by rounding, the variance too
  const double variance = (X.array() - X.mean()).square().mean();
  return variance > 0 ? 1 / (static_cast<double>(X.cols()) * variance) : 1;
}

}  // namespace mkc
