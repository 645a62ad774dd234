#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// The features of a view, on the samples that have it.
struct ViewFeatures {
  std::string view;
  Strings features;  // names
  Indices rows;      // which of the samples, one per row of values
  Matrix values;     // (rows, features); NaN = no value
};

/// What the features are compared with: axes, clusters, or both.
struct DriverTargets {
  Matrix axes;         // (N, a); a = 0: none
  Strings axis_names;  // (a)
  Indices clusters;    // (N) 0, 1, ...; -1 = in none; empty: no clusters
  Strings cluster_names;
};

/// "cluster 1", "cluster 2", ...
Strings cluster_names(Index count);

/// How strongly one feature goes with one target.
struct Driver {
  std::string view, feature, target;
  std::string measure;     // "correlation", "difference" or "eta2"
  double association = 0;  // NaN where the feature is constant or has too few values
  Index samples = 0;       // with a value
  Index rank = 0;          // among the features of the view for this target, 1 = the strongest
};

/// correlation  of the feature with an axis
/// difference   of its means in a cluster and outside, divided by the standard deviation within
/// eta2         share of its variance between clusters; target "clusters"
///
/// Per view and target, the strongest first; equal ones by name. InputError where sizes differ,
/// a view has fewer than three samples, or all samples are in one cluster.
std::vector<Driver> feature_drivers(const std::vector<ViewFeatures>& views,
                                    const DriverTargets& targets);

/// Shares of the variance of every view.
struct ViewShares {
  Matrix axes;      // (M, a) z_a' HK_mH z_a / tr HK_mH with z_a of length one
  Vector all_axes;  // (M) the same for the space of all axes; NaN without axes
  Vector clusters;  // (M) the same for the cluster means; NaN without clusters
};

/// Which views carry the axes and the clusters.
ViewShares view_shares(const std::vector<Matrix>& kernels, const Strings& views,
                       const Strings& samples, const DriverTargets& targets);

}  // namespace mkc
