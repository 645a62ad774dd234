#pragma once

#include "numeric/linalg/cholesky.hpp"

namespace mkc::latent {

/// Symmetric matrices of one size as the columns of one: sums of them and traces with them are
/// products of a matrix and a vector.
class Grams {
 public:
  Grams() = default;
  Grams(Index size, Index count) : size_(size), columns_(size * size, count) {}
  explicit Grams(const std::vector<Matrix>& grams);

  Index size() const { return size_; }
  Index count() const { return columns_.cols(); }
  Eigen::Map<Matrix> operator[](Index l) { return {columns_.col(l).data(), size_, size_}; }
  Eigen::Map<const Matrix> operator[](Index l) const {
    return {columns_.col(l).data(), size_, size_};
  }

  Matrix sum(const Vector& weights) const;  // sum_l w_l G_l
  Vector traces(const Matrix& A) const;     // tr(G_l A), A symmetric

 private:
  Index size_ = 0;
  Matrix columns_;
};

/// Variance components: the target's features are independent Gaussians over the samples with
/// covariance C = sum_l w_l G_l + noise I around an unknown mean, G_l the centred Gram matrices of
/// the sources.
struct Components {
  Vector weights;  // (sources) >= 0; a source of weight 0 keeps it
  double noise = 0;
};

/// Equal shares for all sources and half of the variance for the noise.
Components equal_components(const Grams& sources, const Matrix& target);

/// Raises the likelihood of the target's Gram matrix T by `iterations` multiplicative steps (each
/// minimises a majoriser, so the likelihood never falls): with Q = C^-1 on
/// vectors that sum to zero,
///   w_l <- w_l sqrt(tr(G_l Q T Q) / tr(G_l Q)), and the same for the noise with G = I.
void improve(Components& components, const Grams& sources, const Matrix& target, int iterations);

/// (sum_l w_l G_l + noise I)^-1 on vectors that sum to zero, the constant vector mapped to zero:
/// the mean of the target is not known (restricted likelihood). The Gram matrices are centred.
Matrix inverse_covariance(const Components& components, const Grams& sources);

/// The factor of C, its diagonal raised by `added` where rounding left C indefinite.
linalg::Cholesky stable_factor(Matrix C, double* added);

}  // namespace mkc::latent
