#pragma once

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "mkc/base/types.hpp"

/// Made-up tables (n, d) of the kinds that people have.
namespace mkc::test {

/// x_ij = f(i, j), column by column.
template <class Cell>
Matrix made_up(Index n, Index d, Cell f) {
  Matrix X(n, d);
  for (Index j = 0; j < d; ++j)
    for (Index i = 0; i < n; ++i) X(i, j) = f(i, j);
  return X;
}

inline Vector normals(Index n, Random& random, double mean = 0, double deviation = 1) {
  return Vector::NullaryExpr(n, [&] { return mean + deviation * random.normal(); });
}

/// How many of many rare events happen.
inline double poisson(double mean, Random& random) {
  if (mean > 50) return std::max(0.0, std::round(mean + std::sqrt(mean) * random.normal()));
  double count = -1;
  for (double product = 1; product > std::exp(-mean); ++count) product *= random.uniform();
  return std::max(0.0, count);
}

/// Reads of genes: means over five powers of ten, samples sequenced two times more or less deeply.
inline Matrix bulk_counts(Index n, std::uint64_t seed, Index d = 150) {
  Random random(seed);
  const Vector depth = normals(n, random, 0, 0.4), level = normals(d, random, 4.5, 2);
  return made_up(n, d, [&](Index i, Index j) {
    return poisson(std::exp(level(j) + depth(i) + 0.6 * random.normal()), random);
  });
}

/// Words in documents, or molecules in single cells: nearly all zero, then mostly one.
inline Matrix word_counts(Index n, std::uint64_t seed, Index d = 300) {
  Random random(seed);
  const Vector level = normals(d, random, -3.2, 1);
  Matrix X = made_up(n, d, [&](Index, Index j) {
    return poisson(std::exp(level(j) + 0.7 * random.normal()), random);
  });
  X(0, 0) = 6;
  for (Index i = 0; i < n; ++i)
    X(i, static_cast<Index>(random.below(static_cast<std::uint64_t>(d)))) += 1;
  return X;
}

/// tf-idf weights of such words, documents of length 1.
inline Matrix word_weights(Index n, std::uint64_t seed, Index d = 300) {
  Matrix X = word_counts(n, seed, d);
  for (Index j = 0; j < d; ++j)
    X.col(j) *= std::log((1.0 + static_cast<double>(n)) /
                         (1.0 + static_cast<double>((X.col(j).array() > 0).count()))) +
                1;
  for (Index i = 0; i < n; ++i) X.row(i) /= X.row(i).norm();
  return X;
}

/// Reads of species: most are absent from most places, some are there in masses.
inline Matrix species_counts(Index n, std::uint64_t seed, Index d = 120) {
  Random random(seed);
  const Vector level = normals(d, random, 2, 1.5);
  Matrix X = made_up(n, d, [&](Index, Index j) {
    return random.uniform() < 0.7 ? 0.0 : poisson(std::exp(level(j) + random.normal()), random);
  });
  X.col(0).array() += 3;
  return X;
}

/// Parts of a whole, every row with this sum.
inline Matrix shares(Index n, std::uint64_t seed, double sum, Index d = 12) {
  Random random(seed);
  Matrix X = made_up(n, d, [&](Index, Index) { return std::exp(random.normal()); });
  for (Index i = 0; i < n; ++i) X.row(i) *= sum / X.row(i).sum();
  return X;
}

inline Matrix zeros_and_ones(Index n, std::uint64_t seed, double ones, Index d = 60) {
  Random random(seed);
  Matrix X = made_up(n, d, [&](Index, Index) { return random.uniform() < ones ? 1.0 : 0.0; });
  X(0, 0) = 1;  // rows of different sums
  X(0, 1) = 1;
  return X;
}

/// Three questions with four answers each.
inline Matrix one_hot_answers(Index n, std::uint64_t seed) {
  Random random(seed);
  Matrix X = Matrix::Zero(n, 12);
  for (Index i = 0; i < n; ++i)
    for (Index question = 0; question < 3; ++question)
      X(i, 4 * question + static_cast<Index>(random.below(4))) = 1;
  return X;
}

/// Shares of methylated copies: most sites near 0 or near 1.
inline Matrix beta_values(Index n, std::uint64_t seed, Index d = 100) {
  Random random(seed);
  const Vector level = Vector::NullaryExpr(
      d, [&] { return (random.uniform() < 0.5 ? -1.5 : 1.5) + random.normal(); });
  return made_up(
      n, d, [&](Index, Index j) { return 1 / (1 + std::exp(-level(j) - 0.6 * random.normal())); });
}

/// Whole numbers from `low` to `high`, those in the middle more often.
inline Matrix steps(Index n, std::uint64_t seed, double low, double high, Index d = 20) {
  Random random(seed);
  return made_up(n, d, [&](Index, Index) {
    return std::clamp(std::round((low + high) / 2 + (high - low) / 3 * random.normal()), low, high);
  });
}

/// Every row holds the ranks of its values, from 1 to d.
inline Matrix ranks_of_rows(Index n, std::uint64_t seed, Index d = 25) {
  Random random(seed);
  const Vector level = normals(d, random);
  Matrix X(n, d);
  for (Index i = 0; i < n; ++i) {
    const Vector values = level + normals(d, random);
    for (Index j = 0; j < d; ++j)
      X(i, j) = 1 + static_cast<double>((values.array() < values(j)).count());
  }
  return X;
}

/// Amounts around exp(level), many times as far above their median as below.
inline Matrix lognormal_amounts(Index n, std::uint64_t seed, double level, Index d = 40) {
  Random random(seed);
  const Vector levels = normals(d, random, level, 0.5);
  return made_up(n, d, [&](Index, Index j) { return std::exp(levels(j) + random.normal()); });
}

/// Both signs, now and then far out.
inline Matrix heavy_tailed(Index n, std::uint64_t seed, Index d = 40) {
  Random random(seed);
  return made_up(
      n, d, [&](Index, Index) { return random.normal() / (0.05 + std::abs(random.normal())); });
}

inline Matrix of_one_unit(Index n, std::uint64_t seed, Index d = 40) {
  Random random(seed);
  const Vector level = normals(d, random, 8, 1);
  return made_up(n, d, [&](Index, Index j) { return level(j) + random.normal(); });
}

/// Columns whose units differ by powers of ten.
inline Matrix of_many_units(Index n, std::uint64_t seed, Index d = 40) {
  Random random(seed);
  return made_up(n, d, [&](Index, Index j) {
    return std::pow(10.0, static_cast<double>(j % 5) - 2) * random.normal();
  });
}

/// Grey values of photographs.
inline Matrix pixels(Index n, std::uint64_t seed, Index d = 64) {
  Random random(seed);
  return made_up(n, d, [&](Index, Index) {
    return std::clamp(std::round(120 + 50 * random.normal()), 0.0, 255.0);
  });
}

}  // namespace mkc::test
