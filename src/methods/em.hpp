#pragma once

#include "mkc/methods/method.hpp"

namespace mkc {

struct EmOptions {
  Index max_iter = 500;  // iterations at most
  double tol = 1e-6;     // stop once b changes by less, relative to ||b||
  double ridge = 1e-4;   // smallest b_j, relative to the mean diagonal; larger is smoother
};

/// The em algorithm of Tsuda, Akaho and Asai (2003) for one complete view with eigenvectors v_j:
/// the completed kernel D of another view and the model M = sum_j b_j v_j v_j' are drawn together
/// in the Kullback-Leibler divergence of zero-mean Gaussians. With o the observed samples, h the
/// missing:
///
///   E: D_oh = D_oo M_oo^-1 M_oh,
///      D_hh = M_hh - M_ho M_oo^-1 M_oh + M_ho M_oo^-1 D_oo M_oo^-1 M_oh,
///   M: b_j = max(v_j' D v_j, ridge mean(diag D_oo)).
///
/// Each step lowers log det M_oo + tr(M_oo^-1 D_oo), summed over the views in info.objective. Ours:
/// the floor of b, the minimiser under that bound, without which a low-rank M_oo has no inverse;
/// and one common b for eigenvalues closer than 1e-7 of the largest, whose v_j are not determined.
/// Several complete views: each incomplete view takes the one most aligned with it,
/// <K_m, C_oo> / (||K_m|| ||C_oo||), ties to the smaller name. Uncertainty of a row: the diagonal
/// of M_hh - M_ho M_oo^-1 M_oh, its conditional variance under the model.
Method em_method();

OptionTable<EmOptions> em_options();

}  // namespace mkc
