#pragma once

#include <optional>

#include "mkc/kernels/features.hpp"
#include "mkc/kernels/kernel_options.hpp"

namespace mkc {

/// Features as a kernel sees them, with what was learnt on the way.
struct PreparedFeatures {
  FeatureTransform transform;
  std::optional<ColumnScaling> scaling;  // where the kernel scales columns
  Matrix points;                         // (n, d)
};

/// Transforms X, then scales its columns. `options` are settled: only gamma may be automatic.
PreparedFeatures prepare_features(const MatrixRef& X, const KernelOptions& options,
                                  const Strings& names, const Strings& columns = {});

/// The kernel of prepared features.
ComputedKernel kernel_of_points(const Matrix& points, const KernelOptions& options,
                                const Strings& names);

/// Columns of numbers and columns of categories; `categories` ascending.
struct ColumnsByKind {
  Indices numbers, categories;
};
ColumnsByKind columns_by_kind(Index columns, const Indices& categories);

/// OptionError for a kernel without a unit diagonal: the similarities of words are from 0 to 1.
void check_goes_with_words(const KernelOptions& options);

/// (d_1 K_1 + d_2 K_2) / (d_1 + d_2): the kernel of d_1 columns of numbers and that of d_2 columns
/// of categories, both with a unit diagonal, weighted by their numbers of columns.
void add_categories(Matrix& K, Index numbers, const Matrix& words);

}  // namespace mkc
