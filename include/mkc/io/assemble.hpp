#pragma once

#include <optional>

#include "mkc/io/mask.hpp"
#include "mkc/io/view.hpp"
#include "mkc/kernels/features.hpp"
#include "mkc/kernels/normalize.hpp"
#include "mkc/problem.hpp"

namespace mkc::io {

struct AssembleOptions {
  NaPolicy na_features = NaPolicy::error;  // single NaN cells in feature tables
  ProblemChecks checks;                    // what to do with kernels that are not PSD
  KernelTransformOptions transform;        // for views that do not say otherwise
  std::optional<MaskTable> mask;           // 0 hides a sample from a view
};

/// How a view became a kernel, in words for people and for meta_info.json.
struct ViewSummary {
  std::string name;
  std::string source;
  ViewKind kind;
  Index n_features = 0;  // 0 for a kernel
  std::string kernel;    // "rbf, gamma 0.012" or "precomputed"
};

struct Assembled {
  Problem problem;
  std::vector<KernelTransformOptions> transforms;  // one per view
  std::vector<ViewSummary> views;
  Strings notices;
};

/// Leaves out of every view the samples the mask hides. InputError where they do not fit.
void mask_views(std::vector<View>& views, const MaskTable& mask);

/// Views of different sample sets to one problem: aligned by id (union, in the order of first
/// appearance), masked, feature tables turned into kernels on the samples they have.
Assembled assemble(std::vector<View> views, const AssembleOptions& options);

}  // namespace mkc::io
