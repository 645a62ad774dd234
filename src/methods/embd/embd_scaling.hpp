#pragma once

#include "methods/embd/embd.hpp"

namespace mkc {

/// What the losses of the embedding methods are multiplied by.
struct LossWeights {
  Vector within;       // (M) of the within-view loss of each view
  double between = 0;  // of the between-view loss, c1 included
  double l21 = 0;      // of the l2,1 norm, c2 included
};

/// unit: the within-view loss of A = 0 is 1 per view, the others are divided by N, so that c1 and
/// c2 mean the same at any N, M and kernel scale. paper: plain sums. released: as in the authors'
/// released code, divided by M n_m^2, M N and M. `form` selects the within-view loss.
LossWeights loss_weights(const Problem& problem, EmbeddingForm form, LossScaling scaling, double c1,
                         double c2);

}  // namespace mkc
