#include "kernels/checks.hpp"

#include <cmath>

#include <fmt/format.h>

#include "mkc/base/error.hpp"

namespace mkc::detail {

namespace {

std::string label(const char* named, const char* counted, const Strings& names, Index i) {
  const auto at = static_cast<std::size_t>(i);
  return at < names.size() ? fmt::format("{} '{}'", named, names[at])
                           : fmt::format("{} {} (counted from 0)", counted, i);
}

}  // namespace

std::string sample_label(const Strings& names, Index row) {
  return label("sample", "row", names, row);
}

std::string column_label(const Strings& names, Index column) {
  return label("column", "column", names, column);
}

void check_features(const std::string& caller, const MatrixRef& X, const Strings& names) {
  if (X.rows() == 0 || X.cols() == 0)
    throw InputError(fmt::format("{}: the features are {} x {}, at least 1 x 1 is needed", caller,
                                 X.rows(), X.cols()));
  if (X.allFinite()) return;
  for (Index j = 0; j < X.cols(); ++j)
    for (Index i = 0; i < X.rows(); ++i)
      if (!std::isfinite(X(i, j)))
        throw InputError(fmt::format("{}: {}, {} is {}, not a finite number", caller,
                                     sample_label(names, i), column_label({}, j), X(i, j)),
                         "fill or drop cells without a value first");
}

}  // namespace mkc::detail
