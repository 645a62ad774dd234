#pragma once

#include "mkc/files/view_spec.hpp"
#include "mkc/kernels/features.hpp"

namespace mkc::io {

/// What to do with several rows of one sample.
enum class Replicates { error, first, mean };

/// How a view is read, beside what makes its kernel. Options of a view override those of all views.
struct ReadOptions {
  SamplesIn samples_in = SamplesIn::automatic;
  Replicates replicates = Replicates::error;
  NaPolicy na_features = NaPolicy::error;  // single NaN cells in feature tables
};

/// Names, values and meanings: samples_in, replicates, na_features.
const OptionTable<ReadOptions>& read_option_table();

}  // namespace mkc::io
