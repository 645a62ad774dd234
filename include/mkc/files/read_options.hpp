#pragma once

#include "mkc/files/view_spec.hpp"
#include "mkc/kernels/features.hpp"
#include "mkc/problem/replicates.hpp"
#include "mkc/problem/zero_rows.hpp"

namespace mkc::io {

/// Which of day and month comes first in 3/5/2021. automatic: what the whole column makes plain.
enum class DateOrder { automatic, dmy, mdy };
const Strings& date_order_names();  // "auto", "dmy", "mdy"

/// How a view is read, beside what makes its kernel. Options of a view override those of all views.
struct ReadOptions {
  SamplesIn samples_in = SamplesIn::automatic;
  Replicates replicates = Replicates::error;
  ZeroRows zero_rows = ZeroRows::automatic;  // rows of zeros: missing samples, or values
  NaPolicy na_features = NaPolicy::error;    // single NaN cells in feature tables
  Strings categories = {};                   // columns whose cells are words, also where numbers
  DateOrder dates = DateOrder::automatic;    // of 3/5/2021
};

/// Names, values and meanings: samples_in, replicates, zero_rows, na_features, categories, dates.
const OptionTable<ReadOptions>& read_option_table();

}  // namespace mkc::io
