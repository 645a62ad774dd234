#pragma once

#include "mkc/base/types.hpp"

/// Kernel matrices K (n, n) of features for counts, abundances, spectra, ordered and unordered
/// categories. Every K is exactly symmetric, has an exact 1 on its diagonal, and is positive
/// semi-definite by the argument given with it; no eigenvalue is cut off. `names` (n, or none) is
/// used in error messages.
namespace mkc {

/// d_ij = sum_k (x_k - y_k)^2 / (x_k + y_k), 0/0 = 0, of non-negative features. exp(-gamma d) is
/// PSD: d_ij = sum_k x_k + y_k - 4 x_k y_k / (x_k + y_k), whose last term is PSD as in
/// bray_curtis_kernel, so that d is negative definite (Schoenberg).
Matrix chi_square_distances(const MatrixRef& X, const Strings& names = {});

/// 1 - sum |x - y| / (sum x + sum y) = 2 sum min(x, y) / (sum x + sum y), one minus the
/// Bray-Curtis dissimilarity of non-negative features. PSD: sum min(x, y) is, and 1 / (a + b) =
/// integral of exp(-t a) exp(-t b) dt is, and so is their product entry by entry (Schur).
Matrix bray_curtis_kernel(const MatrixRef& X, const Strings& names = {});

/// sum min(x, y) / sum max(x, y), the Ruzicka (quantitative Jaccard) similarity of non-negative
/// features. PSD: with B = Bray-Curtis similarity it is B / (2 - B), a power series in B with
/// positive coefficients.
Matrix ruzicka_kernel(const MatrixRef& X, const Strings& names = {});

/// x'y / (x'x + y'y - x'y). PSD for all real features: a power series with positive coefficients in
/// 2 x'y / (x'x + y'y), which is PSD as bray_curtis_kernel is.
Matrix tanimoto_kernel(const MatrixRef& X);

/// 1 - 2 theta / pi with theta the angle between x and y. PSD: it is (2 / pi) arcsin(cosine), a
/// power series in the cosine with positive coefficients. A row of zeros is an InputError.
Matrix spectral_angle_kernel(const MatrixRef& X, const Strings& names = {});

/// Mean over the columns of 1 - |x - y|, for columns between 0 and 1 (values outside are moved to
/// the end of the range). PSD: 1 - |x - y| = min(x, y) + min(1 - x, 1 - y).
Matrix ordinal_kernel(const MatrixRef& X);

/// Share of columns in which x and y are equal. PSD: a mean of Gram matrices of indicators.
Matrix categorical_kernel(const MatrixRef& X);

}  // namespace mkc
