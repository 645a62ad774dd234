#include "mkc/analyse/factor_views.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "mkc/base/error.hpp"
#include "mkc/combine.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"
#include "numeric/signs.hpp"

namespace mkc {

namespace {

constexpr double ridge_share = 0.1;  // of the largest eigenvalue, as in embed() of kernels
constexpr double rank_tolerance = 1e-10;
constexpr Index neighbours = 10;
constexpr Index tile = 2048;

Indices rows_from(Index first, Index count) {
  Indices rows(at(count));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

// Features of all views, one below the other (sum_m r_m, rows).
Matrix stacked(const FactorViews& views, const Indices& rows) {
  Matrix all(std::accumulate(views.ranks.begin(), views.ranks.end(), Index{0}), std::ssize(rows));
  Index row = 0;
  for (Index m = 0; m < std::ssize(views.views); ++m) {
    all.middleRows(row, views.ranks[at(m)]) = views.features(m, rows);
    row += views.ranks[at(m)];
  }
  return all;
}

// A number per view for each of its rows in stacked().
Vector spread_out(const FactorViews& views, const Vector& of_view) {
  std::vector<double> all;
  for (std::size_t m = 0; m < views.ranks.size(); ++m)
    all.insert(all.end(), at(views.ranks[m]), of_view(static_cast<Index>(m)));
  return Eigen::Map<Vector>(all.data(), std::ssize(all));
}

void for_tiles(Index n, const std::function<void(Index first, Index count)>& work) {
  for (Index first = 0; first < n; first += tile) work(first, std::min(tile, n - first));
}

// Sums over all samples, of features and of each view.
struct Sums {
  Vector mean;              // (sum_m r_m)
  Vector squares, largest;  // (M) sum and maximum of |row|^2
};

Sums sums_of(const FactorViews& views) {
  const Index N = std::ssize(views.samples), M = std::ssize(views.views);
  Sums sums{Vector::Zero(spread_out(views, Vector::Ones(M)).size()), Vector::Zero(M),
            Vector::Zero(M)};
  for_tiles(N, [&](Index first, Index count) {
    const Matrix X = stacked(views, rows_from(first, count));
    sums.mean += X.rowwise().sum();
    Index row = 0;
    for (Index m = 0; m < M; ++m) {
      const Vector squares =
          X.middleRows(row, views.ranks[at(m)]).colwise().squaredNorm().transpose();
      if (!squares.allFinite())
        throw InputError(fmt::format("view '{}': its factors are not finite", views.views[at(m)]));
      sums.squares(m) += squares.sum();
      sums.largest(m) = std::max(sums.largest(m), squares.maxCoeff());
      row += views.ranks[at(m)];
    }
  });
  sums.mean /= static_cast<double>(N);
  return sums;
}

// tr(HKH) / N of each K = F F' + diag(e).
Vector variances_of(const FactorViews& views, const Sums& sums) {
  const auto n = static_cast<double>(views.samples.size());
  Vector variances(sums.squares.size());
  Index row = 0;
  for (Index m = 0; m < variances.size(); ++m) {
    const double extra = views.extra.col(m).sum();
    variances(m) = (sums.squares(m) + extra) / n -
                   (sums.mean.segment(row, views.ranks[at(m)]).squaredNorm() + extra / (n * n));
    row += views.ranks[at(m)];
  }
  return variances;
}

// f_m of combine_kernels(), w_m divided by the variance.
Vector scaled(const FactorViews& views, const Sums& sums, const Vector& variances,
              const Vector& weights) {
  Vector factors = weights;
  for (Index m = 0; m < factors.size(); ++m) {
    if (weights(m) == 0) continue;
    if (!(variances(m) > 1e-12 * sums.largest(m)))
      throw InputError(
          fmt::format("view '{}': all rows of its kernel are equal, so it has no variance to "
                      "scale by",
                      views.views[at(m)]),
          "leave the view out");
    factors(m) /= variances(m);
  }
  return factors;
}

// Second moments of all features around their means, times N.
Matrix centred_gram(const FactorViews& views, const Vector& mean) {
  Matrix gram = Matrix::Zero(mean.size(), mean.size());
  for_tiles(std::ssize(views.samples), [&](Index first, Index count) {
    gram += linalg::gram_of_rows(stacked(views, rows_from(first, count)).colwise() - mean);
  });
  return gram;
}

// (x - mean)' A of every row x.
Matrix projected(const FactorViews& views, const Vector& mean, const Matrix& A) {
  Matrix all(std::ssize(views.samples), A.cols());
  for_tiles(all.rows(), [&](Index first, Index count) {
    all.middleRows(first, count) =
        linalg::multiply_tn(stacked(views, rows_from(first, count)).colwise() - mean, A);
  });
  return all;
}

// Leading eigenvectors of B'B (q, d) and its eigenvalues, descending, without rounding errors.
linalg::Eigh leading_axes(const Matrix& gram, Index d) {
  const linalg::Eigh found = linalg::eigh(gram);
  const Index q = gram.cols();
  Index count = 0;
  while (count < std::min(d, q) &&
         found.values(q - 1 - count) > rank_tolerance * std::max(found.values(q - 1), 0.0))
    ++count;
  return {found.values.tail(count).reverse(), found.vectors.rightCols(count).rowwise().reverse()};
}

Embedding kernel_pca(const FactorViews& views, Index d) {
  const auto M = static_cast<Index>(views.views.size());
  const Sums sums = sums_of(views);
  const Vector variances = variances_of(views, sums),
               factors = M == 1 ? Vector(Vector::Ones(1))
                                : scaled(views, sums, variances, equal_weights(M)),
               roots = spread_out(views, factors.cwiseSqrt());
  const linalg::Eigh axes =
      leading_axes(roots.asDiagonal() * centred_gram(views, sums.mean) * roots.asDiagonal(), d);
  const double trace = static_cast<double>(views.samples.size()) * factors.dot(variances);
  return {EmbedMethod::kernel_pca,
          with_fixed_signs(projected(views, sums.mean, roots.asDiagonal() * axes.vectors)),
          axes.values / trace};
}

// sum_m C (C + r_m I)^-1 / M of C = F F' is B B' with B_m = F W_m, W_m = (F'F + r_m I)^-1/2 /
// sqrt(M).
Embedding latent_axes(const FactorViews& views, Index d) {
  const std::size_t M = views.views.size();
  if (M < 2)
    throw InputError("latent axes are what several views share; there is one kernel",
                     {{"method", "kernel-pca", "suits one kernel"}});
  const Sums sums = sums_of(views);
  const Matrix gram = centred_gram(views, sums.mean);
  Matrix W = Matrix::Zero(gram.rows(), gram.cols());
  Index first = 0;
  for (const Index r : views.ranks) {
    const linalg::Eigh pairs = linalg::eigh(gram.block(first, first, r, r));
    const double largest = std::max(pairs.values.maxCoeff(), 0.0);
    const Vector values = (pairs.values.cwiseMax(0).array() + ridge_share * largest).rsqrt() /
                          std::sqrt(static_cast<double>(M));
    if (largest > 0) W.block(first, first, r, r) = pairs.vectors * values.asDiagonal();
    first += r;
  }
  const Matrix shared = linalg::multiply_tn(W, linalg::multiply(gram, W));
  const linalg::Eigh axes = leading_axes((shared + shared.transpose()) / 2, d);
  const auto n = static_cast<double>(views.samples.size());
  const Matrix A =
      linalg::multiply(W, axes.vectors * (axes.values.cwiseInverse() * n).cwiseSqrt().asDiagonal());
  return {EmbedMethod::latent, with_fixed_signs(projected(views, sums.mean, A)), axes.values};
}

void check(const FactorViews& views) {
  if (views.views.empty() || views.samples.size() < 2)
    throw InputError("there are no views of two samples or more");
  for (std::size_t m = 0; m < views.views.size(); ++m)
    if (!views.extra.col(static_cast<Index>(m)).allFinite())
      throw InputError(fmt::format("view '{}': its factors are not finite", views.views[m]));
}

// The kernels of some samples.
std::vector<Matrix> kernels_of(const FactorViews& views, const Indices& rows) {
  std::vector<Matrix> kernels;
  for (Index m = 0; m < std::ssize(views.views); ++m) {
    const Matrix F = views.features(m, rows);
    if (!F.allFinite())
      throw InputError(fmt::format("view '{}': its factors are not finite", views.views[at(m)]));
    kernels.push_back(linalg::gram_of_columns(F));
    kernels.back().diagonal() += views.extra.col(m)(rows);
  }
  return kernels;
}

// The nearest of some samples: `distances` less what is the same for all of them.
Indices nearest(const Vector& distances) {
  Indices order(at(distances.size()));
  std::iota(order.begin(), order.end(), Index{0});
  const Index count = std::min(neighbours, distances.size());
  std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](Index a, Index b) {
    return std::pair(distances(a), a) < std::pair(distances(b), b);
  });
  order.resize(at(count));
  return order;
}

// Row i of `all` joins the clusters of its nearest samples.
void join(const Clustering& known, const Indices& near, Index i, Clustering& all) {
  Vector votes = Vector::Zero(known.clusters), strengths = votes;
  for (const Index j : near) {
    ++votes(known.of_sample[at(j)]);
    strengths(known.of_sample[at(j)]) += known.strength(j);
  }
  const auto count = static_cast<double>(near.size());
  Index best = 0, next = -1;
  const auto more = [&](Index a, Index b) {
    return std::pair(votes(a), strengths(a)) > std::pair(votes(b), strengths(b));
  };
  for (Index c = 1; c < known.clusters; ++c)
    if (more(c, best)) best = c;
  for (Index c = 0; c < known.clusters; ++c)
    if (c != best && votes(c) > 0 && (next < 0 || more(c, next))) next = c;
  all.of_sample[at(i)] = best;
  all.strength(i) = strengths(best) / count;
  all.next[at(i)] = next;
  all.next_strength(i) = next < 0 ? 0 : strengths(next) / count;
}

}  // namespace

