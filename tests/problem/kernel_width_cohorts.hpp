#pragma once

#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "kernels/distances.hpp"
#include "kernels/functions.hpp"
#include "numeric/blocks.hpp"
#include "problem/kernel_width.hpp"

/// Made-up views for which the right width of a kernel is known.
namespace mkc::test {

inline Matrix normal_matrix(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  return Matrix::NullaryExpr(rows, cols, [&] { return random.normal(); });
}

/// Views of features, each with distances or a kernel, on the samples it has.
struct Cohort {
  Strings samples;
  Strings names = {};             // of the views; empty: v00, v01, ...
  std::vector<Indices> rows;      // per view
  std::vector<Matrix> distances;  // per view
  std::vector<bool> is_free;      // false: the view is a kernel of median width

  std::vector<WidthChoice> choose(int threads = 1) const {
    std::vector<WidthView> views;
    for (std::size_t m = 0; m < rows.size(); ++m) {
      views.push_back({rows[m], is_free[m] ? &distances[m] : nullptr, {}});
      views.back().name = names.empty() ? fmt::format("v{:02}", m) : names[m];
      if (!is_free[m])
        views.back().kernel = exponential_of_distances(distances[m], median_gamma(distances[m]));
    }
    return choose_widths(views, samples, threads);
  }
};

inline Indices range(Index n) {
  Indices all;
  for (Index i = 0; i < n; ++i) all.push_back(i);
  return all;
}

inline Cohort cohort_of(const std::vector<Matrix>& features) {
  Cohort cohort;
  for (const Index i : range(features[0].rows())) cohort.samples.push_back("p" + std::to_string(i));
  for (const auto& X : features) {
    cohort.rows.push_back(range(X.rows()));
    cohort.distances.push_back(squared_distances(X));
    cohort.is_free.push_back(true);
  }
  return cohort;
}

/// The view keeps only these of its rows.
inline void keep(Cohort& cohort, std::size_t m, const Indices& kept) {
  cohort.distances[m] = submatrix(cohort.distances[m], kept, kept);
  Indices rows;
  for (const Index i : kept) rows.push_back(cohort.rows[m][at(i)]);
  cohort.rows[m] = rows;
}

/// A closed curve that returns near itself: neighbours on it are found with narrow kernels only.
inline std::vector<Matrix> winding_features(Index n, std::size_t views = 3,
                                            double noise_level = 0.1) {
  Random random(7);
  const Vector t = Vector::NullaryExpr(n, [&] { return random.uniform(0, 2 * std::numbers::pi); });
  std::vector<Matrix> features;
  for (std::size_t m = 0; m < views; ++m) {
    Matrix X = noise_level * normal_matrix(n, 8, 20 + m);
    for (Index j = 0; j < 8; ++j) {
      const double turns = 4 + static_cast<double>(random.below(5)), start = random.uniform(0, 6);
      X.col(j).array() += (turns * t.array() + start).cos();
    }
    features.push_back(X);
  }
  return features;
}

inline Cohort winding(Index n, std::size_t views = 3, double noise_level = 0.1) {
  return cohort_of(winding_features(n, views, noise_level));
}

/// Many coordinates in common, in linear relations: in so many dimensions no sample is near
/// another, and the kernel of median width is close to the identity.
inline Cohort many_coordinates(Index n) {
  const Matrix u = normal_matrix(n, 40, 1);
  std::vector<Matrix> features;
  for (std::uint64_t m = 0; m < 3; ++m)
    features.push_back(u * normal_matrix(40, 60, 2 + m) + 0.5 * normal_matrix(n, 60, 12 + m));
  return cohort_of(features);
}

inline Cohort linear_relations(Index n, std::uint64_t seed) {
  const Matrix u = normal_matrix(n, 3, seed);
  std::vector<Matrix> features;
  for (std::uint64_t m = 1; m <= 3; ++m)
    features.push_back(u * normal_matrix(3, 20, 10 * seed + m) +
                       1.5 * normal_matrix(n, 20, 100 * seed + m));
  return cohort_of(features);
}

inline Cohort noise(Index n, std::uint64_t seed) {
  return cohort_of({normal_matrix(n, 10, 3 * seed), normal_matrix(n, 10, 3 * seed + 1),
                    normal_matrix(n, 10, 3 * seed + 2)});
}

}  // namespace mkc::test
