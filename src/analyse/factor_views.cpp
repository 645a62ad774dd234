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

Matrix centred_rows(const Matrix& F) { return F.rowwise() - F.colwise().mean(); }

// tr(HKH) / N of K = F F' + diag(e).
double variance_of(const Matrix& F, const Vector& extra) {
  const auto n = static_cast<double>(F.rows());
  return (F.squaredNorm() + extra.sum()) / n -
         (F.colwise().mean().squaredNorm() + extra.sum() / (n * n));
}

// Leading eigenvectors of B'B (q, d) and its eigenvalues, descending, without rounding errors.
linalg::Eigh leading_axes(const Matrix& B, Index d) {
  const linalg::Eigh found = linalg::eigh(linalg::gram_of_columns(B));
  const Index q = B.cols();
  Index count = 0;
  while (count < std::min(d, q) &&
         found.values(q - 1 - count) > rank_tolerance * std::max(found.values(q - 1), 0.0))
    ++count;
  return {found.values.tail(count).reverse(), found.vectors.rightCols(count).rowwise().reverse()};
}

Embedding kernel_pca(const FactorViews& views, Index d) {
  const auto M = static_cast<Index>(views.views.size());
  const CombinedFactors all = M == 1 ? combine_factors(views, Vector::Ones(1), false)
                                     : combine_factors(views, equal_weights(M));
  const Matrix F = centred_rows(all.features);
  const linalg::Eigh axes = leading_axes(F, d);
  const double trace = static_cast<double>(F.rows()) * variance_of(all.features, all.extra);
  return {EmbedMethod::kernel_pca, with_fixed_signs(linalg::multiply(F, axes.vectors)),
          axes.values / trace};
}

// sum_m C (C + r_m I)^-1 / M of C = F F' is B B' with B_m = F (F'F + r_m I)^-1/2 / sqrt(M).
Embedding latent_axes(const FactorViews& views, Index d) {
  const std::size_t M = views.views.size();
  if (M < 2)
    throw InputError("latent axes are what several views share; there is one kernel",
                     {{"method", "kernel-pca", "suits one kernel"}});
  Index columns = 0;
  for (const Matrix& F : views.features) columns += F.cols();
  Matrix B(views.features.front().rows(), columns);
  columns = 0;
  for (const Matrix& given : views.features) {
    const Matrix F = centred_rows(given);
    const linalg::Eigh pairs = linalg::eigh(linalg::gram_of_columns(F));
    const double largest = std::max(pairs.values.maxCoeff(), 0.0);
    const Vector values = (pairs.values.cwiseMax(0).array() + ridge_share * largest).rsqrt() /
                          std::sqrt(static_cast<double>(M));
    if (largest > 0)
      B.middleCols(columns, F.cols()) = linalg::multiply(F, pairs.vectors * values.asDiagonal());
    else
      B.middleCols(columns, F.cols()).setZero();
    columns += F.cols();
  }
  const linalg::Eigh axes = leading_axes(B, d);
  const double n = static_cast<double>(B.rows());
  return {EmbedMethod::latent,
          with_fixed_signs(linalg::multiply(
              B, axes.vectors * (axes.values.cwiseInverse() * n).cwiseSqrt().asDiagonal())),
          axes.values};
}

void check(const FactorViews& views) {
  if (views.views.empty() || views.samples.size() < 2)
    throw InputError("there are no views of two samples or more");
  for (std::size_t m = 0; m < views.views.size(); ++m)
    if (!views.features[m].allFinite() || !views.extra.col(static_cast<Index>(m)).allFinite())
      throw InputError(fmt::format("view '{}': its factors are not finite", views.views[m]));
}

// The kernels of some samples.
std::vector<Matrix> kernels_of(const FactorViews& views, const Indices& rows) {
  std::vector<Matrix> kernels;
  for (std::size_t m = 0; m < views.views.size(); ++m) {
    kernels.push_back(linalg::gram_of_rows(views.features[m](rows, Eigen::all)));
    kernels.back().diagonal() += views.extra.col(static_cast<Index>(m))(rows);
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

CombinedFactors combine_factors(const FactorViews& views, const Vector& weights, bool scale) {
  check(views);
  const Index N = std::ssize(views.samples), M = std::ssize(views.views);
  CombinedFactors all{{}, Vector::Zero(N), Vector(M), weights};
  Index columns = 0;
  for (Index m = 0; m < M; ++m) {
    const Matrix& F = views.features[at(m)];
    all.variances(m) = variance_of(F, views.extra.col(m));
    columns += F.cols();
    if (!scale || weights(m) == 0) continue;
    const double largest = F.rowwise().squaredNorm().maxCoeff();
    if (!(all.variances(m) > 1e-12 * largest))
      throw InputError(
          fmt::format("view '{}': all rows of its kernel are equal, so it has no variance to "
                      "scale by",
                      views.views[at(m)]),
          "leave the view out");
    all.factors(m) /= all.variances(m);
  }
  all.features.resize(N, columns);
  columns = 0;
  for (Index m = 0; m < M; ++m) {
    const Matrix& F = views.features[at(m)];
    all.features.middleCols(columns, F.cols()) = std::sqrt(all.factors(m)) * F;
    all.extra += all.factors(m) * views.extra.col(m);
    columns += F.cols();
  }
  return all;
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
  const Matrix near = combined.features(chosen, Eigen::all);
  const Vector lengths = near.rowwise().squaredNorm() + combined.extra(chosen);
  parallel_for((N + tile - 1) / tile, options.threads, [&](Index t) {
    const Index first = t * tile, count = std::min(tile, N - first);
    // |x - y|^2 less |x|^2, which is the same for all y
    Matrix distances = -2 * linalg::multiply_nt(near, combined.features.middleRows(first, count));
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
