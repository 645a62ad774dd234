#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <utility>

#include "mkc/base/types.hpp"

namespace mkc::python {

namespace nb = nanobind;

/// A table of numbers in the memory of the caller, in any order of rows and columns.
using Table = nb::ndarray<const double, nb::ndim<2>, nb::device::cpu>;
using StridedMatrix =
    Eigen::Map<const Matrix, Eigen::Unaligned, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

/// The same memory as Eigen sees it.
inline StridedMatrix mapped(const Table& table) {
  return {table.data(),
          static_cast<Index>(table.shape(0)),
          static_cast<Index>(table.shape(1)),
          {static_cast<Index>(table.stride(1)), static_cast<Index>(table.stride(0))}};
}

/// What NumPy is handed; it owns the memory.
using Numbers = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using Array = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using Flags = nb::ndarray<nb::numpy, bool, nb::ndim<2>>;

/// Hands the values to NumPy without a copy. `transposed`: rows become columns; a symmetric matrix
/// is the same either way and then has its rows contiguous, as NumPy's users expect.
Array to_numpy(Matrix values, bool transposed = false);
inline Array symmetric_to_numpy(Matrix values) { return to_numpy(std::move(values), true); }
Numbers to_numpy(const Vector& values);
Flags to_numpy(const Mask& mask);

}  // namespace mkc::python
