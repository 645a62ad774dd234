#pragma once

#include <optional>
#include <string>

#include "mkc/kernels/kernel_options.hpp"

namespace mkc {

/// What the values of a feature table look like; each type has its transform and kernel
/// (docs/reference/kernels.md).
enum class FeatureType {
  continuous,    // anything that is none of the others
  one_unit,      // columns that vary by similar amounts: they are not scaled
  skewed,        // not negative, columns reach far up
  heavy_tails,   // both signs, long tails
  counts,        // whole numbers of molecules, reads, ...
  abundances,    // parts of a whole: counts of species with many zeros, or rows of one sum
  text,          // how often a word is in a document: mostly zeros, then ones
  text_weights,  // the same, weighted (tf-idf): mostly zeros
  binary,        // two values
  one_hot,       // two values, every row has the same number of each
  proportions,   // between 0 and 1
  ordinal,       // few ordered steps: answers from 1 to 5, copy numbers from -2 to 2; ranks
};
const std::string& feature_type_name(FeatureType type);  // in words: "word counts"

struct RecognisedFeatures {
  FeatureType type = FeatureType::continuous;
  std::string evidence;  // "whole numbers from 0 to 51234, 12 % zeros"
};

/// The type of features by their values alone; the order of rows does not matter.
RecognisedFeatures recognise_features(const MatrixRef& X);  // (n, d); NaN where a cell is missing

/// Options in which only gamma may still be automatic.
struct SettledKernel {
  KernelOptions options;
  std::optional<RecognisedFeatures> features;  // where kernel was auto
};

/// What is automatic in the options is settled by the type of the features, the rest stays as it
/// is. With a named kernel, transform and library_size are none where they are automatic.
SettledKernel settled(const MatrixRef& X, const KernelOptions& options);

}  // namespace mkc
