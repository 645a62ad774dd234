#include "methods/transfer/transfer_regression.hpp"

#include <algorithm>

#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/tiled.hpp"

namespace mkc {

namespace {

constexpr double all_explained = 1e-10;  // of the diagonal: a variance below is rounding

Eigen::Map<Matrix> matrix_in(Vector& memory, Index rows, Index cols) {
  if (memory.size() < rows * cols) memory.resize(rows * cols);
  return {memory.data(), rows, cols};
}

}  // namespace

void TransferRegression::fit(const Sizes& sizes, double ridge, const Fill& fill_G,
                             const Fill& fill_K, int threads) {
  sizes_ = sizes;
  factor(ridge, fill_G, threads);
  fill_K(matrix_in(K_, sizes.observed, sizes.observed));
  residual_ = residual_scale_ = 0;
  if (sizes.left_out > 0) measure(ridge, threads);
  // L_TI = G_TI L'^-1, so W' = L_TI L^-1
  linalg::divide_by_lower(A_.topLeftCorner(sizes.observed, sizes.observed), W_transposed(),
                          threads);
}

// [G_II + ridge I, .; G_TI G_TT] -> [L .; L_TI R]
void TransferRegression::factor(double ridge, const Fill& fill_G, int threads) {
  for (double added = ridge;;) {
    A_.resize(sizes_.samples, sizes_.samples);
    fill_G(A_);
    auto diagonal = A_.diagonal();
    own_ = diagonal.tail(missing());
    mean_g_ = diagonal.head(sizes_.observed).mean();
    diagonal.head(sizes_.observed).array() += added;
    if (linalg::partial_cholesky(A_, sizes_.observed, threads)) return;
    added = std::max(10 * added, 1e-12 * (mean_g_ > 0 ? mean_g_ : 1));
  }
}

// With the samples S that are left out behind the others, L = [L_RR .; L_SR L_SS], the rows of Q
// are
//   Q_SS = (L_SS L_SS')^-1,  Q_SR = -Q_SS L_SR L_RR^-1,
// and with B = diag(1 / Q_tt) Q_S. the sum of (QKQ)_tt / Q_tt^2 is tr(K B'B).
void TransferRegression::measure(double ridge, int threads) {
  const Index n = sizes_.observed, s = sizes_.left_out, r = n - s;
  auto Q = matrix_in(Q_, s, n);
  Matrix Q_SS = A_.block(r, r, s, s);
  linalg::invert_factored(Q_SS);
  linalg::gemm(-1, Q_SS, linalg::Op::none, A_.block(r, 0, s, r), linalg::Op::none, 0,
               Q.leftCols(r));
  linalg::divide_by_lower(A_.topLeftCorner(r, r), Q.leftCols(r), threads);
  Q.rightCols(s) = Q_SS;

  const Vector inverse = Q_SS.diagonal().cwiseInverse();
  for (Index j = 0; j < n; ++j) Q.col(j).array() *= inverse.array();
  residual_ = std::max(0.0, linalg::trace_of_product(K_II(), Q, threads)) / double(s);
  const double variance = (inverse.array() - ridge).mean();
  if (variance > all_explained * mean_g_) residual_scale_ = residual_ / variance;
}

void TransferRegression::complete(double s, int threads) {
  linalg::multiply_nt(K_II(), W_transposed(), K_IT(), threads);
  linalg::multiply_lower(W_transposed(), K_IT(), s, K_TT(), threads);
}

}  // namespace mkc
