#pragma once

#include <memory>

#include "arrays.hpp"
#include "mkc/predict.hpp"

namespace mkc::python {

using NumbersIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline Vector vector_of(const NumbersIn& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

/// Rows, diagonals and estimated errors of new samples, as plain values.
/// `used`: what the model belongs to.
nb::dict predicted(const std::shared_ptr<const TrainedModel>& model, const Strings& new_samples,
                   std::vector<NewView> views, int threads, std::vector<nb::object> used = {});

}  // namespace mkc::python
