#pragma once

#include "methods/latent/latent_reading.hpp"

namespace mkc::latent {

struct CompletedView {
  Matrix kernel;
  Vector uncertainty;  // (missing) in the units of the kernel's diagonal
};

/// The kernel of a view from its reading. Kernel domain: K^ = A'K A with A = [I W], columns of W
/// scaled by the rule `length` where the diagonal is constant, what is left open added to the
/// diagonal. Log domain: the expected kernel E exp(-|x_i - x_j|^2), x_t normal around its
/// conditional mean with covariance a_t S. With w_k = 1 + 2 (a_i + a_j) s_k in the eigenbasis of S,
///   k^_ij = prod_k w_k^-1/2 exp(-sum_k (x_ik - x_jk)^2 / w_k).
/// An expectation of PSD matrices is PSD; observed entries are those of the input in both.
CompletedView completed_view(const Problem& problem, Index view, const ViewFeatures& features,
                             const Reading& reading, LatentLength length);

}  // namespace mkc::latent
