#pragma once

#include <Eigen/Core>
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

}  // namespace mkc
