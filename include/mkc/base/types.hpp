#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

namespace mkc {

using Index = Eigen::Index;
using Matrix = Eigen::MatrixXd;  // column-major
using Vector = Eigen::VectorXd;
using Mask = Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic>;

/// Read-only and writable views of a column-major matrix or of a block of one: no copies.
using MatrixRef = Eigen::Ref<const Matrix, 0, Eigen::OuterStride<>>;
using MutableMatrixRef = Eigen::Ref<Matrix, 0, Eigen::OuterStride<>>;

using Indices = std::vector<Index>;
using Strings = std::vector<std::string>;

/// An Eigen index as one of a std::vector.
inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

}  // namespace mkc
