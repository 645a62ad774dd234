#pragma once

#include <cmath>

#include "base/random.hpp"
#include "mkc/base/types.hpp"

namespace mkc {

/// Two views of samples in groups `distance` apart: rbf kernels of 8 noisy features each, 3 of
/// which know the group. A distance of 0 leaves noise.
struct GroupedKernels {
  Strings samples, views = {"a", "b"};
  Indices groups;
  std::vector<Matrix> features;  // (n, 8) each
  std::vector<Matrix> kernels;

  GroupedKernels(Index n, Index n_groups, double distance, std::uint64_t seed = 1) {
    for (Index i = 0; i < n; ++i) {
      samples.push_back("s" + std::to_string(i));
      groups.push_back(i % n_groups);
    }
    for (const auto& view : views) {
      Matrix X(n, 8);
      for (Index i = 0; i < n; ++i) {
        Random noise(seed, samples[at(i)], view);
        Random place(seed, "group " + std::to_string(groups[at(i)]), view);
        for (Index j = 0; j < 8; ++j)
          X(i, j) = noise.normal() + (j < 3 ? distance * place.normal() : 0);
      }
      kernels.push_back(rbf(X));
      features.push_back(std::move(X));
    }
  }

  static Matrix rbf(const Matrix& X) {
    const Vector squares = X.rowwise().squaredNorm();
    Matrix D = -2 * X * X.transpose();
    D.colwise() += squares;
    D.rowwise() += squares.transpose();
    Matrix K = (-D.array() / (2 * static_cast<double>(X.cols()))).exp();
    K.diagonal().setOnes();
    return (K + K.transpose()) / 2;
  }
};

}  // namespace mkc
