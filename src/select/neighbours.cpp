#include "select/neighbours.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mkc {

namespace {

constexpr Index nearest = 3;

Vector of_unit_variance(Vector x) {
  x.array() -= x.mean();
  const double variance = x.squaredNorm() / static_cast<double>(x.size());
  return variance > 1e-12 ? Vector(x / std::sqrt(variance)) : Vector(Vector::Zero(x.size()));
}

Vector distances_in(const MatrixRef& K) {
  const Index n = K.rows(), k = std::min(nearest, n - 1);
  Vector distances(n);
  for (Index i = 0; i < n; ++i) {
    Vector d = K.diagonal().array() + K(i, i) - 2 * K.col(i).array();
    d(i) = d(n - 1);
    std::nth_element(d.data(), d.data() + k - 1, d.data() + n - 1);
    distances(i) = std::log(std::max(d.head(k).mean(), 1e-12 * std::abs(K(i, i)) + 1e-300));
  }
  return of_unit_variance(distances);
}

}  // namespace

Matrix neighbour_distances(const Problem& problem) {
  Matrix distances = Matrix::Constant(problem.n_samples(), problem.n_views(),
                                      std::numeric_limits<double>::quiet_NaN());
  for (Index m = 0; m < problem.n_views(); ++m) {
    const Indices& rows = problem.view(m).rows;
    if (rows.size() > 1) distances(rows, m) = distances_in(problem.view(m).block);
  }
  return distances;
}

Indices other_views(const Mask& observed, Index t, Index m) {
  Indices views;
  for (Index l = 0; l < observed.cols(); ++l)
    if (l != m && observed(t, l)) views.push_back(l);
  return views;
}

double mean_over(const Matrix& distances, Index sample, const Indices& views) {
  double sum = 0;
  for (const Index l : views) sum += distances(sample, l);
  return views.empty() ? 0 : sum / static_cast<double>(views.size());
}

}  // namespace mkc
