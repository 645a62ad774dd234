#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mkc/base/types.hpp"

namespace mkc::factor {

/// A plan, moments or a model as named words and matrices, for files and messages. Kept bit for
/// bit, they give the same object again. Order counts.
struct Arrays {
  std::string kind;  // "plan", "sample", "moments" or "model"
  std::vector<std::pair<std::string, std::string>> words;
  std::vector<std::pair<std::string, Matrix>> matrices;

  /// InputError naming the kind and the key where there is none.
  const std::string& word(const std::string& key) const;
  const Matrix& matrix(const std::string& key) const;
};

}  // namespace mkc::factor
