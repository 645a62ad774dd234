#pragma once

#include <cstdint>

#include "mkc/base/types.hpp"

namespace mkc {

/// A class for some of the samples.
struct Labels {
  Strings classes;    // names, sorted
  Indices of_sample;  // (N) index of the class; -1 = the sample has none

  Indices labelled() const;                      // samples with a class, ascending
  Labels restricted(const Indices& rows) const;  // for samples rows[0], rows[1], ...
};

/// Classes from texts, one per sample; "" = none.
Labels make_labels(const Strings& texts);

/// InputError unless there are two classes, each with two members or more: what cross-validation
/// needs.
void check_classes(const Labels& labels, const Strings& samples);

/// A fold 0 ... folds - 1 for every sample; every class is spread over the folds evenly. All
/// samples must be labelled. Draws are keyed by seed and sample name.
Indices stratified_folds(const Labels& labels, const Strings& samples, Index folds,
                         std::uint64_t seed);

/// Share of correct predictions, and its mean over the classes that occur (balanced accuracy).
double accuracy(const Indices& truth, const Indices& predicted);
double balanced_accuracy(const Indices& truth, const Indices& predicted);

/// Agreement of two partitions of the same samples, which may use different names for the parts.
/// Normalised mutual information 2 I(a, b) / (H(a) + H(b)), and the Rand index adjusted for chance.
double normalized_mutual_information(const Indices& a, const Indices& b);
double adjusted_rand_index(const Indices& a, const Indices& b);

}  // namespace mkc
