#include "support/random_matrices.hpp"

#include <numeric>
#include <random>

#include "numeric/linalg/blas.hpp"

namespace mkc::test {

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  return Matrix::NullaryExpr(rows, cols, [&](Index, Index) {
    return 2.0 * (static_cast<double>(engine() >> 11) * 0x1p-53) - 1.0;
  });
}

Matrix random_symmetric(Index n, std::uint64_t seed) {
  Matrix A = random_matrix(n, n, seed);
  linalg::mirror_lower(A);
  return A;
}

Matrix random_psd(Index n, Index rank, std::uint64_t seed) {
  return linalg::gram_of_rows(random_matrix(n, rank, seed));
}

Indices random_permutation(Index n, std::uint64_t seed) {
  Indices order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  std::mt19937_64 engine(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[engine() % i]);
  return order;
}

}  // namespace mkc::test
