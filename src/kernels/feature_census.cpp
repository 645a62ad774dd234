#include "kernels/feature_census.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace mkc {

namespace {

constexpr std::size_t most_distinct = 13;
constexpr Index most_columns = 1000;     // that are sorted
constexpr Index most_sizes = 2'000'000;  // values whose sizes are sorted
constexpr double sum_tolerance = 0.02;
constexpr double nearly_all = 0.95;

using Values = std::vector<double>;

// Linear between the two nearest values.
double quantile(const Values& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double quantile_of(Values& values, double share) {
  std::sort(values.begin(), values.end());
  return quantile(values, share);
}

double deviation_of(const Values& sorted) {
  const auto n = static_cast<double>(sorted.size());
  double mean = 0, squares = 0;
  for (const double x : sorted) mean += x / n;
  for (const double x : sorted) squares += (x - mean) * (x - mean) / n;
  return std::sqrt(squares);
}

// Rows that have a value other than zero, or all rows where none has.
Indices rows_with_values(const MatrixRef& X) {
  Indices rows;
  for (Index i = 0; i < X.rows(); ++i)
    if ((X.row(i).array() != 0 && !X.row(i).array().isNaN()).any()) rows.push_back(i);
  if (!rows.empty()) return rows;
  for (Index i = 0; i < X.rows(); ++i) rows.push_back(i);
  return rows;
}

// The values of a column in these rows.
Values known(const MatrixRef& X, Index column, const Indices& rows) {
  Values values;
  for (const Index i : rows)
    if (!std::isnan(X(i, column))) values.push_back(X(i, column));
  return values;
}

// How many values equal the middle one, which more than half of them are where any value is.
double most_equal(Values& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return static_cast<double>(std::count(values.begin(), values.end(), *middle));
}

struct CellCounts {
  double cells = 0, zeros = 0, ones = 0;
};

void count_values(const Values& values, CellCounts& counts, std::set<double>& distinct,
                  FeatureCensus& census) {
  for (const double x : values) {
    counts.zeros += x == 0;
    counts.ones += x == 1;
    census.whole = census.whole && x == std::floor(x);
    census.low = std::min(census.low, x);
    census.high = std::max(census.high, x);
    if (distinct.size() < most_distinct) distinct.insert(x);
  }
  counts.cells += static_cast<double>(values.size());
}

void count_sums(const MatrixRef& X, const Indices& rows, FeatureCensus& census) {
  double of_1 = 0, of_100 = 0;
  census.smallest_sum = std::numeric_limits<double>::infinity();
  census.largest_sum = -census.smallest_sum;
  for (const Index i : rows) {
    double sum = 0;
    for (Index j = 0; j < X.cols(); ++j)
      if (!std::isnan(X(i, j))) sum += X(i, j);
    census.smallest_sum = std::min(census.smallest_sum, sum);
    census.largest_sum = std::max(census.largest_sum, sum);
    of_1 += std::fabs(sum - 1) < sum_tolerance;
    of_100 += std::fabs(sum / 100 - 1) < sum_tolerance;
  }
  census.sums_of_1 = of_1 / static_cast<double>(rows.size());
  census.sums_of_100 = of_100 / static_cast<double>(rows.size());
}

// What is asked of single columns.
struct Shapes {
  Values deviations, asymmetries, tails;

  void add(Values& values) {
    std::sort(values.begin(), values.end());
    deviations.push_back(deviation_of(values));
    const double middle = quantile(values, 0.5);
    const double above = quantile(values, 0.95) - middle, below = middle - quantile(values, 0.05);
    if (above > 0 || below > 0)
      asymmetries.push_back(above / std::max(below, above / most_asymmetry));
    const double inner = quantile(values, 0.75) - quantile(values, 0.25);
    if (inner > 0) tails.push_back((above + below) / inner);
  }
};

}  // namespace

FeatureCensus census_of(const MatrixRef& X) {
  FeatureCensus census;
  const Indices rows = rows_with_values(X);
  census.low = std::numeric_limits<double>::infinity();
  census.high = -census.low;
  CellCounts counts;
  std::set<double> distinct;
  Values sizes;
  Shapes shapes;
  const Index step = 1 + (X.cols() - 1) / most_columns;
  const Index size_step = 1 + X.size() / most_sizes;
  for (Index j = 0; j < X.cols(); ++j) {
    Values values = known(X, j, rows);
    if (values.empty()) continue;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (*least == *most) {
      ++census.constant;
      continue;
    }
    count_values(values, counts, distinct, census);
    census.nearly_constant += most_equal(values) >= nearly_all * static_cast<double>(values.size());
    if (census.columns % size_step == 0)
      for (const double x : values)
        if (x != 0) sizes.push_back(std::fabs(x));
    if (census.columns % step == 0) shapes.add(values);
    ++census.columns;
  }
  count_sums(X, rows, census);
  census.distinct = static_cast<Index>(distinct.size());
  census.zeros = counts.zeros / counts.cells;
  if (counts.zeros < counts.cells) census.ones = counts.ones / (counts.cells - counts.zeros);
  if (!sizes.empty()) {
    census.median_of_nonzero = quantile_of(sizes, 0.5);
    census.top_of_nonzero = quantile(sizes, 0.99);
  }
  if (!shapes.deviations.empty())
    census.unit_spread = quantile_of(shapes.deviations, 0.9) / quantile(shapes.deviations, 0.1);
  if (!shapes.asymmetries.empty()) census.asymmetry = quantile_of(shapes.asymmetries, 0.5);
  if (!shapes.tails.empty()) census.tails = quantile_of(shapes.tails, 0.5);
  return census;
}

}  // namespace mkc
