#pragma once

#include "methods/sdp/sdp_objective.hpp"

/// The objective of sdp, entry by entry from its definition, and a slow solver for fixed relations.
namespace mkc::test {

/// sum_m ||X_m[I,I] - K_m||^2 / w_m + c sum_m ||X_m - sum_l s_ml X_l||^2 / b_m.
double slow_sdp_objective(const Problem& problem, const std::vector<Matrix>& X, const Matrix& S,
                          double c, SdpScaling scaling);

/// Its minimiser over PSD X for fixed S: accelerated projected gradient on all views at once, with
/// the gradient written out term by term. X is the start and becomes the answer.
void slow_sdp_kernels(const Problem& problem, std::vector<Matrix>& X, const Matrix& S, double c,
                      SdpScaling scaling, int iterations);

/// All dF/dX_m, written out term by term.
std::vector<Matrix> slow_sdp_gradient(const Problem& problem, const std::vector<Matrix>& X,
                                      const Matrix& S, double c, SdpScaling scaling);

}  // namespace mkc::test
