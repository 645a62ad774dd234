#pragma once

#include <string>

#include "mkc/problem/assemble.hpp"
#include "mkc/problem/result.hpp"

/// What `mkc complete` prints.
namespace mkc::app {

/// One line per view (samples, missing samples, kernel), then the totals. `samples`: --samples.
std::string view_table(const Assembled& assembled, const std::string& samples);

/// Per view: errors of hidden rows beside those of its average row and of the mean of the other
/// views, the share recovered, and the verdict.
std::string quality_table(const Problem& problem, const Quality& quality);

/// The method with its options; for `auto`, the methods it used and their mean weights.
std::string methods_used(const Completion& completion);

/// A line per view: the side its samples are on, the first ids, and the evidence for rows.
std::string side_lines(const std::vector<ViewSummary>& views);

/// What kernel=auto took features for, why, and what it does with them: one line per view.
std::string type_lines(const std::vector<ViewSummary>& views);

}  // namespace mkc::app
