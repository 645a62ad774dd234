#pragma once

#include <cstdint>

#include "mkc/problem/problem.hpp"

namespace mkc::test {

/// Views of one random low-dimensional state, with different kernels: the truth and what is hidden.
struct RandomProblem {
  Strings samples;            // "s0", "s1", ...
  Strings views;              // "v0", "v1", ...
  std::vector<Matrix> truth;  // (N, N) per view, PSD
  Mask observed;              // every sample has a view, every view at least 3 samples

  Problem problem() const;  // hidden rows are NaN before anything reads them
};

struct RandomProblemOptions {
  Index n_samples = 20;
  Index n_views = 3;
  double missing = 0.3;  // share of hidden (sample, view) pairs
  bool first_view_complete = false;
};

RandomProblem random_problem(std::uint64_t seed, const RandomProblemOptions& options = {});

/// The same problem with samples and views in another order: new sample i is old sample samples[i].
RandomProblem permuted(const RandomProblem& problem, const Indices& samples, const Indices& views);

}  // namespace mkc::test
