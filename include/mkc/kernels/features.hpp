#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// Columns to mean 0 and standard deviation 1 (population: divided by n), learnt from some features
/// and applied to any. Constant columns become 0.
struct ColumnScaling {
  Vector mean, deviation;  // (d); deviation 0: the column was constant

  static ColumnScaling fit(const MatrixRef& X);  // (n, d)
  Matrix apply(const MatrixRef& X) const;
};

/// Features scaled by their own means and deviations.
Matrix zscore(const MatrixRef& X);  // (n, d)

/// What to do with single cells that have no value (NaN).
enum class NaPolicy {
  error,  // refuse them
  mean,   // fill with the mean of the column over the rows that have a value
  drop,   // drop the columns that have any
};

struct ResolvedFeatures {
  Matrix features;       // (n, number of kept columns), no NaN
  Indices kept_columns;  // ascending, columns of the input
  Index filled_cells = 0;
};

/// Features without NaN. With `mean`, a column without any value is dropped and a row without any
/// value is an InputError: it is a missing sample. The names (or none) are used in messages.
ResolvedFeatures resolve_missing_cells(const MatrixRef& X,                                 // (n, d)
                                       NaPolicy policy, const Strings& column_names = {},  // (d)
                                       const Strings& row_names = {});                     // (n)

}  // namespace mkc
