#pragma once

#include "methods/latent/latent_components.hpp"
#include "methods/latent/latent_features.hpp"

namespace mkc::latent {

/// A view read from the other views: every missing row as an affine combination of observed rows.
struct Reading {
  Matrix weights;     // (n, missing) columns sum to 1
  Vector variance;    // (missing) of what the combination leaves open, in units of tr(gram) / n
  Matrix covariance;  // (r, r) of the features left open, mean over missing rows; only where `log`
};

/// The part of reading a view that does not depend on the noise factor.
///
/// The target's features are a Gaussian process over the sources: for a pattern with sources o,
///   C = sum_{l in o} w_l G_l + noise I,   W = C_II^-1 C_It + 1/n   (G centred on the rows I),
/// with w and the noise of maximal likelihood on observed rows. What stays open is measured by
/// leaving out each observed row in turn, e_i = (C^-1 Y)_i / (C^-1)_ii, and spread over the missing
/// rows by the variances of the process, c_tt - c_tI C_II^-1 c_It + (1 + 1/n) noise.
class Reader {
 public:
  /// `grams`: (N, N) of every view's features, completed. `sources`: the views that may be used.
  /// `learning_rows`: observed rows of the view on which weights are learnt, at most.
  /// `start`: weights to start from, one per source, may be null.
  Reader(const Problem& problem, const std::vector<ViewPattern>& patterns,
         const std::vector<ViewFeatures>& features, const std::vector<Matrix>& grams, Index view,
         Indices sources, Index learning_rows, bool refit_patterns, const Components* start);

  Reading read(double noise_factor) const;

  const Components& components() const { return components_; }  // of all sources

  /// (sources) share of each source in the variance of the target, noise included in the whole.
  const Vector& shares() const { return shares_; }

 private:
  struct Group {            // missing rows with the same views
    Indices columns;        // positions among the view's missing rows
    Components components;  // weight 0: not one of its sources
    bool has_sources = false;
  };
  struct Process {  // of a group with n observed and `count` missing rows
    Matrix C, c;    // (n, n), (n, count)
    Vector own;     // (count)
  };
  void add_source(Index l, const Matrix& G, const Indices& I, const Indices& T);
  double learn_components(const Components* start);
  Group make_group(const ViewPattern& pattern, const Indices& T, bool learnable) const;
  void fit_group(const ViewPattern& pattern, double variance, bool refit, Group& group) const;
  Process process_of(const Group& group, const Components& components) const;
  Matrix left_out_gram(const Matrix& Q, const Vector& predicted) const;
  void read_group(const Group& group, double noise_factor, Reading& reading) const;
  void read_mean(const Group& group, Reading& reading) const;

  const ViewFeatures& target_;
  Indices sources_;
  Indices learning_;           // positions of the observed rows on which weights are learnt
  Matrix target_gram_;         // (learning, learning), centred there
  Grams grams_;                // per source (n, n), centred on the observed rows
  std::vector<Matrix> cross_;  // per source (n, missing)
  std::vector<Vector> own_;    // per source (missing)
  Grams learning_grams_;
  Components components_;
  Vector shares_;
  std::vector<Group> groups_;
  Index missing_ = 0;
};

}  // namespace mkc::latent
