#pragma once

#include "methods/sdp/sdp_objective.hpp"
#include "mkc/methods/method.hpp"
#include "mkc/problem/metrics.hpp"

namespace mkc {

enum class SdpStart {
  loo,     // completed by the leave-one-out weights of the embedding methods
  mean,    // missing entries: mean of the other views that have the pair, else of all pairs
  random,  // missing entries: uniform(-1, 1), as in the paper
};

struct SdpOptions {
  std::optional<double> c;  // weight of the between-view loss; none: chosen on held-out rows
  Index max_iter = 500;     // rounds at most
  double tol = 1e-4;        // stop once the residual is at or below this
  SdpScaling scaling = SdpScaling::balanced;
  SdpStart start = SdpStart::loo;
  double ridge = 1e-2;  // relative ridge of the leave-one-out start; larger is smoother
  double tau = 1;       // ridge on the relations S; larger: more even; 0: none, as in the paper
  Index n_init = 5;     // random starts; the lowest objective is kept
  Measure measure = Measure::are;  // what is minimised on held-out rows
};

/// Kernels that agree with their observed blocks and, as far as they can, with a convex combination
/// of the other views' kernels (Eq. mkc_sdp of the paper):
///
///   min  sum_m ||X_m[I,I] - K_m||_F^2 / w_m + c sum_m ||X_m - sum_l s_ml X_l||_F^2 / b_m
///   over X_m PSD, s_ml >= 0, s_mm = 0, sum_l s_ml = 1,
///
/// on kernels of unit mean diagonal, scaled back at the end. w_m = ||K_m||_F^2 and
/// b_m = w_m N^2 / n_m^2 are what X_m = 0 would cost, so that c means the same at any N and M.
/// Block coordinate descent (sdp_descent.hpp): F never rises. Not convex in (X, S)
/// together: a start decides which stationary point is found. info.residual is
/// SdpDescent::residual, completion.relations is S.
Method sdp_method();

OptionTable<SdpOptions> sdp_options();

}  // namespace mkc
