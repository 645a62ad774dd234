#pragma once

#include <string>

#include "mkc/base/types.hpp"

/// Dense products through BLAS, on the calling thread only, so that the number of threads never
/// changes a bit of a result. Only the files of this folder call BLAS and LAPACK.
namespace mkc::linalg {

enum class Op { none, transpose };

/// C <- alpha op(A) op(B) + beta C; C must have its final size and must not overlap A or B.
void gemm(double alpha, const MatrixRef& A, Op op_a, const MatrixRef& B, Op op_b, double beta,
          MutableMatrixRef C);

/// C <- alpha A B + beta C with A symmetric (n, n); only the lower triangle of A is read.
void symm(double alpha, const MatrixRef& A, const MatrixRef& B, double beta, MutableMatrixRef C);

/// y <- op(A) x, sizes as they fit.
Vector multiply(const MatrixRef& A, Op op, const Vector& x);

Matrix multiply(const MatrixRef& A, const MatrixRef& B);     // A B
Matrix multiply_tn(const MatrixRef& A, const MatrixRef& B);  // A' B
Matrix multiply_nt(const MatrixRef& A, const MatrixRef& B);  // A B'

Matrix gram_of_rows(const MatrixRef& X);     // X X', exactly symmetric
Matrix gram_of_columns(const MatrixRef& X);  // X' X, exactly symmetric

/// The lower triangle of C <- C + X' X; the upper one stays.
void add_gram_of_columns(const MatrixRef& X, Matrix& C);

/// Copies the lower triangle over the upper one, in cache-sized tiles.
void mirror_lower(MutableMatrixRef A);

/// The BLAS in use, "OpenBLAS 0.3.21 Haswell, pthread": with other kernels the last digits differ.
std::string blas_name();

/// Where BLAS is slower than the processor allows: a sentence on that and how to mend it, else "".
std::string blas_advice();

}  // namespace mkc::linalg
