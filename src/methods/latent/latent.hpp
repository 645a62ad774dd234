#pragma once

#include <optional>

#include "mkc/methods/method.hpp"
#include "mkc/problem/metrics.hpp"

namespace mkc {

/// In which space the views are related linearly.
enum class LatentDomain {
  automatic,  // chosen on held-out rows
  kernel,     // features of the kernel itself
  log,        // features of -log k_ij, in views where that is a squared Euclidean distance
};

/// What becomes of the length of a completed row where the observed diagonal is one constant.
enum class LatentLength {
  automatic,  // chosen on held-out rows
  shorten,    // never longer than the diagonal allows
  balance,    // squared length + conditional variance = diagonal
  full,       // squared length = diagonal
};

/// Options of `latent`. A field left empty or automatic (`auto`) is chosen on held-out rows.
struct LatentOptions {
  LatentDomain domain = LatentDomain::automatic;
  std::optional<Index> rank;    // features of a view that serve as sources; larger: finer, slower
  std::optional<double> ridge;  // of the joint covariance, relative; larger: views less related
  std::optional<double> noise;  // factor on the estimated noise; larger: nearer to the mean
  std::optional<Index> groups;  // of views that share nothing; larger: fewer sources per view
  LatentLength length = LatentLength::automatic;
  Measure measure = Measure::are;  // of the errors on held-out rows
};

/// `latent`: the views' features side by side as one Gaussian with missing blocks; each view is
/// read from those a sample has, with weights learnt per view (docs/methods/latent.md).
Method latent_method();

OptionTable<LatentOptions> latent_options();

}  // namespace mkc
