#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "mkc/base/types.hpp"

/// Every kernel entry by entry from its formula: the reference of the tests and benchmarks.
namespace mkc::test {

/// k_ij = f(i, j) for all i, j.
template <class Entry>
Matrix slow_matrix(Index n, Entry f) {
  Matrix K(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) K(i, j) = f(i, j);
  return K;
}

inline double slow_product(const Matrix& X, Index i, Index j) {
  double sum = 0;
  for (Index k = 0; k < X.cols(); ++k) sum += X(i, k) * X(j, k);
  return sum;
}

inline double slow_squared_distance(const Matrix& X, Index i, Index j) {
  double sum = 0;
  for (Index k = 0; k < X.cols(); ++k) sum += (X(i, k) - X(j, k)) * (X(i, k) - X(j, k));
  return sum;
}

inline double slow_absolute_distance(const Matrix& X, Index i, Index j) {
  double sum = 0;
  for (Index k = 0; k < X.cols(); ++k) sum += std::abs(X(i, k) - X(j, k));
  return sum;
}

inline Matrix slow_linear(const Matrix& X) {
  return slow_matrix(X.rows(), [&](Index i, Index j) { return slow_product(X, i, j); });
}

inline Matrix slow_rbf(const Matrix& X, double gamma) {
  return slow_matrix(X.rows(), [&](Index i, Index j) {
    return std::exp(-gamma * slow_squared_distance(X, i, j));
  });
}

inline Matrix slow_polynomial(const Matrix& X, double gamma, double coef0, Index degree) {
  return slow_matrix(X.rows(), [&](Index i, Index j) {
    return std::pow(gamma * slow_product(X, i, j) + coef0, static_cast<double>(degree));
  });
}

inline Matrix slow_laplacian(const Matrix& X, double gamma) {
  return slow_matrix(X.rows(), [&](Index i, Index j) {
    return std::exp(-gamma * slow_absolute_distance(X, i, j));
  });
}

inline Matrix slow_cosine(const Matrix& X) {
  return slow_matrix(X.rows(), [&](Index i, Index j) {
    return slow_product(X, i, j) / std::sqrt(slow_product(X, i, i) * slow_product(X, j, j));
  });
}

inline Matrix slow_jaccard(const Matrix& X) {
  return slow_matrix(X.rows(), [&](Index i, Index j) {
    double both = 0, either = 0;
    for (Index k = 0; k < X.cols(); ++k) {
      both += X(i, k) != 0 && X(j, k) != 0;
      either += X(i, k) != 0 || X(j, k) != 0;
    }
    return either == 0 ? 1.0 : both / either;
  });
}

/// Sum over the columns of f(x, y).
template <class Term>
double slow_sum(const Matrix& X, Index i, Index j, Term f) {
  double sum = 0;
  for (Index k = 0; k < X.cols(); ++k) sum += f(X(i, k), X(j, k));
  return sum;
}

inline double slow_minima(const Matrix& X, Index i, Index j) {
  return slow_sum(X, i, j, [](double x, double y) { return std::min(x, y); });
}

inline double slow_maxima(const Matrix& X, Index i, Index j) {
  return slow_sum(X, i, j, [](double x, double y) { return std::max(x, y); });
}

inline double slow_chi_square(const Matrix& X, Index i, Index j) {
  return slow_sum(
      X, i, j, [](double x, double y) { return x + y == 0 ? 0.0 : (x - y) * (x - y) / (x + y); });
}

inline Matrix slow_chi2(const Matrix& X, double gamma) {
  return slow_matrix(X.rows(),
                     [&](Index i, Index j) { return std::exp(-gamma * slow_chi_square(X, i, j)); });
}

inline Matrix slow_bray_curtis(const Matrix& X) {
  return slow_matrix(X.rows(), [&](Index i, Index j) {
    const double both = X.row(i).sum() + X.row(j).sum();
    return both == 0 ? 1.0 : 2 * slow_minima(X, i, j) / both;
  });
}

inline Matrix slow_ruzicka(const Matrix& X) {
  return slow_matrix(X.rows(), [&](Index i, Index j) {
    const double all = slow_maxima(X, i, j);
    return all == 0 ? 1.0 : slow_minima(X, i, j) / all;
  });
}

inline Matrix slow_tanimoto(const Matrix& X) {
  return slow_matrix(X.rows(), [&](Index i, Index j) {
    const double both = slow_product(X, i, j);
    const double rest = slow_product(X, i, i) + slow_product(X, j, j) - both;
    return rest == 0 ? 1.0 : both / rest;
  });
}

/// The angle from both legs, 2 atan2(|u - v|, |u + v|) of unit vectors: accurate for all angles.
inline Matrix slow_spectral_angle(const Matrix& X) {
  return slow_matrix(X.rows(), [&](Index i, Index j) {
    const double a = std::sqrt(slow_product(X, i, i)), b = std::sqrt(slow_product(X, j, j));
    double apart = 0, together = 0;
    for (Index k = 0; k < X.cols(); ++k) {
      const double u = X(i, k) / a, v = X(j, k) / b;
      apart += (u - v) * (u - v);
      together += (u + v) * (u + v);
    }
    return 1 - 4 * std::atan2(std::sqrt(apart), std::sqrt(together)) / std::numbers::pi;
  });
}

/// Values outside 0 to 1 are moved to the nearer end.
inline Matrix slow_ordinal(const Matrix& X) {
  return slow_matrix(X.rows(), [&](Index i, Index j) {
    const double apart = slow_sum(X, i, j, [](double x, double y) {
      return std::abs(std::clamp(x, 0.0, 1.0) - std::clamp(y, 0.0, 1.0));
    });
    return 1 - apart / static_cast<double>(X.cols());
  });
}

inline Matrix slow_categorical(const Matrix& X) {
  return slow_matrix(X.rows(), [&](Index i, Index j) {
    return slow_sum(X, i, j, [](double x, double y) { return x == y ? 1.0 : 0.0; }) /
           static_cast<double>(X.cols());
  });
}

/// From the singular value decomposition of X itself.
Matrix slow_latent_semantic(const Matrix& X, Index components);

/// The values of f over the pairs i < j, ascending.
template <class Entry>
std::vector<double> sorted_pairs(Index n, Entry f) {
  std::vector<double> values;
  for (Index i = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j) values.push_back(f(i, j));
  std::sort(values.begin(), values.end());
  return values;
}

/// Rows of X in the given order.
inline Matrix rows_of(const Matrix& X, const Indices& order) { return X(order, Eigen::all); }

/// K(order, order).
inline Matrix block_of(const Matrix& K, const Indices& order) { return K(order, order); }

inline double largest(const Matrix& A) { return A.size() == 0 ? 0.0 : A.cwiseAbs().maxCoeff(); }

}  // namespace mkc::test
