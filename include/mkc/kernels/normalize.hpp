#pragma once

#include <string>

#include "mkc/base/options.hpp"
#include "mkc/base/types.hpp"

namespace mkc {

enum class Normalization {
  none,
  unit,   // k_ij / sqrt(k_ii k_jj): unit diagonal
  trace,  // k_ij / mean of the diagonal
};

struct KernelTransformOptions {
  Normalization normalize = Normalization::none;
  bool center = false;  // feature means to 0, before normalising
};

OptionTable<KernelTransformOptions> kernel_transform_option_table();

/// Centring and normalisation of the observed block of a view, learnt on that block alone, and its
/// undoing on the completed matrix.
class KernelTransform {
 public:
  /// Throws InputError where a diagonal entry (unit) or the trace (trace) is 0. `view` and `names`
  /// (n, or none) are used in error messages.
  static KernelTransform fit(const MatrixRef& block,  // (n, n), symmetric
                             const KernelTransformOptions& options, const std::string& view,
                             const Strings& names = {});

  /// Neither centred nor normalised.
  bool changes_nothing() const {
    return !options_.center && options_.normalize == Normalization::none;
  }

  /// The block centred, then normalised. Exactly symmetric.
  Matrix apply(const MatrixRef& block) const;  // the block of fit

  /// The completed matrix in the scale of the block. It must hold apply(block) at `rows`, where
  /// the block is put back bit for bit. Exactly symmetric, and PSD where `completed` is PSD.
  Matrix undo(Matrix completed,               // (N, N); the lower triangle is read
              const Indices& rows,            // (n), the observed samples in 0..N-1
              const MatrixRef& block) const;  // (n, n), the block of fit

  /// The same for a matrix that need not hold apply(block), such as a model's own: no block is put
  /// back.
  Matrix undo_fitted(Matrix completed, const Indices& rows, const MatrixRef& block) const;

  /// Variances (N) of samples, as a method gives them for transformed kernels, in the scale of the
  /// block.
  Vector undo_variances(const Vector& variances, const Indices& rows) const;

 private:
  Matrix centered(const MatrixRef& block) const;
  Vector scales(Index N, const Indices& rows) const;
  Vector products_with_mean(const Matrix& K, const Indices& rows, const MatrixRef& block) const;

  KernelTransformOptions options_;
  Vector row_means_;  // (n), mean_j k_ij; empty where not centred
  double mean_ = 0;   // mean of the block
  Vector diagonal_;   // (n), of the centred block
};

}  // namespace mkc
