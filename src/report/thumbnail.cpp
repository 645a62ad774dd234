#include "report/thumbnail.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/compact.hpp"

namespace mkc::report {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The bin of every sample.
Indices bins_of(const Indices& order, Index bins) {
  const auto n = static_cast<Index>(order.size());
  Indices bin(order.size());
  for (Index c = 0; c < bins; ++c)
    for (Index p = begin_of(c, n, bins); p < begin_of(c + 1, n, bins); ++p)
      bin[at(order[at(p)])] = c;
  return bin;
}

}  // namespace

Thumbnail thumbnail(const Matrix& K, const Eigen::Array<bool, Eigen::Dynamic, 1>& observed,
                    const Indices& order, Index bins) {
  const Index n = K.rows();
  const Indices bin = bins_of(order, bins);
  Thumbnail result{Matrix::Zero(bins, bins), Matrix::Zero(bins, bins)};
  Vector all = Vector::Zero(bins), seen = Vector::Zero(bins), sums(bins), seen_sums(bins);
  for (Index j = 0; j < n; ++j) {
    const Index c = bin[at(j)];
    all(c) += 1;
    seen(c) += observed(j);
    sums.setZero();
    seen_sums.setZero();
    for (Index i = 0; i < n; ++i) {
      const Index d = bin[at(i)];
      sums(d) += K(i, j);
      if (observed(i)) seen_sums(d) += K(i, j);
    }
    result.after.col(c) += sums;
    if (observed(j)) result.before.col(c) += seen_sums;
  }
  for (Index c = 0; c < bins; ++c)
    for (Index d = 0; d < bins; ++d) {
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

Index bins_for(Index n_samples, Index n_views) {
  // Two triangles of c^2 / 2 bytes per view, 4/3 of that in base64.
  constexpr double bytes = 2.4e6;
  const auto side = static_cast<Index>(std::sqrt(0.75 * bytes / static_cast<double>(n_views)));
  return std::min({n_samples, Index{300}, std::max(side, Index{20})});
}

}  // namespace mkc::report
