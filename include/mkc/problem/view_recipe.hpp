#pragma once

#include <optional>

#include "mkc/kernels/trained_kernel.hpp"
#include "mkc/problem/view.hpp"

namespace mkc {

/// How new samples of a view become kernel rows.
struct ViewRecipe {
  ViewKind kind = ViewKind::kernel;
  SamplesIn samples_in = SamplesIn::rows;  // of the training file
  // Of features:
  Index columns = 0;      // in the training file
  Indices kept_columns;   // those used, ascending
  Strings feature_names;  // of the used ones; empty for arrays without names
  Vector fill;            // (used) for single missing cells; empty: they are refused
  std::optional<TrainedKernel> kernel;
  std::vector<CategoryColumn> categories = {};  // with the words of training; columns of the used
};

}  // namespace mkc
