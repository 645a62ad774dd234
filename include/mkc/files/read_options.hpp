#pragma once

#include "mkc/files/view_spec.hpp"
#include "mkc/kernels/features.hpp"
#include "mkc/problem/replicates.hpp"
#include "mkc/problem/zero_rows.hpp"

namespace mkc::io {

/// How a view is read, beside what makes its kernel. Options of a view override those of all views.
struct ReadOptions {
  SamplesIn samples_in = SamplesIn::automatic;
  Replicates replicates = Replicates::error;
  ZeroRows zero_rows = ZeroRows::automatic;  // rows of zeros: missing samples, or values
  NaPolicy na_features = NaPolicy::error;    // single NaN cells in feature tables
};

/// Names, values and meanings: samples_in, replicates, zero_rows, na_features.
const OptionTable<ReadOptions>& read_option_table();

}  // namespace mkc::io
