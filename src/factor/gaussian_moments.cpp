#include "factor/gaussian_moments.hpp"

#include "numeric/linalg/blas.hpp"
#include "problem/view_patterns.hpp"

namespace mkc::factor {

namespace {

// The leading features that these samples have, side by side (count, o).
Matrix side_by_side(const Rows& rows, const ViewPattern& pattern, const Indices& widths) {
  Index columns = 0;
  for (std::size_t m = 0; m < pattern.has.size(); ++m)
    if (pattern.has[m]) columns += widths[m];
  Matrix X(std::ssize(pattern.samples), columns);
  Index first = 0;
  for (std::size_t m = 0; m < pattern.has.size(); ++m)
    if (pattern.has[m]) {
      X.middleCols(first, widths[m]) = rows.features[m](pattern.samples, Eigen::seqN(0, widths[m]));
      first += widths[m];
    }
  return X;
}

}  // namespace

void GaussianMoments::add(const Rows& rows, const Indices& widths) {
  GaussianMoments own;
  const Index M = rows.n_views();
  own.counts = own.squares = Vector::Zero(M);
  for (Index m = 0; m < M; ++m) {
    const Matrix& F = rows.features[at(m)];
    own.totals.emplace_back(F.colwise().sum());
    own.counts(m) = static_cast<double>(rows.has.col(m).count());
    own.squares(m) = F.squaredNorm();
  }
  for (const ViewPattern& pattern : view_patterns(rows.has)) {
    const Matrix X = side_by_side(rows, pattern, widths);
    own.patterns[pattern.has] = {static_cast<double>(X.rows()), X.colwise().sum(),
                                 linalg::gram_of_columns(X)};
  }
  add(own);
}

void GaussianMoments::add(const GaussianMoments& other) {
  if (totals.empty()) {
    *this = other;
    return;
  }
  for (std::size_t m = 0; m < totals.size(); ++m) totals[m] += other.totals[m];
  counts += other.counts;
  squares += other.squares;
  for (const auto& [has, sums] : other.patterns) {
    const auto [place, fresh] = patterns.try_emplace(has, sums);
    if (fresh) continue;
    place->second.count += sums.count;
    place->second.sum += sums.sum;
    place->second.second += sums.second;
  }
}

}  // namespace mkc::factor
