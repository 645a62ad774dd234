#pragma once

#include "mkc/problem/problem.hpp"
#include "mkc/problem/result.hpp"

namespace mkc {

/// One completed view, and the samples whose values were really there.
struct TrainedView {
  std::string name;
  Indices rows;   // observed samples, ascending
  Matrix kernel;  // (N, N), completed
};

/// A completed problem as far as new samples need it.
struct TrainedModel {
  Strings samples;
  std::vector<TrainedView> views;

  Index n_samples() const { return static_cast<Index>(samples.size()); }
  Index n_views() const { return static_cast<Index>(views.size()); }
};

TrainedModel trained_model(const Problem& problem, const Completion& completion);

/// What is known of new samples in one view.
struct NewView {
  Indices which;    // new samples that have the view, ascending
  Matrix rows;      // (which, observed training samples of the view): kernel values
  Vector diagonal;  // (which) k(x, x); NaN = unknown
};

struct PredictOptions {
  int threads = 1;
  double coverage = 0.9;  // nominal probability of the intervals
};

struct Prediction {
  Mask observed;             // (n, M) the views a new sample has
  std::vector<Matrix> rows;  // per view (n, N): kernel values against every training sample
  Matrix diagonals;          // (n, M) k(x, x), given or predicted
  Quality quality;           // (n, M); its held_out_errors and hidden_rows are of training rows
  Strings notices;
};

/// Kernel rows of new samples against all training samples, in every view.
///
/// A view m that a new sample x lacks is predicted from the views V it has, as `transfer` does:
/// with I the training samples that have view m,
///
///   P = sum_{l in V} w_l K^_l,   G = exp(-gamma D_P) or P itself, + constant,
///   w = (G_II + ridge I)^-1 g_I(x),   k^_m(x) = K^_m,I w,
///
/// where w_l, gamma, ridge and the constant are those with the smallest leave-one-out error of
/// the rows of K_II: in closed form, the residual of row t is K_II Q_.t / Q_tt, Q = (G_II + ridge
/// I)^-1. The same residuals, of training samples that have V, calibrate the intervals. A view
/// that x has is extended to the training samples T that lack it: k^_T = K^_TI (K_II + lambda
/// I)^-1 k_I.
///
/// A new sample with the name of a training sample and the same values in the views given gets
/// that sample's own rows. InputError where a sample has no view, or a size does not fit.
Prediction predict(const TrainedModel& model, const Strings& new_samples,
                   const std::vector<NewView>& views, const PredictOptions& options = {});

}  // namespace mkc
