#include "analyse/k_means.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/random.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc {

namespace {

constexpr int max_rounds = 100;

// One of the samples, with probability proportional to `weights`: the smallest of exponential
// draws with these rates, each keyed by its sample, so that the order of samples does not matter.
Index draw(const Vector& weights, const Strings& samples, std::uint64_t seed,
           const std::string& purpose) {
  Index chosen = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights(i) <= 0) continue;
    const double waiting =
        -std::log(1 - Random(seed, samples[at(i)], purpose).uniform()) / weights(i);
    if (waiting < smallest) {
      smallest = waiting;
      chosen = i;
    }
  }
  return chosen;
}

// k points far from one another. (d, k)
Matrix first_centres(const Matrix& points, Index k, const Strings& samples, std::uint64_t seed,
                     int start) {
  Matrix centres(points.rows(), k);
  Vector distances = Vector::Ones(points.cols());
  for (Index c = 0; c < k; ++c) {
    const Index i = draw(distances, samples, seed, fmt::format("centre {} {}", start, c));
    centres.col(c) = points.col(i);
    const Vector to_this = (points.colwise() - points.col(i)).colwise().squaredNorm();
    distances = c == 0 ? to_this : distances.cwiseMin(to_this);
  }
  return centres;
}

struct Found {
  Indices of_sample;
  double spread = std::numeric_limits<double>::infinity();
};

Found nearest(const Matrix& points, const Matrix& centres) {
  Matrix distances = -2 * linalg::multiply_tn(centres, points);
  distances.colwise() += centres.colwise().squaredNorm().transpose();
  Found result;
  result.spread = points.squaredNorm();
  for (Index i = 0; i < points.cols(); ++i) {
    Index c = 0;
    result.spread += distances.col(i).minCoeff(&c);
    result.of_sample.push_back(c);
  }
  return result;
}

Found run_from(Matrix centres, const Matrix& points) {
  Found result = nearest(points, centres);
  for (int round = 0; round < max_rounds; ++round) {
    Vector counts = Vector::Zero(centres.cols());
    Matrix sums = Matrix::Zero(centres.rows(), centres.cols());
    for (Index i = 0; i < points.cols(); ++i) {
      sums.col(result.of_sample[at(i)]) += points.col(i);
      counts(result.of_sample[at(i)]) += 1;
    }
    for (Index c = 0; c < centres.cols(); ++c)
      if (counts(c) > 0)
        centres.col(c) = sums.col(c) / counts(c);  // the centre of an empty cluster stays
    Found next = nearest(points, centres);
    const bool same = next.of_sample == result.of_sample;
    result = std::move(next);
    if (same) break;
  }
  return result;
}

}  // namespace

Indices k_means(const Matrix& points, Index k, const Strings& samples, std::uint64_t seed,
                int starts) {
  Found best;
  for (int start = 0; start < starts; ++start) {
    Found one = run_from(first_centres(points, k, samples, seed, start), points);
    // clearly better: rounding must not decide
    if (one.spread < best.spread - 1e-9 * static_cast<double>(points.cols())) best = std::move(one);
  }
  return best.of_sample;
}

}  // namespace mkc
