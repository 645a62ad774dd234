#pragma once

#include <utility>

#include "mkc/problem/labels.hpp"
#include "mkc/problem/problem.hpp"

namespace mkc {

/// How well classes are predicted, and found as clusters, from a combined kernel.
struct LabelScores {
  std::string on;  // "all": every labelled sample; "complete": those observed in every view
  Index samples = 0;
  double accuracy = 0;           // of cross-validated support vector machines
  double balanced_accuracy = 0;  // its mean over the classes
  double nmi = 0, ari = 0;       // clusters against classes
};

/// The scores by the names they have in files.
inline constexpr std::pair<const char*, double LabelScores::*> label_score_fields[] = {
    {"accuracy", &LabelScores::accuracy},
    {"balanced_accuracy", &LabelScores::balanced_accuracy},
    {"nmi", &LabelScores::nmi},
    {"ari", &LabelScores::ari}};

/// Scores of the views' kernels (N, N), combined with equal weights: on all labelled samples, and
/// of the same predictions and clusters on those that `problem` observes in every view.
std::vector<LabelScores> label_scores(const Problem& problem, const std::vector<Matrix>& kernels,
                                      const Labels& labels, std::uint64_t seed);

/// The same without the samples that lack a view: what is possible without completion. One entry,
/// "complete". Throws InputError where fewer than 10 labelled samples or two classes remain.
std::vector<LabelScores> complete_case_scores(const Problem& problem, const Labels& labels,
                                              std::uint64_t seed);

}  // namespace mkc
