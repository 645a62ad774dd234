#include "mkc/problem/synthetic.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/random.hpp"

namespace mkc {

namespace {

constexpr Index n_groups = 4;
constexpr Index n_factors = 5;

Matrix normal_matrix(Index rows, Index cols, Random& random) {
  return Matrix::NullaryExpr(rows, cols, [&](Index, Index) { return random.normal(); });
}

// Group centres plus within-group variation: the state every view looks at. (N, n_factors)
Matrix latent_states(Index n_samples, std::uint64_t seed) {
  Random random(seed, "states");
  const Matrix centres = 1.5 * normal_matrix(n_groups, n_factors, random);
  Matrix states = 0.7 * normal_matrix(n_samples, n_factors, random);
  for (Index i = 0; i < n_samples; ++i) states.row(i) += centres.row(i % n_groups);
  return states;
}

// d measurements: squashed linear functions of the state, plus noise. (N, d)
Matrix measurements(const Matrix& states, Index d, double noise, std::uint64_t seed,
                    const std::string& view) {
  Random random(seed, "measurements", view);
  const Matrix loadings = normal_matrix(n_factors, d, random) / std::sqrt(double(n_factors));
  const Matrix clean = (states * loadings).array().tanh();
  return clean + noise * normal_matrix(states.rows(), d, random);
}

// Hides each (sample, view) pair with the given probability, keyed by names; a sample that would
// lose every view keeps the one with the largest draw.
Mask hide(const Strings& samples, const std::vector<ExampleView>& views, double missing,
          std::uint64_t seed) {
  const auto n_views = static_cast<Index>(views.size());
  Mask observed(static_cast<Index>(samples.size()), n_views);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Eigen::ArrayXd draws(n_views);
    for (Index m = 0; m < n_views; ++m)
      draws(m) = Random(seed, samples[i], views[at(m)].name).uniform();
    Index kept = 0;
    draws.maxCoeff(&kept);
    for (Index m = 0; m < n_views; ++m)
      observed(static_cast<Index>(i), m) = draws(m) >= missing || m == kept;
  }
  return observed;
}

}  // namespace

Example make_example(Index n_samples, double missing, std::uint64_t seed) {
  Example example;
  for (Index i = 0; i < n_samples; ++i) example.samples.push_back(fmt::format("S{:03}", i + 1));
  const Matrix states = latent_states(n_samples, seed);
  const auto measure = [&](const std::string& view, Index d, double noise) {
    return measurements(states, d, noise, seed, view);
  };
  example.views = {
      {"expression",
       measure("expression", 60, 0.4),
       {{"kernel", "rbf"}, {"gamma", "0.02"}, {"scale", "none"}}},
      {"methylation",
       measure("methylation", 40, 0.3),
       {{"kernel", "laplacian"}, {"gamma", "0.03"}, {"scale", "none"}}},
      {"protein", measure("protein", 25, 0.3), {{"kernel", "linear"}, {"scale", "none"}}},
      {"mutations",
       (measure("mutations", 50, 0.3).array() > 0.3).cast<double>(),
       {{"kernel", "jaccard"}}},
  };
  example.observed = hide(example.samples, example.views, missing, seed);
  return example;
}

}  // namespace mkc