Matrix CombinedFactors::features(const FactorViews& views, const Indices& rows) const {
  return spread_out(views, factors.cwiseSqrt()).asDiagonal() * stacked(views, rows);
}

Matrix CombinedFactors::features(const FactorViews& views, Index first, Index count) const {
  return features(views, rows_from(first, count));
}

CombinedFactors combine_factors(const FactorViews& views, const Vector& weights, bool scale) {
  check(views);
  const Sums sums = sums_of(views);
  const Vector variances = variances_of(views, sums);
  CombinedFactors all =
      with_factors(views, scale ? scaled(views, sums, variances, weights) : weights);
  all.variances = variances;
  return all;
}

CombinedFactors with_factors(const FactorViews& views, const Vector& factors) {
  return {{}, factors, views.extra * factors};
}

Embedding embed(const FactorViews& views, const EmbedOptions& options) {
  check(views);
  const Index n = std::ssize(views.samples);
  if (options.dimensions < 1 || options.dimensions > n - 1)
    throw OptionError(fmt::format("dimensions: {} of {} samples", options.dimensions, n),
                      fmt::format("from 1 to {}, one less than the samples", n - 1));
  if (options.method == EmbedMethod::diffusion)
    throw OptionError(fmt::format("diffusion needs the kernel of every pair of {} samples", n),
                      {{"method", "kernel-pca", "or latent works on factors"}});
  return options.method == EmbedMethod::latent ? latent_axes(views, options.dimensions)
                                               : kernel_pca(views, options.dimensions);
}

