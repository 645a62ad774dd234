#include "methods/shared/source_kernel.hpp"

#include <algorithm>
#include <limits>

#include "numeric/exponential.hpp"

namespace mkc {

namespace {

constexpr double constant = 10;  // added to G of unit mean diagonal; any large value does
constexpr double tiny = std::numeric_limits<double>::min();

}  // namespace

double mean_distance(double trace, double sum, Index n) {
  const double count = static_cast<double>(n), pairs = std::max(1.0, count * (count - 1));
  // the difference of nearly equal numbers carries their rounding errors
  const double rounding = 1e-15 * trace / std::max(1.0, count);
  return std::max({2 * (count * trace - sum) / pairs, rounding, tiny});
}

void shape_column(const SourceShape& shape, double mean_distance, const double* diagonal,
                  double own, double* values, Index count) {
  if (shape.gamma > 0) {
    const double factor = -shape.gamma / mean_distance;
    for (Index i = 0; i < count; ++i) {
      const double distance = diagonal[i] + own - 2 * values[i];
      values[i] = factor * (distance > 0 ? distance : 0);
    }
    exponentials(values, count);
  }
  if (shape.intercept)
    for (Index i = 0; i < count; ++i) values[i] += constant;
}

SourceKernel::SourceKernel(Matrix P, const SourceShape& shape)
    : shape_(shape), diagonal_(P.diagonal()), G_(std::move(P)) {
  mean_distance_ = mean_distance(diagonal_.sum(), G_.sum(), G_.rows());
  for (Index j = 0; j < G_.cols(); ++j)
    shape_column(shape_, mean_distance_, diagonal_.data(), diagonal_(j), G_.col(j).data(),
                 G_.rows());
}

Matrix SourceKernel::columns(Matrix P_new, const Vector& own) const {
  for (Index j = 0; j < P_new.cols(); ++j)
    shape_column(shape_, mean_distance_, diagonal_.data(), own(j), P_new.col(j).data(),
                 P_new.rows());
  return P_new;
}

Vector SourceKernel::own(const Vector& p) const {
  Vector g = shape_.gamma > 0 ? Vector::Ones(p.size()) : p;
  if (shape_.intercept) g.array() += constant;
  return g;
}

}  // namespace mkc
