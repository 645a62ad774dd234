#include "mkc/kernels/features.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "kernels/checks.hpp"
#include "mkc/base/error.hpp"

namespace mkc {

namespace {

constexpr double constant = 1e-14;  // a column whose values differ by rounding only

Indices columns_where(const Eigen::Array<bool, 1, Eigen::Dynamic>& keep) {
  Indices columns;
  for (Index j = 0; j < keep.size(); ++j)
    if (keep(j)) columns.push_back(j);
  return columns;
}

void refuse_missing(const MatrixRef& X, const Mask& missing, const Strings& column_names,
                    const Strings& row_names) {
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j)
      if (missing(i, j))
        throw InputError(
            fmt::format("features: {}, {} has no value (cells without a value: {} of {} x {})",
                        detail::sample_label(row_names, i), detail::column_label(column_names, j),
                        missing.count(), X.rows(), X.cols()),
            {{"na_features", "mean", "fills such cells"},
             {"na_features", "drop", "leaves their columns out"}});
}

ResolvedFeatures keep_columns(const MatrixRef& X, Indices columns, const char* reason) {
  if (columns.empty())
    throw InputError(
        fmt::format("features: all {} columns are dropped, each has {}", X.cols(), reason),
        {{"na_features", "mean", "fills such cells"}});
  Matrix kept = X(Eigen::all, columns);
  return {std::move(kept), std::move(columns), 0};
}

void refuse_empty_rows(const Mask& missing, const Strings& row_names) {
  for (Index i = 0; i < missing.rows(); ++i)
    if (missing.row(i).all())
      throw InputError(
          fmt::format("features: {} has no value at all", detail::sample_label(row_names, i)),
          "it is a missing sample of this view: leave it out of the features");
}

ResolvedFeatures fill_with_column_means(const MatrixRef& X, const Mask& missing) {
  ResolvedFeatures result =
      keep_columns(X, columns_where(!missing.colwise().all()), "no value at all");
  for (Index k = 0; k < result.features.cols(); ++k) {
    auto column = result.features.col(k);
    const auto without_value = missing.col(result.kept_columns[at(k)]);
    const Index count = without_value.count();
    if (count == 0) continue;
    const double sum = without_value.select(0.0, column.array()).sum();
    const double mean = sum / static_cast<double>(X.rows() - count);
    column = without_value.select(mean, column.array()).matrix();
    result.filled_cells += count;
  }
  return result;
}

}  // namespace

ColumnScaling ColumnScaling::fit(const MatrixRef& X) {
  ColumnScaling scaling{Vector::Zero(X.cols()), Vector::Zero(X.cols())};
  if (X.rows() == 0) return scaling;
  const double root_n = std::sqrt(static_cast<double>(X.rows()));
  for (Index j = 0; j < X.cols(); ++j) {
    scaling.mean(j) = X.col(j).mean();
    const double range = X.col(j).maxCoeff() - X.col(j).minCoeff();
    if (range > constant * X.col(j).cwiseAbs().maxCoeff())
      scaling.deviation(j) = (X.col(j).array() - scaling.mean(j)).matrix().stableNorm() / root_n;
  }
  return scaling;
}

Matrix ColumnScaling::apply(const MatrixRef& X) const {
  Matrix Z = X;
  for (Index j = 0; j < Z.cols(); ++j) {
    if (deviation(j) == 0)
      Z.col(j).setZero();
    else
      Z.col(j) = (Z.col(j).array() - mean(j)) / deviation(j);
  }
  return Z;
}

Matrix zscore(const MatrixRef& X) { return ColumnScaling::fit(X).apply(X); }

ResolvedFeatures resolve_missing_cells(const MatrixRef& X, NaPolicy policy,
                                       const Strings& column_names, const Strings& row_names) {
  const Mask missing = X.array().isNaN();
  if (!missing.any()) {
    Indices all(static_cast<std::size_t>(X.cols()));
    std::iota(all.begin(), all.end(), Index{0});
    return {X, std::move(all), 0};
  }
  if (policy == NaPolicy::error) refuse_missing(X, missing, column_names, row_names);
  if (policy == NaPolicy::drop)
    return keep_columns(X, columns_where(!missing.colwise().any()), "a cell without a value");
  refuse_empty_rows(missing, row_names);
  return fill_with_column_means(X, missing);
}

}  // namespace mkc
