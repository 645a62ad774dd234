#include "mkc/problem/inspection.hpp"

#include <algorithm>
#include <numeric>

#include "numeric/linalg/eigh.hpp"
#include "problem/view_patterns.hpp"

namespace mkc {

namespace {

constexpr Index shown_eigenvalues = 20;
constexpr double held = 0.9;  // part of the trace

std::vector<bool> row_of(const Mask& observed, Index i) {
  std::vector<bool> row;
  for (Index m = 0; m < observed.cols(); ++m) row.push_back(observed(i, m));
  return row;
}

double median(Vector values) {
  const Index middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + middle, values.end());
  const double upper = values(middle);
  return values.size() % 2 == 1
             ? upper
             : 0.5 * (upper + *std::max_element(values.begin(), values.begin() + middle));
}

}  // namespace

std::vector<MissingPattern> missing_patterns(const Mask& observed) {
  std::vector<MissingPattern> patterns;
  for (const auto& [has, samples] : view_patterns(observed))
    patterns.push_back({has, static_cast<Index>(samples.size())});
  const auto views_of = [](const MissingPattern& pattern) {
    return std::count(pattern.views.begin(), pattern.views.end(), true);
  };
  std::stable_sort(patterns.begin(), patterns.end(), [&](const auto& a, const auto& b) {
    return a.samples != b.samples ? a.samples > b.samples : views_of(a) > views_of(b);
  });
  return patterns;
}

Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic> shared_samples(const Mask& observed) {
  const auto counts = observed.matrix().cast<Index>();
  return counts.transpose() * counts;
}

Indices shared_with_others(const Mask& observed) {
  const auto views_of = observed.cast<Index>().rowwise().sum().eval();  // per sample
  Indices shared;
  for (Index m = 0; m < observed.cols(); ++m)
    shared.push_back((observed.col(m) && views_of.array() > 1).count());
  return shared;
}

Strings missingness_map(const Mask& observed, Index width) {
  const Index n = observed.rows();
  Indices order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    const Index views_a = observed.row(a).count(), views_b = observed.row(b).count();
    return views_a != views_b ? views_a > views_b : row_of(observed, a) > row_of(observed, b);
  });
  const Index cells = std::min(n, width);
  Strings lines(static_cast<std::size_t>(observed.cols()));
  for (Index m = 0; m < observed.cols(); ++m)
    for (Index c = 0; c < cells; ++c) {
      const Index first = c * n / cells, end = (c + 1) * n / cells;
      Index count = 0;
      for (Index i = first; i < end; ++i) count += observed(order[at(i)], m);
      lines[at(m)] += count == 0 ? '.' : count == end - first ? '#' : '+';
    }
  return lines;
}

KernelCheck check_kernel(const MatrixRef& K) {
  KernelCheck check;
  const Vector diagonal = K.diagonal(), values = linalg::eigenvalues(K);  // ascending
  check.smallest_diagonal = diagonal.minCoeff();
  check.median_diagonal = median(diagonal);
  check.largest_diagonal = diagonal.maxCoeff();
  check.smallest_eigenvalue = values(0);
  check.largest_eigenvalue = values(values.size() - 1);
  check.positive_semidefinite =
      values(0) >= -ProblemChecks{}.psd_tolerance * std::abs(check.largest_eigenvalue);
  const double total = values.cwiseMax(0).sum();
  double sum = 0;
  for (Index k = 0; k < values.size() && total > 0; ++k) {
    const double part = std::max(0.0, values(values.size() - 1 - k)) / total;
    if (k < shown_eigenvalues) check.spectrum.push_back(part);
    if (sum < held) check.directions = k + 1;
    sum += part;
  }
  return check;
}

}  // namespace mkc
