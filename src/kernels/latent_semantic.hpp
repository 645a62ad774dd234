#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// Cosine of the samples in their leading `components` directions: with X ~ U S V' truncated to
/// min(components, n, d) singular values, Z = U S, k_ij = z_i'z_j / (||z_i|| ||z_j||).
/// A sample without a part in these directions, such as a row of zeros, is an InputError.
Matrix latent_semantic_kernel(const MatrixRef& X,  // (n, d)
                              Index components, const Strings& names = {});

/// The directions themselves: V (d, k) of X ~ U S V', so that any features x have the latent row x
/// V.
Matrix latent_directions(const MatrixRef& X,  // (n, d)
                         Index components);

}  // namespace mkc
