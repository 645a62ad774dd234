#pragma once

#include <cstdint>

#include "mkc/base/types.hpp"

namespace mkc {

/// Kernels of Gaussian samples without clusters that have the covariance of the given ones, within
/// and between views. With C_m the centred Gram matrix of view m and V (N, r) the leading
/// eigenvectors of the mean of the C_m, each of trace one, the Gram matrix becomes
///
///   G (V' C_m V) G' + rest I,   rest = (tr C_m - tr V'C_mV) / N,
///
/// where the columns of G (N, r) are Gaussian noise, centred and of length one: the directions and
/// lengths of the data, without the places that its samples have in them.
///
/// C_m is HK_mH. Where the diagonal of K_m is one constant c and -log(k_ij / c) is a squared
/// distance, as for rbf kernels, C_m is the Gram matrix of these distances d, and the new kernel is
/// c exp(-d): a cloud of samples on one line is curved in the space of an rbf kernel, and stays
/// so.
class ReferenceKernels {
 public:
  ReferenceKernels(const std::vector<Matrix>& kernels, Strings samples);

  /// Draws are keyed by seed and sample.
  std::vector<Matrix> draw(std::uint64_t seed) const;

 private:
  struct Part {
    Matrix covariance;  // V' C_m V (r, r)
    double rest = 0;
    double log_diagonal = 0;  // c where C_m is of -log k, else 0
  };
  Strings samples_;
  std::vector<Part> parts_;
};

}  // namespace mkc
