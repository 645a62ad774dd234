#include "analyse/reference_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyse/spectral.hpp"
#include "base/random.hpp"
#include "numeric/centred.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"
#include "numeric/signs.hpp"

namespace mkc {

namespace {

constexpr Index most_directions = 100;
constexpr double constant_tolerance = 1e-6;  // of a diagonal
constexpr double negative_tolerance = 0.01;  // eigenvalue of a Gram matrix, of the largest

Matrix noise_columns(const Strings& samples, Index count, std::uint64_t seed) {
  Matrix G(static_cast<Index>(samples.size()), count);
  for (Index i = 0; i < G.rows(); ++i) {
    Random random(seed, samples[at(i)], "reference");
    for (Index j = 0; j < count; ++j) G(i, j) = random.normal();
  }
  G.rowwise() -= G.colwise().mean().eval();
  G.colwise().normalize();
  return G;
}

bool has_constant_diagonal(const Matrix& K) {
  return K.diagonal().maxCoeff() - K.diagonal().minCoeff() <=
         constant_tolerance * K.diagonal().maxCoeff();
}

// The Gram matrix of the distances -log(k_ij / c), or nothing (0, 0) where they are not such.
Matrix log_gram(const Matrix& K) {
  if (!has_constant_diagonal(K) || !(K.minCoeff() > 0)) return {};
  const double c = K.diagonal().mean();
  Matrix D = -(K.array() / c).min(1.0).log();
  D.diagonal().setZero();
  Matrix gram = centred(-0.5 * D);
  const Vector values = linalg::eigenvalues(gram);
  return values(0) >= -negative_tolerance * values(values.size() - 1) ? gram : Matrix();
}

Matrix exp_of_distances(const Matrix& gram, double c) {
  Indices all(static_cast<std::size_t>(gram.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  return c * (-kernel_distances(gram, all, all).array()).exp();
}

}  // namespace

ReferenceKernels::ReferenceKernels(const std::vector<Matrix>& kernels, Strings samples)
    : samples_(std::move(samples)) {
  const auto n = static_cast<Index>(samples_.size());
  std::vector<Matrix> grams;
  Matrix mean = Matrix::Zero(n, n);
  for (const auto& K : kernels) {
    Part part;
    Matrix gram = log_gram(K);
    if (gram.size() > 0)
      part.log_diagonal = K.diagonal().mean();
    else
      gram = centred(K);
    mean += gram / gram.trace();
    grams.push_back(std::move(gram));
    parts_.push_back(std::move(part));
  }
  const Matrix V =
      with_fixed_signs(linalg::eigh_largest(mean, std::min(most_directions, n - 1)).vectors);
  for (std::size_t m = 0; m < grams.size(); ++m) {
    Matrix A = linalg::multiply_tn(V, linalg::multiply(grams[m], V));
    parts_[m].covariance = (A + A.transpose()) / 2;
    parts_[m].rest = std::max(0.0, (grams[m].trace() - A.trace()) / static_cast<double>(n));
  }
}

std::vector<Matrix> ReferenceKernels::draw(std::uint64_t seed) const {
  const Matrix G = noise_columns(samples_, parts_.front().covariance.rows(), seed);
  std::vector<Matrix> kernels;
  for (const auto& part : parts_) {
    Matrix gram = linalg::multiply_nt(linalg::multiply(G, part.covariance), G);
    gram = (gram + gram.transpose().eval()) / 2;
    gram.diagonal().array() += part.rest;
    kernels.push_back(part.log_diagonal > 0 ? exp_of_distances(gram, part.log_diagonal) : gram);
  }
  return kernels;
}

}  // namespace mkc
