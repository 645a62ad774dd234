#include "mkc/problem/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mkc {

double mean_of_known(const Vector& values) {
  double sum = 0;
  Index count = 0;
  for (const double value : values)
    if (!std::isnan(value)) {
      sum += value;
      ++count;
    }
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

double zero_norm(const MatrixRef& K) {
  return 1e-6 * K.norm() / std::sqrt(static_cast<double>(std::max<Index>(1, K.cols())));
}

Vector relative_row_errors(const MatrixRef& truth, const MatrixRef& estimate, const Indices& rows) {
  Vector errors(static_cast<Index>(rows.size()));
  const double zero = zero_norm(truth);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double norm = truth.col(rows[i]).norm();
    errors(static_cast<Index>(i)) =
        norm <= zero ? std::numeric_limits<double>::quiet_NaN()
                     : (estimate.col(rows[i]) - truth.col(rows[i])).norm() / norm;
  }
  return errors;
}

double average_relative_error(const MatrixRef& truth, const MatrixRef& estimate,
                              const Indices& rows) {
  return 100 * mean_of_known(relative_row_errors(truth, estimate, rows));
}

double average_relative_error_squared(const MatrixRef& truth, const MatrixRef& estimate,
                                      const Indices& rows) {
  return 100 * mean_of_known(relative_row_errors(truth, estimate, rows).cwiseAbs2());
}

}  // namespace mkc
