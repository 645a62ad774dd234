#include "methods/shared/conditional.hpp"

#include <algorithm>

#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"

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

std::string obstacle_of_one_view(const Problem& problem) {
  return problem.n_views() < 2 ? "it predicts a view from the others, and there is only one" : "";
}

}  // namespace mkc
