#pragma once

#include "arrays.hpp"
#include "mkc/predict.hpp"

namespace mkc::python {

using NumbersIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline Vector vector_of(const NumbersIn& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

/// Rows, diagonals and estimated errors of new samples, as plain values.
nb::dict predicted(const TrainedModel& model, const Strings& new_samples,
                   const std::vector<NewView>& views, int threads);

}  // namespace mkc::python
