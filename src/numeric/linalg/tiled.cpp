#include "numeric/linalg/tiled.hpp"

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"
#include "numeric/linalg/lapack.hpp"

namespace mkc::linalg {

namespace {

constexpr Index tile =
    256;  // rows and columns: smaller ones repack more, larger ones balance worse

Index tiles_in(Index size) { return (size + tile - 1) / tile; }

// Rows or columns of one tile.
struct Range {
  Index begin, size;
};
Range range(Index t, Index size) { return {t * tile, std::min(tile, size - t * tile)}; }

// Tile (i, j), j <= i, number k of a lower triangle, row by row.
std::pair<Index, Index> lower_tile(Index k) {
  Index i = 0;
  while ((i + 1) * (i + 2) / 2 <= k) ++i;
  return {i, k - i * (i + 1) / 2};
}

Index lower_tiles(Index count) { return count * (count + 1) / 2; }

// Threads for a product of about `operations` in all.
int useful(double operations, int threads) { return operations < 2e7 ? 1 : threads; }

double product(Index a, Index b, Index c) { return 2 * double(a) * double(b) * double(c); }

bool factor_diagonal(MutableMatrixRef A) {
  const int n = blas_int(A.rows()), ld = blas_int(A.outerStride());
  int info = 0;
  const auto my_turn = turn();
  dpotrf_("L", &n, A.data(), &ld, &info, 1);
  if (info < 0) check(info, "dpotrf");
  return info == 0;
}

// B <- B L^-1, or B L'^-1.
void divide(const MatrixRef& L, char op, MutableMatrixRef B) {
  if (B.size() == 0) return;
  const int m = blas_int(B.rows()), n = blas_int(B.cols()), ldl = leading(L);
  const int ldb = blas_int(B.outerStride());
  const double one = 1;
  const auto my_turn = turn();
  dtrsm_("R", "L", &op, "N", &m, &n, &one, L.data(), &ldl, B.data(), &ldb, 1, 1, 1, 1);
}

// The lower triangle of C <- C - A A'.
void subtract_square(const MatrixRef& A, MutableMatrixRef C) {
  const int n = blas_int(C.rows()), k = blas_int(A.cols()), lda = leading(A);
  const int ldc = blas_int(C.outerStride());
  const double minus = -1, one = 1;
  const auto my_turn = turn();
  dsyrk_("L", "N", &n, &k, &minus, A.data(), &lda, &one, C.data(), &ldc, 1, 1);
}

}  // namespace

bool partial_cholesky(MutableMatrixRef A, Index n, int threads) {
  const Index N = A.rows();
  require(A.cols() == N && n <= N, "partial_cholesky: sizes differ");
  for (Index k = 0; k < n; k += tile) {
    const Index width = std::min(tile, n - k), first = k + width, rest = N - first;
    auto diagonal = A.block(k, k, width, width);
    if (!factor_diagonal(diagonal)) return false;
    if (rest == 0) continue;
    const int here = useful(product(rest, rest, width), threads);
    auto below = A.block(first, k, rest, width);
    parallel_for(tiles_in(rest), here, [&](Index t) {
      const auto [row, rows] = range(t, rest);
      divide(diagonal, 'T', below.middleRows(row, rows));
    });
    auto corner = A.block(first, first, rest, rest);
    parallel_for(lower_tiles(tiles_in(rest)), here, [&](Index t) {
      const auto [i, j] = lower_tile(t);
      const auto [row, rows] = range(i, rest);
      const auto [col, cols] = range(j, rest);
      if (i == j)
        subtract_square(below.middleRows(row, rows), corner.block(row, row, rows, rows));
      else
        gemm(-1, below.middleRows(row, rows), Op::none, below.middleRows(col, cols), Op::transpose,
             1, corner.block(row, col, rows, cols));
    });
  }
  return true;
}

void divide_by_lower(const MatrixRef& L, MutableMatrixRef B, int threads) {
  require(L.rows() == L.cols() && B.cols() == L.rows(), "divide_by_lower: sizes differ");
  const int here = useful(product(B.rows(), B.cols(), B.cols()) / 2, threads);
  constexpr Index rows_at_once = tile / 2;  // B may have few rows
  parallel_for((B.rows() + rows_at_once - 1) / rows_at_once, here, [&](Index t) {
    const Index row = t * rows_at_once;
    divide(L, 'N', B.middleRows(row, std::min(rows_at_once, B.rows() - row)));
  });
}

void multiply_nt(const MatrixRef& A, const MatrixRef& B, MutableMatrixRef C, int threads) {
  require(C.rows() == A.rows() && C.cols() == B.rows(), "multiply_nt: C has the wrong size");
  const int here = useful(product(A.rows(), A.cols(), B.rows()), threads);
  parallel_for(tiles_in(C.rows()), here, [&](Index t) {
    const auto [row, rows] = range(t, C.rows());
    gemm(1, A.middleRows(row, rows), Op::none, B, Op::transpose, 0, C.middleRows(row, rows));
  });
}

void multiply_lower(const MatrixRef& A, const MatrixRef& B, double beta, MutableMatrixRef C,
                    int threads) {
  const Index n = C.rows();
  require(A.rows() == n && B.cols() == n && C.cols() == n, "multiply_lower: sizes differ");
  const int here = useful(product(n, n, A.cols()) / 2, threads);
  parallel_for(lower_tiles(tiles_in(n)), here, [&](Index t) {
    const auto [i, j] = lower_tile(t);
    const auto [row, rows] = range(i, n);
    const auto [col, cols] = range(j, n);
    gemm(1, A.middleRows(row, rows), Op::none, B.middleCols(col, cols), Op::none, beta,
         C.block(row, col, rows, cols));
  });
}

double trace_of_product(const MatrixRef& K, const MatrixRef& B, int threads) {
  const Index n = K.rows();
  require(K.cols() == n && B.cols() == n, "trace_of_product: sizes differ");
  const Index count = lower_tiles(tiles_in(n));
  Vector parts = Vector::Zero(count);
  parallel_for(count, useful(product(n, n, B.rows()) / 2, threads), [&](Index t) {
    const auto [i, j] = lower_tile(t);
    const auto [row, rows] = range(i, n);
    const auto [col, cols] = range(j, n);
    Matrix square(rows, cols);
    gemm(1, B.middleCols(row, rows), Op::transpose, B.middleCols(col, cols), Op::none, 0, square);
    parts(t) = (i == j ? 1 : 2) * square.cwiseProduct(K.block(row, col, rows, cols)).sum();
  });
  return parts.sum();
}

}  // namespace mkc::linalg
