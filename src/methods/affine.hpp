#pragma once

#include "mkc/methods/method.hpp"

namespace mkc {

enum class AffineWeights {
  equal,
  nnls,  // non-negative least squares of the view on the others, on its observed pairs
};

struct AffineOptions {
  AffineWeights weights = AffineWeights::equal;  // how much each of the other views counts
};

/// An affine map of the mean of the other views, entry by entry:
///
///   k^_ij = a p_ij + b,  p_ij = mean_{l != m, i,j in I_l} k^(l)_ij / mean diagonal of view l,
///
/// a >= 0 and b by least squares on the pairs i != j that view m has; the mean of these pairs for a
/// pair that no other view has. The diagonal is not fitted: it is that of expected_diagonals().
/// Not PSD by itself; complete() makes it PSD.
Method affine_method();

OptionTable<AffineOptions> affine_options();

}  // namespace mkc
