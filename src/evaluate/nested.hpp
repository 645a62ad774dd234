#pragma once

#include <functional>

#include "mkc/problem/label_types.hpp"

namespace mkc {

/// A predictor with one parameter, its strength of regularisation, on the samples of one kernel.
struct Learner {
  std::vector<double> strengths;  // to choose from; of equally good ones the first is taken

  /// What is predicted for samples `asked` by a model of the samples `known`: class, number or
  /// risk.
  std::function<Vector(const Indices& known, const Indices& asked, double strength)> predict;

  /// The loss of that model on `asked`; smaller is better.
  std::function<double(const Indices& known, const Indices& asked, double strength)> loss;
};

/// Support vector machine (LIBSVM, one against one; C = 0.01, 0.1, ..., 1000), loss: wrong classes.
/// Kernel ridge regression (ridge = n 10^-5, ..., n 10), loss: squared errors.
/// Kernel Cox regression (cox.hpp; ridge = n 10^-3, ..., n 10), loss: the partial log-likelihood
/// that the samples `asked` lose (Verweij and van Houwelingen 1993).
///
/// K (n, n) should be of variance one (mkc/combine.hpp). All samples must be labelled. The learner
/// refers to K and target.
Learner svm_learner(const Matrix& K, const Labels& labels);
Learner ridge_learner(const Matrix& K, const Numbers& numbers);
Learner cox_learner(const Matrix& K, const Survival& survival);
Learner learner_for(const Matrix& K, const Target& target);

/// Folds 0 ... folds - 1 of samples that are all labelled: classes, and events, are spread evenly.
/// Draws are keyed by seed and sample name.
Indices folds_of(const Target& target, const Strings& samples, Index folds, std::uint64_t seed);

/// The kernel to learn from when the samples `known` are those of training: weights that use labels
/// are learnt from these only.
using KernelFor = std::function<Matrix(const Indices& known)>;

struct NestedPrediction {
  Vector predicted;  // (n) class, number or risk, by the model that did not see the sample
  Indices fold;      // (n)
};

/// Cross-validation within cross-validation: a sample is predicted from the other folds, and the
/// strength is chosen by folds within these.
NestedPrediction nested_cross_validation(const KernelFor& kernel_for, const Target& target,
                                         const Strings& samples, std::uint64_t seed,
                                         Index folds = 5);

}  // namespace mkc
