#pragma once

#include <algorithm>
#include <vector>

#include "mkc/base/types.hpp"

namespace mkc {

struct HiddenRow;

/// Hidden rows in folds; all rows of a sample are in one. The rows of a judged fold are measured
/// with what was chosen and fitted on the other folds.
struct Folds {
  std::vector<int> of_row;
  std::vector<int> judged;

  /// Where the fold of a row is in `judged`; its size where it is not.
  std::size_t place(std::size_t row) const {
    return static_cast<std::size_t>(std::find(judged.begin(), judged.end(), of_row[row]) -
                                    judged.begin());
  }
  bool judges(std::size_t row) const { return place(row) < judged.size(); }
};

/// The samples (N), true = judges: about half of them, by the hash of their names.
std::vector<bool> judging_half(const Strings& samples);

/// Five folds by the hash of the sample, all of them judged. Where rows are divided into halves
/// (HiddenRow::judges), those that judge are one more fold, the only one that is judged.
Folds folds_of(const std::vector<HiddenRow>& rows, const Strings& samples);

}  // namespace mkc
