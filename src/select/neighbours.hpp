#pragma once

#include "mkc/problem/problem.hpp"

namespace mkc {

/// How far samples are from their nearest neighbours in every view (N, M): the logarithm of the
/// mean squared distance k_ii + k_jj - 2 k_ij to the three nearest, of mean 0 and variance 1 within
/// the view; NaN where a sample lacks it.
Matrix neighbour_distances(const Problem& problem);

/// The views that sample t has, without view m.
Indices other_views(const Mask& observed, Index t, Index m);

/// Mean of row `sample` over these views; 0 where there is none.
double mean_over(const Matrix& distances, Index sample, const Indices& views);

}  // namespace mkc
