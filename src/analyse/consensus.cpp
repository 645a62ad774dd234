#include "analyse/consensus.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyse/spectral.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc {

namespace {

constexpr int starts = 20;

// Z (n, R k): one indicator column per cluster of every partition, so that Z Z' / R = M.
Matrix indicators(const std::vector<Indices>& partitions, Index k) {
  Matrix Z = Matrix::Zero(static_cast<Index>(partitions.front().size()),
                          static_cast<Index>(partitions.size()) * k);
  for (std::size_t r = 0; r < partitions.size(); ++r)
    for (std::size_t i = 0; i < partitions[r].size(); ++i)
      Z(static_cast<Index>(i), static_cast<Index>(r) * k + partitions[r][i]) = 1;
  return Z;
}

// The k leading eigenvectors of D^-1/2 Z Z' D^-1/2, from those of the small matrix Z' D^-1 Z.
Matrix leading_vectors(const Matrix& Z, Index k) {
  const Vector degrees = Z * Z.colwise().sum().transpose();
  const Matrix scaled = degrees.cwiseSqrt().cwiseInverse().asDiagonal() * Z;
  const linalg::Eigh small = linalg::eigh_largest(linalg::gram_of_columns(scaled), k);
  return linalg::multiply(scaled, small.vectors);  // columns of any length: rows are scaled later
}

// Numbers the clusters by size, then by the name of their first sample in the alphabet.
Indices renumbered(const Indices& clusters, Index k, const Strings& samples) {
  std::vector<std::pair<Index, std::string>> keys(static_cast<std::size_t>(k));
  for (std::size_t i = 0; i < clusters.size(); ++i) {
    auto& [size, first] = keys[at(clusters[i])];
    if (size == 0 || samples[i] < first) first = samples[i];
    ++size;
  }
  Indices order(static_cast<std::size_t>(k)), position(static_cast<std::size_t>(k));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return keys[at(a)].first != keys[at(b)].first ? keys[at(a)].first > keys[at(b)].first
                                                  : keys[at(a)].second < keys[at(b)].second;
  });
  for (std::size_t p = 0; p < order.size(); ++p) position[at(order[p])] = static_cast<Index>(p);
  Indices result;
  for (const Index c : clusters) result.push_back(position[at(c)]);
  return result;
}

// p(i, c), 0 for a cluster that has no other sample.
Matrix association(const Matrix& Z, const Indices& clusters, Index k, double partitions) {
  Matrix members = Matrix::Zero(Z.rows(), k);
  for (std::size_t i = 0; i < clusters.size(); ++i) members(static_cast<Index>(i), clusters[i]) = 1;
  Matrix p = linalg::multiply(Z, linalg::multiply_tn(Z, members)) / partitions;
  const Vector sizes = members.colwise().sum();
  for (Index i = 0; i < p.rows(); ++i)
    for (Index c = 0; c < k; ++c) {
      const double own = members(i, c), others = sizes(c) - own;
      p(i, c) = others > 0 ? (p(i, c) - own) / others : own;
    }
  return p;
}

}  // namespace

Consensus consensus_of(const std::vector<Indices>& partitions, Index k, const Strings& samples,
                       std::uint64_t seed) {
  const Matrix Z = indicators(partitions, k);
  // The scale of a column matters to no row's direction only where all are equal, so columns are
  // brought to length one.
  const Matrix vectors = leading_vectors(Z, k).colwise().normalized();
  Consensus result;
  result.of_sample = renumbered(clusters_of_rows(vectors, samples, seed, starts), k, samples);
  const Matrix p = association(Z, result.of_sample, k, static_cast<double>(partitions.size()));
  result.strength.resize(p.rows());
  result.next_strength = Vector::Zero(p.rows());
  result.next.assign(result.of_sample.size(), -1);
  for (Index i = 0; i < p.rows(); ++i) {
    const Index own = result.of_sample[at(i)];
    result.strength(i) = p(i, own);
    for (Index c = 0; c < k; ++c)
      if (c != own && (result.next[at(i)] < 0 || p(i, c) > result.next_strength(i))) {
        result.next[at(i)] = c;
        result.next_strength(i) = p(i, c);
      }
  }
  return result;
}

}  // namespace mkc