Clustering cluster(const FactorViews& views, const ClusterOptions& options, std::size_t most) {
  check(views);
  const Index N = std::ssize(views.samples);
  Indices everyone(at(N));
  std::iota(everyone.begin(), everyone.end(), Index{0});
  Indices chosen = rows_by_hash(views.samples, everyone, most, "samples that are clustered");
  std::sort(chosen.begin(), chosen.end());
  const Clustering known =
      cluster(kernels_of(views, chosen), views.views, picked(views.samples, chosen), options);
  if (std::ssize(chosen) == N) return known;
  Clustering all = known;
  all.of_sample.assign(at(N), 0);
  all.next.assign(at(N), -1);
  all.strength = all.next_strength = Vector::Zero(N);
  const CombinedFactors combined = combine_factors(views, equal_weights(std::ssize(views.views)));
  const Matrix near = combined.features(views, chosen);
  const Vector lengths = near.colwise().squaredNorm().transpose() + combined.extra(chosen);
  parallel_for((N + tile - 1) / tile, options.threads, [&](Index t) {
    const Index first = t * tile, count = std::min(tile, N - first);
    // |x - y|^2 less |x|^2, which is the same for all y
    Matrix distances = -2 * linalg::multiply_tn(near, combined.features(views, first, count));
    distances.colwise() += lengths;
    for (Index i = 0; i < count; ++i) join(known, nearest(distances.col(i)), first + i, all);
  });
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const auto from = static_cast<Index>(k);
    all.of_sample[at(chosen[k])] = known.of_sample[k];
    all.next[at(chosen[k])] = known.next[k];
    all.strength(chosen[k]) = known.strength(from);
    all.next_strength(chosen[k]) = known.next_strength(from);
  }
  all.notices.push_back(fmt::format(
      "clusters were found among {} samples; each of the others joins those nearest to it",
      chosen.size()));
  return all;
}

}  // namespace mkc
