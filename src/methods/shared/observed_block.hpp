#pragma once

#include "mkc/problem/problem.hpp"

namespace mkc {

/// A completed kernel that keeps the observed block bit for bit and is symmetric and PSD, from any
/// N x N answer of a method. With G the PSD part of the answer, I the observed rows and T the rest:
///
///   W = (G_II + lambda I)^-1 G_IT,  K_IT = K_II W,  K_TT = W' K_II W + (G_TT - G_TI W).
///
/// The first three blocks are [I W]' K_II [I W], and the bracket is a Schur complement of a PSD
/// matrix, so the result is PSD for every lambda >= 0. lambda is chosen by leaving out each
/// observed row in turn, in closed form. An answer that already keeps the block and is PSD comes
/// back as is.
///
/// Effort::quick, for a run that was interrupted and whose user waits: lambda is chosen on some
/// hundred observed rows alone, and G is the answer itself where a Cholesky factor shows that it is
/// PSD. No matrix of all samples is decomposed then.
enum class Effort { full, quick };
Matrix keep_observed(const ObservedKernel& view, const Strings& samples, Matrix answer,
                     Effort effort = Effort::full);

/// K_II with the rows of T, for any weights W: K_IT = K_II W, K_TT = W' K_II W + (G_TT - G_TI W).
Matrix extend_block(const MatrixRef& K_II, const Indices& I, const Indices& T, const Matrix& W,
                    const Matrix& G);

/// The whole kernel from its blocks (I observed rows, T the rest), exactly symmetric; the
/// lower triangle of K_TT is read.
Matrix join_blocks(const MatrixRef& K_II, const Indices& I, const Matrix& K_IT, const Indices& T,
                   const Matrix& K_TT);

/// The candidate with the smallest mean relative leave-one-out error of the rows of K_II, where row
/// t is predicted from the others by w_t = (G_II + lambda I)^-1 G_It without t. In closed form,
/// with Q = (G_II + lambda I)^-1: w_t = -Q_.t / Q_tt and w_tt = 0. `rows`: which t to leave out.
double leave_one_out_ridge(const MatrixRef& K_II, const Matrix& G_II, const Indices& rows);

}  // namespace mkc
