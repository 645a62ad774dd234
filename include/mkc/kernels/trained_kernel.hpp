#pragma once

#include <optional>

#include "mkc/kernels/features.hpp"
#include "mkc/kernels/kernel_options.hpp"

namespace mkc {

/// A kernel of features with all that was learnt from its training samples, so that it can be
/// evaluated between them and new samples.
struct TrainedKernel {
  KernelOptions options;                 // nothing automatic; gamma is the number used
  FeatureTransform transform;            // of the features
  std::optional<ColumnScaling> scaling;  // of the columns, where the kernel scales them
  Matrix directions;                     // lsk: (d, k); empty otherwise
  Matrix points;                         // (n, d) scaled training features; lsk: (n, k) latent rows
  Indices categories;                    // columns of the features that hold codes of words
  Matrix words;                          // (n, categories) these codes
};

/// What compute_kernel(X, options, names, categories) learnt; `gamma` is the one it returned.
TrainedKernel train_kernel(const MatrixRef& X,  // (n, d)
                           const KernelOptions& options, std::optional<double> gamma,
                           const Indices& categories = {});

struct KernelOfNew {
  Matrix rows;      // (new, n) against the training samples
  Vector diagonal;  // (new) k(x, x)
};

/// `names` (new, or none) is used in error messages. X (new, d) has the training columns.
KernelOfNew kernel_of_new(const TrainedKernel& kernel, const MatrixRef& X,
                          const Strings& names = {});

}  // namespace mkc
