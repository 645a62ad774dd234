#pragma once

#include "methods/shared/reconstruction.hpp"
#include "mkc/methods/method.hpp"
#include "mkc/problem/metrics.hpp"

namespace mkc {

/// What is minimised.
enum class AppForm {
  identity,  // A_II fixed at the identity, the default
  paper,     // Eq. mkc_app as printed: A_II free, within-view loss
};

/// First weights of missing samples; A_II starts at the identity.
enum class AppStart {
  loo,     // leave-one-out ridge weights, carried over from the views that have the sample
  random,  // uniform(-1, 1) / n_m: the paper's, divided by n_m
  paper,   // uniform(-1, 1)
};

struct AppOptions {
  double c1 = 1;  // weight of the between-view loss; only c1/c2 matters
  // l2,1 penalty; larger = fewer samples carry weight; unset: chosen on held-out rows
  std::optional<double> c2 = {};
  double tau = 1;       // ridge on the relations; larger = more even; 0 = none, as in the paper
  double ridge = 1e-2;  // relative ridge of the leave-one-out start; larger is smoother
  // How the diagonal of a completed sample is settled; auto: add, with form=paper none
  std::optional<DiagonalRule> diagonal = {};
  std::optional<AppStart> start = {};       // auto: loo, with form=paper paper
  std::optional<LossScaling> scaling = {};  // auto: unit, with form=paper paper (plain sums)
  Index n_init = 5;                         // random starts tried; the best by objective is kept
  double tol = 1e-4;     // relative distance to stationarity at which to stop; smaller is slower
  Index max_iter = 100;  // rounds over all views at most
  Measure measure = Measure::are;  // what is minimised on held-out rows
  AppForm form = AppForm::identity;
};

/// Kernel values of a view as a convex sum of those of the other views (paper, Eq. mkc_app):
///
///   min  c1 sum_m b_m (||X_m - sum_l s_ml X_l||_F^2 + sigma_m ||s_m||^2) + c2/N sum_m ||T_m||_2,1
///   with X_m = A_m'K_m A_m,  A_m = [identity on I_m | T_m],  S >= 0, rows of S sum to 1, s_mm = 0,
///
/// on kernels scaled to unit mean diagonal, b_m = (n_m/N)^2 / ||K_m||_F^2 and sigma_m = tau times
/// the mean over l of ||X_m - X_l||_F^2 at the leave-one-out start.
///
/// Departures from the paper. A_II is fixed at the identity, not free: it makes the within-view
/// loss exactly 0, any other A_II only adds to it, and the result keeps the observed block. The
/// l2,1 norm is therefore over T_m, the weights of missing samples. S has a ridge (tau = 0: none).
/// `diagonal` is applied to the finished kernels only; the model itself is A'KA. form=paper departs
/// in none of these (app_paper.hpp).
Method app_method();

OptionTable<AppOptions> app_options();

}  // namespace mkc
