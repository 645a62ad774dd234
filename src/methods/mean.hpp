#pragma once

#include "mkc/methods/method.hpp"

namespace mkc {

struct MeanOptions {};

/// Entrywise mean of the other views that have the pair, scaled to the view's own mean:
///
///   k^_ij = mean_{l != m, i,j in I_l} k^(l)_ij * mean(K_II) / mean of the same on I x I,
///
/// and mean(K_II) for a pair that no other view has. Not PSD by itself; complete() makes it PSD.
Method mean_method();

}  // namespace mkc
