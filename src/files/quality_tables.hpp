#pragma once

#include "mkc/problem/problem.hpp"
#include "mkc/problem/result.hpp"

namespace mkc::io {

/// quality.tsv: one line per completed (sample, view): the views the sample has, estimated relative
/// error of its row, the interval and whether it is known; then the figures of the view, where it
/// was judged. In the order of the views, then of the samples.
std::string quality_table(const Strings& samples, const Strings& views, const Mask& observed,
                          const Quality& quality);
std::string quality_table(const Problem& problem, const Quality& quality);

/// candidates.tsv: one line per candidate and view: weight, held-out error, or why it did not run.
std::string candidate_table(const Problem& problem, const std::vector<CandidateRecord>& candidates);

}  // namespace mkc::io
