#pragma once

#include <cstdint>

#include "mkc/base/types.hpp"

namespace mkc {

/// Samples in k clusters: k-means on the rows, scaled to length one, of the k leading eigenvectors
/// of K, which is kernel k-means with its indicator matrix relaxed to an orthogonal one. The best
/// of 20 starts.
Indices spectral_clusters(const MatrixRef& K, Index k, const Strings& samples, std::uint64_t seed);

/// The same where the eigenvectors are known.
Indices clusters_of_rows(const MatrixRef& vectors,  // (n, k)
                         const Strings& samples, std::uint64_t seed, int starts);

/// Squared distances k_ii + k_jj - 2 k_ij between samples `rows` and `columns`, never negative.
Matrix kernel_distances(const MatrixRef& K, const Indices& rows, const Indices& columns);

/// Per row of `distances` the columns with the `count` smallest entries that are not NaN. Equal
/// entries are ordered by `order`, which follows the samples, not their positions.
std::vector<Indices> nearest_columns(const MatrixRef& distances, Index count, const Indices& order);

/// D^-1/2 W D^-1/2 with D the row sums; a row of zeros stays zero.
Matrix normalized_graph(Matrix W);

}  // namespace mkc
