#pragma once

#include "select/hidden_rows.hpp"

namespace mkc {

/// Which candidates a mixture can do without: those whose share of the weights could go to others
/// at a loss of at most 0.3 % of the mean error, all that are dropped taken together, and one
/// standard error of that loss included. Weights are those of each view, fitted on the rows
/// themselves, so that a candidate looks rather too useful than too useless. The dearest is tried
/// first.
///
/// `costs`: of keeping a candidate, per candidate of the rows; 0: it is kept. True = dropped.
std::vector<bool> dispensable(const std::vector<HiddenRow>& rows, Index n_views, Index n_samples,
                              const std::vector<double>& costs);

}  // namespace mkc
