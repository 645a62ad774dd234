#pragma once

#include "kernels/distances.hpp"
#include "kernels/latent_semantic.hpp"
#include "mkc/base/types.hpp"

/// Kernel matrices K (n, n) of feature matrices X (n, d) whose rows are samples. Every K is exactly
/// symmetric and has an exact 1 on its diagonal where the formula has it. `names` (n, or none) is
/// used in error messages.
namespace mkc {

Matrix linear_kernel(const MatrixRef& X);  // x'y

Matrix polynomial_kernel(const MatrixRef& X, double gamma, double coef0,
                         Index degree);  // (gamma x'y + coef0)^degree

/// The rows of X as columns (d, n) of length 1; a row of zeros is an InputError naming the kernel.
Matrix unit_columns(const char* kernel, const MatrixRef& X, const Strings& names);

/// x'y / (||x|| ||y||); a row of zeros is an InputError.
Matrix cosine_kernel(const MatrixRef& X, const Strings& names = {});

/// |x and y| / |x or y|, where a sample is the set of its non-zero features; two empty sets give 1.
Matrix jaccard_kernel(const MatrixRef& X);

/// exp(-gamma d_ij) in the place of D (n, n), of which the lower triangle is read: rbf from
/// squared, laplacian from absolute distances.
Matrix exponential_of_distances(Matrix D, double gamma);

}  // namespace mkc
