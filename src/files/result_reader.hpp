#pragma once

#include <optional>
#include <string>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// The completed kernels of a result folder (docs/reference/output.md).
struct StoredResult {
  Strings samples;
  Strings views;
  std::vector<Matrix> kernels;      // per view (N, N)
  std::optional<Matrix> relations;  // S (M, M)
  std::string method;
};

/// Reads what write_result() wrote, in any format. InputError where the folder is not a result
/// of `mkc complete`, or something in it is missing or damaged.
StoredResult read_result(const std::string& folder);

}  // namespace mkc::io
