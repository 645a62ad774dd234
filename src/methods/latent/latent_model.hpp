#pragma once

#include <memory>

#include "methods/latent/latent_kernels.hpp"

namespace mkc::latent {

/// What decides a model.
struct Settings {
  bool log = false;  // -log features where a view has them
  Index rank = 0;
  double ridge = 0.1;
  Index groups = 1;
  Index learning_rows = 120;  // on which weights are learnt: they hardly change with more
};

/// What is applied to a model.
struct Variant {
  double noise;
  LatentLength length;
};

/// Features per view used as sources by default: an eighth of the samples, 10 to 40.
Index default_rank(Index n_samples);

/// Views in groups by single linkage on how much of a view another explains; (M) group of a view.
struct Linkage {
  Matrix similarity;  // (M, M) symmetric

  /// The partition into `groups` groups, numbered in the order of the views.
  Indices cut(Index groups) const;
  /// The strongest similarity between views of different groups.
  double strongest_cut(const Indices& group) const;
};

class Model {
 public:
  Model(const Problem& problem, const Settings& settings, int threads);

  CompletedView view(Index m, const Variant& variant) const;

  /// kernels[variant][view]; cheapest where variants of equal noise follow one another.
  std::vector<std::vector<Matrix>> kernels(const std::vector<Variant>& variants) const;

  const Linkage& linkage() const { return linkage_; }
  const Indices& groups() const { return groups_; }
  Matrix relations() const;  // (M, M) shares of the sources in each view
  Index iterations() const { return iterations_; }

 private:
  void fit();
  void read_views(bool refit_patterns);
  Indices sources_of(Index m) const;

  const Problem& problem_;
  int threads_;
  double ridge_;
  Index learning_rows_;
  std::vector<ViewPattern> patterns_;
  std::vector<ViewFeatures> features_;
  std::vector<Matrix> grams_;  // (N, N) of completed features
  std::vector<std::unique_ptr<Reader>> readers_;
  Indices groups_;
  Linkage linkage_;
  Index iterations_ = 0;
};

}  // namespace mkc::latent
