#pragma once

#include "numeric/linalg/blas.hpp"

/// Products and factorisations over a fixed grid of tiles, on several threads: the tiles depend on
/// the sizes alone, so the number of threads never changes a bit.
namespace mkc::linalg {

/// Factors the first n columns of a symmetric A (N, N), in place; only its lower triangle is used:
///   [A_11 .   ]    [L          .                ]
///   [A_21 A_22] -> [A_21 L'^-1  A_22 - A_21 A_11^-1 A_12],   A_11 = L L'.
/// false where A_11 is not positive definite; A is overwritten then.
bool partial_cholesky(MutableMatrixRef A, Index n, int threads);

/// L <- (L L')^-1, exactly symmetric, from a lower triangle; on the calling thread alone.
void invert_factored(Matrix& L);

/// B <- B L^-1, L the lower triangle of a square matrix.
void divide_by_lower(const MatrixRef& L, MutableMatrixRef B, int threads);

/// C <- A B'.
void multiply_nt(const MatrixRef& A, const MatrixRef& B, MutableMatrixRef C, int threads);

/// The lower triangle of C <- A B + beta C; the upper one is overwritten with anything.
void multiply_lower(const MatrixRef& A, const MatrixRef& B, double beta, MutableMatrixRef C,
                    int threads);

/// trace(K B'B) of a symmetric K, without a matrix for B'B.
double trace_of_product(const MatrixRef& K, const MatrixRef& B, int threads);

}  // namespace mkc::linalg
