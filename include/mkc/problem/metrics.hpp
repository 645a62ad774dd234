#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// A row of K with this norm or less counts as zero and has no relative error: 1e-6 of the root
/// mean square of all rows.
double zero_norm(const MatrixRef& K);

/// ||k^_t - k_t|| / ||k_t|| for every row t in `rows`; NaN where the true row is zero.
Vector relative_row_errors(const MatrixRef& truth, const MatrixRef& estimate, const Indices& rows);

/// Average relative error in percent (the paper's Eq. are): the mean of the above over rows whose
/// truth is not zero, times 100. NaN where there is no such row.
double average_relative_error(const MatrixRef& truth, const MatrixRef& estimate,
                              const Indices& rows);

/// The same with every ratio squared: what the authors' released code reports.
double average_relative_error_squared(const MatrixRef& truth, const MatrixRef& estimate,
                                      const Indices& rows);

/// The mean of the values that are not NaN; NaN where there is none.
double mean_of_known(const Vector& values);

/// Which of the two errors is meant.
enum class Measure { are, are_squared };

}  // namespace mkc
