#pragma once

#include <cstdint>
#include <optional>

#include "mkc/factor/source.hpp"
#include "mkc/kernels/features.hpp"

namespace mkc::factor {

/// Rows of a table as a kernel sees them.
struct Points {
  Matrix numbers;  // (n, d) prepared; of a kernel: (n, L) its columns of the landmarks
  Matrix words;    // (n, c) codes of words

  Index size() const { return std::max(numbers.rows(), words.rows()); }
  Points rows(const Indices& which) const;
};

/// phi(x) in R^r with phi(x)'phi(y) close to k(x, y), learnt on a sample and applied to any rows.
///
/// linear, cosine and lsk: phi = V'x with V the leading eigenvectors of the second moments of the
/// sample, exact but for the cut to r. Others: with landmarks L, phi = T'k_L(x) with
/// T = K_LL^-1/2 V, V likewise. Both are turned to the principal axes of the sample, so that
/// leading features carry the most variance.
struct FeatureMap {
  KernelOptions options;  // nothing automatic
  FeatureTransform transform;
  std::optional<ColumnScaling> scaling;
  Matrix directions;   // lsk: (d, k)
  Vector fill;         // (columns) what a cell without a value becomes; empty: it is an error
  Indices categories;  // columns of words
  Points landmarks;    // empty: linear in the points
  Indices columns;     // of a kernel: rows of the landmarks
  Matrix projection;   // (d or L, r)

  bool linear() const;
  bool of_kernel() const { return options.kernel == KernelKind::precomputed; }
  Index rank() const { return projection.cols(); }

  /// Of a table (n, columns), or of the landmarks' columns of a kernel (n, L). Rows are all there.
  Points points(const MatrixRef& X, const Strings& names) const;
  Matrix kernel(const Points& a, const Points& b) const;  // k, exactly; not of a kernel
  Vector diagonal(const Points& a) const;                 // not of a kernel
  Matrix features(const Points& a) const;                 // (n, r)
};

/// What the features of the sample leave out.
struct LearntMap {
  FeatureMap map;
  Matrix features;         // (n, r) of the sample
  double trace_error = 0;  // 1 - mean |phi|^2 / mean k_ii
};

struct MapSize {
  Index rank;
  Index landmarks;
};

/// From the rows X (n, columns) of a sample, in an order that does not depend on that of the input.
/// At most 2,048 of them, the first, are candidates for landmarks.
LearntMap learn_map(const SourceView& view, const MatrixRef& X, const MapSize& size,
                    std::uint64_t seed, const Strings& names);

/// The same of a kernel: K (n, c) between the sample and its first c rows, `own` (n) its diagonal,
/// `rows` (c) the rows of the input.
LearntMap learn_map_of_kernel(const SourceView& view, const MatrixRef& K, const Vector& own,
                              const Indices& rows, const MapSize& size, std::uint64_t seed);

/// Positions of at most `count` landmarks of K (n, n), by randomly pivoted Cholesky: each is drawn
/// with a probability proportional to what the ones before leave open of its diagonal entry (Chen,
/// Epperly, Tropp and Webber 2023). It ends where nothing is left open.
Indices draw_landmarks(Matrix K, Index count, std::uint64_t seed, std::string_view key);

constexpr Index most_candidates = 2048;

}  // namespace mkc::factor
