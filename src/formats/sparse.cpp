#include "formats/sparse.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "formats/dense_size.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw InputError(fmt::format("{}: {}", where, what), "the sparse matrix is damaged");
}

}  // namespace

Matrix dense_from_columns(double rows, const Vector& starts, const Vector& row_of,
                          const Vector& values, const std::string& where, bool transposed) {
  if (!(rows >= 0 && rows < 0x1p48) || starts.size() < 1)
    fail(where, "a sparse matrix without its sizes");
  const Index columns = starts.size() - 1;
  const auto entries = static_cast<double>(std::min(row_of.size(), values.size()));
  check_sparse_size(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
                    static_cast<std::uint64_t>(entries), where);
  Matrix dense = Matrix::Zero(static_cast<Index>(rows), columns);
  for (Index j = 0; j < columns; ++j) {
    if (!(starts(j) >= 0 && starts(j) <= starts(j + 1) && starts(j + 1) <= entries))
      fail(where, fmt::format("{} {} has entries {} to {} of {}", transposed ? "row" : "column", j,
                              starts(j), starts(j + 1), entries));
    for (auto k = static_cast<Index>(starts(j)); k < static_cast<Index>(starts(j + 1)); ++k) {
      if (!(row_of(k) >= 0 && row_of(k) < rows))
        fail(where, fmt::format("an entry in {} {} of {}", transposed ? "column" : "row", row_of(k),
                                rows));
      dense(static_cast<Index>(row_of(k)), j) += values(k);
    }
  }
  return dense;
}

}  // namespace mkc::io
