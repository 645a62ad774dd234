#pragma once

#include <optional>

#include "methods/shared/reconstruction.hpp"
#include "mkc/methods/method.hpp"
#include "mkc/problem/hiding.hpp"

namespace mkc {

/// How much each source view counts in G.
enum class SourceWeights {
  equal,
  loo,  // 1 / its leave-one-out error in predicting the view, cubed: better views count more
};

/// Which views a missing sample is predicted from.
enum class SourceViews {
  all,       // all other views, completed where the sample lacks them
  observed,  // in the last pass only the views the sample really has
  automatic,
};

/// What of a view is predicted.
enum class TargetDomain {
  kernel,
  log,  // where -log of the view is a squared distance: the points behind it; else the kernel
  automatic,
};

/// A constant added to G.
enum class Intercept {
  no,   // a sample unlike all others gets small kernel values
  yes,  // weights sum to about 1: a sample unlike all others gets the mean of all
  automatic,
};

/// What is done with completed samples whose own k(t, t) is not what it should be.
enum class TransferDiagonal {
  none,
  add,    // as in the embedding methods: what is missing is added to the diagonal
  scale,  // the whole row is scaled to it: right where views agree in direction, as cosines do
  automatic,
};

/// Options of `transfer`. `automatic` and empty fields are chosen on held-out observed rows.
struct TransferOptions {
  std::optional<double> gamma;  // G = exp(-gamma distance); larger: only near samples count; 0: no
  std::optional<double> ridge;  // added to the diagonal of G; larger is smoother
  Intercept intercept = Intercept::automatic;
  SourceWeights weights = SourceWeights::loo;
  SourceViews sources = SourceViews::automatic;
  TargetDomain target = TargetDomain::automatic;
  TransferDiagonal diagonal = TransferDiagonal::automatic;
  Measure measure = Measure::are;  // what is minimised on held-out rows where options are chosen
  double tol = 5e-3;               // stop once a round changes the kernels by less, relative
  Index max_iter = 20;             // rounds over all views at most
};

/// `transfer`: every view from the others by kernel regression, round by round.
///
/// With I the observed and T the missing samples of view m, kernels scaled to unit mean diagonal,
///
///   G = exp(-gamma D / mean D), D the squared distances of sum_{l != m} w_l K^_l (gamma = 0: that
///       sum itself),
///   W = (G_II + ridge I)^-1 G_IT,
///   K^_IT = K_II W,   K^_TT = W'K_II W + s (G_TT - G_TI W),
///
/// for all views at once, then again with the new K^_l. G is PSD for every gamma, and so is every
/// K^_m: [I W]'K_II[I W] plus s times a Schur complement. s brings the unexplained part to the
/// scale of the view: the mean squared leave-one-out residual in feature space over its
/// predictive variance under G. Uncertainty of a row: its diagonal entry of s (G_TT - G_TI W).
Method transfer_method();

OptionTable<TransferOptions> transfer_options();

}  // namespace mkc
