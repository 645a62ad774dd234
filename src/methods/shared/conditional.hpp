#pragma once

#include "mkc/problem/problem.hpp"

/// Kernel regression through a matrix G of similarities between samples: what transfer and cvkt
/// share.
///
/// I: observed samples, T: missing ones, Q = (G_II + ridge I)^-1. Sample t is predicted in feature
/// space by phi^_t = Phi w_t with W = Q G_IT, and G_TT - G_TI W is what remains unexplained.
namespace mkc {

/// (G + ridge I)^-1; ridge is raised tenfold, from 1e-12 of the mean diagonal, until it exists.
Matrix ridge_inverse(const Matrix& G, double ridge);

/// mean_t ||phi_t - Phi w_t||^2 where w_t is fitted without t, in closed form: the leave-one-out
/// residual is Phi Q_.t / Q_tt, so the mean is that of (QKQ)_tt / Q_tt^2.
double leave_one_out_distance(const Matrix& K, const Matrix& Q);

/// Method::obstacle of methods that predict a view from the others.
std::string obstacle_of_one_view(const Problem& problem);

}  // namespace mkc
