#pragma once

#include "mkc/problem/labels.hpp"

namespace mkc {

/// values[rows[0]], values[rows[1]], ...
template <class Values>
Values picked(const Values& values, const Indices& rows) {
  Values result;
  for (const Index i : rows) result.push_back(values[at(i)]);
  return result;
}

/// The class that a support vector machine (LIBSVM, one against one) predicts for each sample,
/// trained on the other folds of a stratified cross-validation. C is chosen from 0.01, 0.1, ...,
/// 1000 by a cross-validation within the training samples; of equally good ones the smallest.
///
/// K (n, n) should be of variance one (mkc/combine.hpp); labels.of_sample and samples have n
/// entries, all labelled. Draws are keyed by seed and sample names.
Indices cross_validated_svm(const MatrixRef& K, const Labels& labels, const Strings& samples,
                            std::uint64_t seed, Index folds = 5);

}  // namespace mkc
