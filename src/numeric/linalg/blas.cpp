#include "numeric/linalg/blas.hpp"

#include "numeric/linalg/lapack.hpp"

namespace mkc::linalg {

namespace {

// C <- op(X) op(X)'; op = 'N' gives X X', 'T' gives X' X.
Matrix syrk(const MatrixRef& X, char op) {
  const Index size = op == 'N' ? X.rows() : X.cols();
  Matrix C = Matrix::Zero(size, size);
  if (size == 0 || X.size() == 0) return C;
  const int n = blas_int(size), k = blas_int(op == 'N' ? X.cols() : X.rows()), ldx = leading(X);
  const double one = 1, zero = 0;
  const auto my_turn = turn();
  dsyrk_("L", &op, &n, &k, &one, X.data(), &ldx, &zero, C.data(), &n, 1, 1);
  mirror_lower(C);
  return C;
}

}  // namespace

void gemm(double alpha, const MatrixRef& A, Op op_a, const MatrixRef& B, Op op_b, double beta,
          MutableMatrixRef C) {
  const bool ta = op_a == Op::transpose, tb = op_b == Op::transpose;
  const Index rows = ta ? A.cols() : A.rows(), inner = ta ? A.rows() : A.cols();
  const Index cols = tb ? B.rows() : B.cols();
  require(inner == (tb ? B.cols() : B.rows()), "gemm: inner dimensions differ");
  require(C.rows() == rows && C.cols() == cols, "gemm: C has the wrong size");
  if (rows == 0 || cols == 0) return;
  if (inner == 0) {
    if (beta == 0)
      C.setZero();
    else
      C *= beta;
    return;
  }
  const int m = blas_int(rows), n = blas_int(cols), k = blas_int(inner);
  const int lda = leading(A), ldb = leading(B), ldc = std::max(1, blas_int(C.outerStride()));
  const auto my_turn = turn();
  dgemm_(ta ? "T" : "N", tb ? "T" : "N", &m, &n, &k, &alpha, A.data(), &lda, B.data(), &ldb, &beta,
         C.data(), &ldc, 1, 1);
}

void symm(double alpha, const MatrixRef& A, const MatrixRef& B, double beta, MutableMatrixRef C) {
  require(A.rows() == A.cols() && A.cols() == B.rows(), "symm: dimensions differ");
  require(C.rows() == A.rows() && C.cols() == B.cols(), "symm: C has the wrong size");
  if (C.size() == 0) return;
  const int m = blas_int(C.rows()), n = blas_int(C.cols());
  const int lda = leading(A), ldb = leading(B), ldc = std::max(1, blas_int(C.outerStride()));
  const auto my_turn = turn();
  dsymm_("L", "L", &m, &n, &alpha, A.data(), &lda, B.data(), &ldb, &beta, C.data(), &ldc, 1, 1);
}

Vector multiply(const MatrixRef& A, Op op, const Vector& x) {
  const bool transposed = op == Op::transpose;
  require(x.size() == (transposed ? A.rows() : A.cols()), "multiply: sizes differ");
  Vector y = Vector::Zero(transposed ? A.cols() : A.rows());
  if (A.size() == 0) return y;
  const int m = blas_int(A.rows()), n = blas_int(A.cols()), lda = leading(A), step = 1;
  const double one = 1, zero = 0;
  const auto my_turn = turn();
  dgemv_(transposed ? "T" : "N", &m, &n, &one, A.data(), &lda, x.data(), &step, &zero, y.data(),
         &step, 1);
  return y;
}

Matrix multiply(const MatrixRef& A, const MatrixRef& B) {
  Matrix C(A.rows(), B.cols());
  gemm(1, A, Op::none, B, Op::none, 0, C);
  return C;
}

Matrix multiply_tn(const MatrixRef& A, const MatrixRef& B) {
  Matrix C(A.cols(), B.cols());
  gemm(1, A, Op::transpose, B, Op::none, 0, C);
  return C;
}

Matrix multiply_nt(const MatrixRef& A, const MatrixRef& B) {
  Matrix C(A.rows(), B.rows());
  gemm(1, A, Op::none, B, Op::transpose, 0, C);
  return C;
}

Matrix gram_of_rows(const MatrixRef& X) { return syrk(X, 'N'); }
Matrix gram_of_columns(const MatrixRef& X) { return syrk(X, 'T'); }

void add_gram_of_columns(const MatrixRef& X, Matrix& C) {
  require(C.rows() == X.cols() && C.cols() == X.cols(), "add_gram_of_columns: C has another size");
  if (X.size() == 0) return;
  const int n = blas_int(X.cols()), k = blas_int(X.rows()), ldx = leading(X);
  const double one = 1;
  const auto my_turn = turn();
  dsyrk_("L", "T", &n, &k, &one, X.data(), &ldx, &one, C.data(), &n, 1, 1);
}

void mirror_lower(MutableMatrixRef A) {
  constexpr Index tile = 64;
  const Index n = A.rows();
  for (Index j = 0; j < n; j += tile)
    for (Index i = j; i < n; i += tile)
      for (Index c = j; c < std::min(j + tile, n); ++c)
        for (Index r = std::max(i, c + 1); r < std::min(i + tile, n); ++r) A(c, r) = A(r, c);
}

}  // namespace mkc::linalg
