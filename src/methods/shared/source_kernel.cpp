#include "methods/shared/source_kernel.hpp"

#include <algorithm>
#include <limits>

namespace mkc {

namespace {

constexpr double constant = 10;  // added to G of unit mean diagonal; any large value does
constexpr double tiny = std::numeric_limits<double>::min();

}  // namespace

SourceKernel::SourceKernel(Matrix P, const SourceShape& shape) : shape_(shape), G_(std::move(P)) {
  if (shape.gamma > 0) {
    diagonal_ = G_.diagonal();
    G_ *= -2;
    G_.rowwise() += diagonal_.transpose();
    G_.colwise() += diagonal_;
    G_ = G_.cwiseMax(0);
    const double n = static_cast<double>(G_.rows());
    mean_distance_ = std::max(G_.sum() / std::max(1.0, n * (n - 1)), tiny);
    G_ = (G_.array() * (-shape.gamma / mean_distance_)).exp();
  }
  if (shape.intercept) G_.array() += constant;
}

Matrix SourceKernel::columns(Matrix P_new, const Vector& own) const {
  if (shape_.gamma > 0) {
    P_new *= -2;
    P_new.rowwise() += own.transpose();
    P_new.colwise() += diagonal_;
    P_new = (P_new.array().max(0) * (-shape_.gamma / mean_distance_)).exp();
  }
  if (shape_.intercept) P_new.array() += constant;
  return P_new;
}

Vector SourceKernel::own(const Vector& p) const {
  Vector g = shape_.gamma > 0 ? Vector::Ones(p.size()) : p;
  if (shape_.intercept) g.array() += constant;
  return g;
}

}  // namespace mkc
