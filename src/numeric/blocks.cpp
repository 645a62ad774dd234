#include "numeric/blocks.hpp"

namespace mkc {

Matrix submatrix(const MatrixRef& K, const Indices& rows, const Indices& cols) {
  Matrix S(static_cast<Index>(rows.size()), static_cast<Index>(cols.size()));
  for (std::size_t j = 0; j < cols.size(); ++j)
    for (std::size_t i = 0; i < rows.size(); ++i)
      S(static_cast<Index>(i), static_cast<Index>(j)) = K(rows[i], cols[j]);
  return S;
}

void paste(const MatrixRef& block, const Indices& rows, Matrix& K) {
  for (std::size_t j = 0; j < rows.size(); ++j)
    for (std::size_t i = 0; i < rows.size(); ++i)
      K(rows[i], rows[j]) = block(static_cast<Index>(i), static_cast<Index>(j));
}

}  // namespace mkc
