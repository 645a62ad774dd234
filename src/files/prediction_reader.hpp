#pragma once

#include <optional>
#include <string>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// The kernel rows of a folder of `mkc predict` (docs/reference/predict.md).
struct StoredPrediction {
  Strings samples, training_samples, views;
  std::vector<Matrix> rows;         // per view (n, N)
  std::optional<Matrix> diagonals;  // (n, M) k(x, x); tables of version 0.1 have none
  std::optional<Vector> variances;  // (M) of the training kernels; version 0.1 has none
};

/// Whether a folder of `mkc predict` holds factors instead of kernel rows.
bool is_factor_prediction(const std::string& folder);

/// Reads what write_prediction() wrote. InputError where the folder is not a prediction, or
/// something in it is missing or damaged.
StoredPrediction read_prediction(const std::string& folder);

}  // namespace mkc::io
