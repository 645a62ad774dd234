#pragma once

#include <optional>

#include "mkc/kernels/features.hpp"
#include "mkc/kernels/normalize.hpp"
#include "mkc/problem/mask.hpp"
#include "mkc/problem/problem.hpp"
#include "mkc/problem/view.hpp"
#include "mkc/problem/view_recipe.hpp"

namespace mkc {

/// Which samples a problem is about.
struct SampleChoice {
  enum class Kind { all, in_every_view, listed };  // all: the union over the views
  Kind kind = Kind::all;
  Strings list;      // for listed: these, in this order
  std::string path;  // where the list came from, for messages
};

struct AssembleOptions {
  NaPolicy na_features = NaPolicy::error;  // single NaN cells in feature tables
  SampleChoice samples;
  ProblemChecks checks;              // what to do with kernels that are not PSD
  KernelTransformOptions transform;  // for views without such options of their own
  std::optional<MaskTable> mask;     // 0 hides a sample from a view
  bool keep_recipes = false;         // for new samples: keeps the features
};

/// How a view became a kernel, in words for people and for meta_info.json.
struct ViewSummary {
  std::string name;
  std::string source;
  ViewKind kind;
  Index n_features = 0;  // 0 for a kernel
  std::string kernel;    // "log1p, rbf, gamma 0.012" or "precomputed"
  SamplesIn samples_in = SamplesIn::rows;
  OptionValues kernel_options;          // all that made the kernel, and its normalisation
  std::string samples_in_because = {};  // the evidence for that side; "" where there is no choice
  std::string zero_rows = {};           // "missing" or "values"; "" if there are none
  Strings examples = {};                // ids of the first samples as the file has them
  std::string feature_type = {};        // "counts": what kernel=auto took the features for
  std::string feature_evidence = {};    // "whole numbers from 0 to 51234, 12 % zeros"
  std::string width_evidence = {};      // why gamma is not the median; "" where it is
};

/// What is known of a view before its kernel is made.
ViewSummary summary_of(const View& view);

struct Assembled {
  Problem problem;
  std::vector<KernelTransformOptions> transforms;  // one per view
  std::vector<ViewSummary> views;
  Strings notices;
  std::vector<ViewRecipe> recipes;  // one per view; empty without keep_recipes
};

/// Leaves out of every view the samples the mask hides. InputError where samples or views differ.
void mask_views(std::vector<View>& views, const MaskTable& mask);

/// Which sample is observed in which view.
struct Alignment {
  Strings samples;  // of the union in the order of first appearance, or of the list in its order
  Mask observed;    // (samples, views)
};

/// Union of the samples, mask and choice applied. InputError for a mask or a list with other
/// samples, or two views of the same name.
Alignment align_samples(const std::vector<View>& views, const AssembleOptions& options);

/// InputError where a view, or a group of views, shares too few samples with the others to be
/// completed from them. Returns notices on views that share few.
Strings check_shared_samples(const std::vector<View>& views, const Alignment& alignment);

/// Views of different sample sets to one problem: aligned by id, feature tables turned into kernels
/// on the samples they have. InputError where a view shares no sample with any other.
Assembled assemble(std::vector<View> views, const AssembleOptions& options);

}  // namespace mkc
