#pragma once

#include "mkc/problem/label_types.hpp"

namespace mkc {

/// Numbers in groups of samples: how far the groups differ.
struct KruskalWallis {
  double statistic = 0;  // H, of the ranks, corrected for ties
  Index degrees = 0;     // groups with numbers, less one
  double p = 1;          // the chance of such a statistic where all groups are alike
  double eta2 = 0;       // share of the variance of the numbers that is between groups
  Indices samples;       // per group, with a number
  Vector median;         // per group; NaN where it is empty
};

/// `group` (N) is 0 ... n_groups - 1, or -1 for samples to leave out. Samples without a number are
/// left out, too.
KruskalWallis kruskal_wallis(const Numbers& numbers, const Indices& group, Index n_groups);

}  // namespace mkc
