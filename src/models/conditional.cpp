#include "models/conditional.hpp"

#include <algorithm>

#include "mkc/linalg/blas.hpp"
#include "mkc/linalg/cholesky.hpp"

namespace mkc {

Matrix ridge_inverse(const Matrix& G, double ridge) {
  const double mean = G.diagonal().mean(), scale = mean > 0 ? mean : 1;
  for (double added = ridge;; added = std::max(10 * added, 1e-12 * scale)) {
    Matrix ridged = G;
    ridged.diagonal().array() += added;
    if (const auto factor = linalg::Cholesky::factor(std::move(ridged))) return factor->inverse();
  }
}

double leave_one_out_distance(const Matrix& K, const Matrix& Q) {
  const Matrix KQ = linalg::multiply(K, Q);
  const Vector QKQ = Q.cwiseProduct(KQ).colwise().sum();
  return (QKQ.array().max(0) / Q.diagonal().array().square()).mean();
}

Matrix join_blocks(const Matrix& K_II, const Indices& I, const Matrix& K_IT, const Indices& T,
                   const Matrix& K_TT) {
  const auto N = static_cast<Index>(I.size() + T.size());
  Matrix K(N, N);
  paste(K_II, I, K);
  for (std::size_t t = 0; t < T.size(); ++t) {
    const auto c = static_cast<Index>(t);
    for (std::size_t i = 0; i < I.size(); ++i)
      K(I[i], T[t]) = K(T[t], I[i]) = K_IT(static_cast<Index>(i), c);
    for (std::size_t u = t; u < T.size(); ++u)
      K(T[u], T[t]) = K(T[t], T[u]) = K_TT(static_cast<Index>(u), c);
  }
  return K;
}

}  // namespace mkc
