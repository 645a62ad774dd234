#pragma once

#include <cstdint>

#include "mkc/base/options.hpp"
#include "mkc/base/types.hpp"

namespace mkc {

/// One view of a synthetic data set: measurements of all samples, and the options of their kernel.
struct ExampleView {
  std::string name;
  Matrix features;      // (N, d)
  OptionValues kernel;  // e.g. {{"kernel", "rbf"}, {"gamma", "0.02"}, {"scale", "none"}}
};

/// A synthetic data set: hidden values are known and can be compared with completed ones.
struct Example {
  Strings samples;
  std::vector<ExampleView> views;
  Mask observed;  // (N, M), false = hidden
};

/// Samples in four groups, described by four views of one low-dimensional state, each with noise of
/// its own and another kernel: expression (rbf), methylation (laplacian), protein (linear) and
/// mutations (jaccard on 0/1). `missing` is the share of (sample, view) pairs that are hidden;
/// every sample keeps at least one view.
Example make_example(Index n_samples = 150, double missing = 0.25, std::uint64_t seed = 1);

}  // namespace mkc
