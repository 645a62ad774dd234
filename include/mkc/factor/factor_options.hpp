#pragma once

#include <optional>

#include "mkc/base/options.hpp"

namespace mkc::factor {

/// Options of completion in factor form. Empty: chosen by the number of samples.
struct FactorOptions {
  std::optional<Index> rank;       // features per view; larger: finer, slower, larger output
  std::optional<Index> landmarks;  // samples that span the features of a view; larger: finer
  std::optional<Index> anchors;    // samples that span the regression; larger: finer, slower
  Index sample = 4096;  // samples on which maps and options are learnt; larger: finer, more memory
  Index block = 16384;  // rows of a block; larger: more memory
  double coverage = 0.9;  // nominal probability of the intervals
};

OptionTable<FactorOptions> factor_options();

/// The options with the values that so many samples choose; OptionError for those out of range.
FactorOptions settled(FactorOptions options, Index n_samples);

}  // namespace mkc::factor
