#pragma once

#include <utility>

#include "mkc/problem/label_types.hpp"
#include "mkc/problem/problem.hpp"

namespace mkc {

/// How well labels are predicted from a combined kernel, and classes found as clusters. NaN for
/// scores of other types of labels.
struct LabelScores {
  std::string on;  // "all": every labelled sample; "complete": those observed in every view
  Index samples = 0;
  double accuracy = 0;           // of cross-validated support vector machines
  double balanced_accuracy = 0;  // its mean over the classes
  double nmi = 0, ari = 0;       // clusters against classes
  double r2 = 0;                 // of cross-validated kernel ridge regression
  double concordance = 0;        // Harrell's, of cross-validated kernel Cox regression
  /// Of the main score (accuracy, r2 or concordance), over the choice of samples: the jackknife.
  double standard_error = 0;
};

/// The scores by the names they have in files, and the type of labels they belong to.
struct LabelScoreField {
  const char* name;
  double LabelScores::* field;
  LabelType type;
};
inline constexpr LabelScoreField label_score_fields[] = {
    {"accuracy", &LabelScores::accuracy, LabelType::classes},
    {"balanced_accuracy", &LabelScores::balanced_accuracy, LabelType::classes},
    {"nmi", &LabelScores::nmi, LabelType::classes},
    {"ari", &LabelScores::ari, LabelType::classes},
    {"r2", &LabelScores::r2, LabelType::numbers},
    {"concordance", &LabelScores::concordance, LabelType::survival}};

/// How the views are weighted before they are added (mkc/combine.hpp). alignment and alignf learn
/// the weights from the labels of the training samples of every fold.
enum class ViewWeighting { mean, alignment, alignf };

inline const Strings view_weighting_names = {"mean", "alignment", "alignf"};

/// Scores of the views' kernels (N, N), combined: on all labelled samples, and of the same
/// predictions and clusters on those that `problem` observes in every view. Cross-validation is
/// nested: the strength of regularisation, and weights that use labels, are chosen within the
/// training samples of each of its five folds. Clusters are of equal weights.
std::vector<LabelScores> label_scores(const Problem& problem, const std::vector<Matrix>& kernels,
                                      const Target& target, std::uint64_t seed,
                                      ViewWeighting weighting = ViewWeighting::mean);

/// The same without the samples that lack a view: what is possible without completion. One entry,
/// "complete". Throws InputError where fewer than 10 labelled samples, two classes or five events
/// remain.
std::vector<LabelScores> complete_case_scores(const Problem& problem, const Target& target,
                                              std::uint64_t seed,
                                              ViewWeighting weighting = ViewWeighting::mean);

}  // namespace mkc
