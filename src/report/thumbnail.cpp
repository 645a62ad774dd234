#include "report/thumbnail.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/compact.hpp"

namespace mkc::report {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The cell of every sample.
Indices cells_of(const Indices& order, Index cells) {
  const auto n = static_cast<Index>(order.size());
  Indices cell(order.size());
  for (Index c = 0; c < cells; ++c)
    for (Index p = begin_of(c, n, cells); p < begin_of(c + 1, n, cells); ++p)
      cell[at(order[at(p)])] = c;
  return cell;
}

}  // namespace

Thumbnail thumbnail(const Matrix& K, const Eigen::Array<bool, Eigen::Dynamic, 1>& observed,
                    const Indices& order, Index cells) {
  const Index n = K.rows();
  const Indices cell = cells_of(order, cells);
  Thumbnail result{Matrix::Zero(cells, cells), Matrix::Zero(cells, cells)};
  Vector all = Vector::Zero(cells), seen = Vector::Zero(cells), sums(cells), seen_sums(cells);
  for (Index j = 0; j < n; ++j) {
    const Index c = cell[at(j)];
    all(c) += 1;
    seen(c) += observed(j);
    sums.setZero();
    seen_sums.setZero();
    for (Index i = 0; i < n; ++i) {
      const Index d = cell[at(i)];
      sums(d) += K(i, j);
      if (observed(i)) seen_sums(d) += K(i, j);
    }
    result.after.col(c) += sums;
    if (observed(j)) result.before.col(c) += seen_sums;
  }
  for (Index c = 0; c < cells; ++c)
    for (Index d = 0; d < cells; ++d) {
      result.after(d, c) /= all(d) * all(c);
      const double pairs = seen(d) * seen(c);
      result.before(d, c) = pairs > 0 ? result.before(d, c) / pairs : nan;
    }
  return result;
}

Shades shades_of(const Matrix& grid) {
  std::vector<double> values;
  for (Index j = 0; j < grid.cols(); ++j)
    for (Index i = j + 1; i < grid.rows(); ++i)
      if (std::isfinite(grid(i, j))) values.push_back(grid(i, j));
  if (values.empty()) return {grid.size() > 0 ? grid(0, 0) : 0, grid.size() > 0 ? grid(0, 0) : 0};
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
  };
  return {rounded(at(0.005), 6), rounded(at(0.995), 6)};
}

std::string packed_triangle(const Matrix& grid, const Shades& shades) {
  std::string bytes;
  const double width = shades.high - shades.low;
  for (Index i = 0; i < grid.rows(); ++i)
    for (Index j = 0; j <= i; ++j) {
      const double value = grid(i, j);
      const double place = width > 0 ? std::clamp((value - shades.low) / width, 0.0, 1.0) : 0.5;
      bytes += static_cast<char>(std::isfinite(value) ? 1 + std::lround(254 * place) : 0);
    }
  return base64(bytes);
}

std::string packed_shares(const Vector& shares) {
  std::string bytes;
  for (const double share : shares) bytes += static_cast<char>(std::lround(255 * share));
  return base64(bytes);
}

Index cells_for(Index n_samples, Index n_views) {
  // Two triangles of c^2 / 2 bytes per view, 4/3 of that in base64.
  constexpr double bytes = 2.4e6;
  const auto side = static_cast<Index>(std::sqrt(0.75 * bytes / static_cast<double>(n_views)));
  return std::min({n_samples, Index{300}, std::max(side, Index{20})});
}

}  // namespace mkc::report
