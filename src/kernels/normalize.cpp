#include "mkc/kernels/normalize.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "kernels/checks.hpp"
#include "mkc/base/error.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc {

namespace {

// Diagonal entries this much smaller than the largest of the uncentred block are rounding noise.
constexpr double centering_noise = 1e-12;
// Eigenvalues this much smaller than the largest count as 0 in the pseudo-inverse.
constexpr double pseudo_inverse_cut = 1e-10;

double median_of(const Vector& values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

// K^+ b of a symmetric PSD matrix K.
Vector pseudo_solve(const Matrix& K, const Vector& b) {
  const linalg::Eigh e = linalg::eigh(K);
  const double cut = pseudo_inverse_cut * std::max(0.0, e.values.maxCoeff());
  const Vector inverse = (e.values.array() > cut).select(e.values.array().inverse(), 0.0);
  const Vector coordinates = inverse.asDiagonal() * (e.vectors.transpose() * b);
  return e.vectors * coordinates;
}

void check_block(const MatrixRef& block, const std::string& view, const Strings& names) {
  if (block.rows() != block.cols() || block.rows() == 0)
    throw InputError(fmt::format("view '{}': the observed block is {} x {}, not square with a row",
                                 view, block.rows(), block.cols()));
  if (!block.allFinite())
    throw InputError(
        fmt::format("view '{}': the observed block has entries that are not finite numbers", view));
  if (!names.empty() && static_cast<Index>(names.size()) != block.rows())
    throw InputError(fmt::format("view '{}': {} sample names for an observed block of {} x {}",
                                 view, names.size(), block.rows(), block.cols()));
}

const char* sign_word(double value, double smallest) {
  return value < -smallest ? "negative" : "zero";
}

void check_divisors(const Vector& diagonal, double smallest, bool centered, const std::string& view,
                    const Strings& names) {
  for (Index i = 0; i < diagonal.size(); ++i)
    if (!(diagonal(i) > smallest))
      throw InputError(
          fmt::format("view '{}': {} has a {} diagonal entry{}, and normalize=unit divides by it",
                      view, detail::sample_label(names, i), sign_word(diagonal(i), smallest),
                      centered ? " after centring" : ""),
          "use normalize=trace or normalize=none, or drop the sample");
}

void check_trace(const Vector& diagonal, double smallest, bool centered, const std::string& view) {
  const double mean = diagonal.mean();
  if (!(mean > smallest))
    throw InputError(
        fmt::format(
            "view '{}': the mean of the diagonal is {}{}, and normalize=trace divides by it", view,
            sign_word(mean, smallest), centered ? " after centring" : ""),
        "use normalize=none, or drop the view");
}

void check_undo(const Matrix& completed, const Indices& rows, const MatrixRef& block, Index n) {
  const Index N = completed.rows();
  if (completed.cols() != N)
    throw InputError(
        fmt::format("completed: the matrix is {} x {}, not square", N, completed.cols()));
  if (block.rows() != n || block.cols() != n || static_cast<Index>(rows.size()) != n)
    throw InputError(fmt::format("undo: fitted on a block of {} x {}, got {} x {} and {} rows", n,
                                 n, block.rows(), block.cols(), rows.size()));
  for (const Index row : rows)
    if (row < 0 || row >= N)
      throw InputError(fmt::format("rows: {} is outside 0..{} of completed", row, N - 1));
}

}  // namespace

KernelTransform KernelTransform::fit(const MatrixRef& block, const KernelTransformOptions& options,
                                     const std::string& view, const Strings& names) {
  check_block(block, view, names);
  KernelTransform t;
  t.options_ = options;
  t.diagonal_ = block.diagonal();
  double smallest = 0;  // diagonal entries must be above this
  if (options.center) {
    smallest = centering_noise * t.diagonal_.cwiseAbs().maxCoeff();
    t.row_means_ = block.rowwise().mean();
    t.mean_ = t.row_means_.mean();
    // k~_ii = k_ii - 2 mean_j k_ij + mean(k)
    t.diagonal_.array() += t.mean_ - 2 * t.row_means_.array();
  }
  if (options.normalize == Normalization::unit)
    check_divisors(t.diagonal_, smallest, options.center, view, names);
  if (options.normalize == Normalization::trace)
    check_trace(t.diagonal_, smallest, options.center, view);
  return t;
}

// k~_ij = k_ij - mean_j k_ij - mean_i k_ij + mean(k), in an order that keeps it symmetric
Matrix KernelTransform::centered(const MatrixRef& block) const {
  Matrix K = block;
  if (!options_.center) return K;
  for (Index j = 0; j < K.cols(); ++j)
    K.col(j).array() += mean_ - (row_means_.array() + row_means_(j));
  return K;
}

// s with k~_ij = s_i s_j (normalised k~_ij); a missing sample takes the median of the observed.
Vector KernelTransform::scales(Index N, const Indices& rows) const {
  if (options_.normalize == Normalization::trace)
    return Vector::Constant(N, std::sqrt(diagonal_.mean()));
  Vector s = Vector::Constant(N, std::sqrt(median_of(diagonal_)));
  for (std::size_t i = 0; i < rows.size(); ++i)
    s(rows[i]) = std::sqrt(diagonal_(static_cast<Index>(i)));
  return s;
}

Matrix KernelTransform::apply(const MatrixRef& block) const {
  Matrix K = centered(block);
  if (options_.normalize == Normalization::trace) K /= diagonal_.mean();
  if (options_.normalize == Normalization::unit) {
    const Vector s = diagonal_.cwiseSqrt();
    for (Index j = 0; j < K.cols(); ++j) K.col(j).array() /= s.array() * s(j);
    K.diagonal().setOnes();
  }
  linalg::mirror_lower(K);
  return K;
}

// c (N), the inner products of the centred samples with the part of the mean mu of the observed
// samples that lies in their centred span: b_i = <mu, phi~_i> = mean_j k_ij - mean(k),
// alpha = K~_II^+ b, c = K~_.I alpha.
Vector KernelTransform::products_with_mean(const Matrix& K, const Indices& rows,
                                           const MatrixRef& block) const {
  const Vector b = row_means_.array() - mean_;
  const Vector alpha = pseudo_solve(centered(block), b);
  Vector c = Vector::Zero(K.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) c += alpha(static_cast<Index>(i)) * K.col(rows[i]);
  return c;
}

Matrix KernelTransform::undo(Matrix completed, const Indices& rows, const MatrixRef& block) const {
  Matrix K = undo_fitted(std::move(completed), rows, block);
  paste(block, rows, K);
  return K;
}

Vector KernelTransform::undo_variances(const Vector& variances, const Indices& rows) const {
  if (options_.normalize == Normalization::none) return variances;
  return variances.cwiseProduct(scales(variances.size(), rows).cwiseAbs2());
}

Matrix KernelTransform::undo_fitted(Matrix completed, const Indices& rows,
                                    const MatrixRef& block) const {
  check_undo(completed, rows, block, diagonal_.size());
  Matrix& K = completed;
  linalg::mirror_lower(K);
  if (options_.normalize != Normalization::none) {
    const Vector s = scales(K.rows(), rows);
    for (Index j = 0; j < K.cols(); ++j) K.col(j).array() *= s.array() * s(j);
  }
  if (options_.center) {
    // K = K~ + 1c' + c1' + mean(k) 11' = (Phi~ + 1u')(Phi~ + 1u')' + (mean(k) - ||u||^2) 11' with
    // u the part of mu in the centred span, so ||u||^2 <= ||mu||^2 = mean(k): a Gram matrix.
    const Vector c = products_with_mean(K, rows, block);
    for (Index j = 0; j < K.cols(); ++j) K.col(j).array() += (c.array() + c(j)) + mean_;
  }
  return completed;
}

}  // namespace mkc
