#pragma once

#include "mkc/problem/labels.hpp"

namespace mkc {

/// The class a support vector machine (LIBSVM, one against one) gives each sample when it is
/// trained on the other folds of a stratified cross-validation. C is chosen from 0.01, 0.1, ...,
/// 1000 by a further cross-validation within the training samples; of equally good ones the
/// smallest.
///
/// K (n, n) should be of variance one (evaluate/combine.hpp); labels.of_sample and samples have n
/// entries, all labelled. Draws are keyed by seed and sample names.
Indices cross_validated_svm(const MatrixRef& K, const Labels& labels, const Strings& samples,
                            std::uint64_t seed, Index folds = 5);

}  // namespace mkc
