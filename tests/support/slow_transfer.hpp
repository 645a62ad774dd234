#pragma once

#include "methods/transfer/transfer.hpp"

/// `transfer` from its definition: explicit inverses, every row really left out and fitted again.
namespace mkc::test {

/// mean_t ||phi_t - Phi w_t||^2 with w_t = (G + ridge I)^-1 G_.t on all rows but t.
double slow_leave_one_out_distance(const Matrix& K, const Matrix& G, double ridge);

/// One round for view m from complete kernels of the other views, all at unit mean diagonal;
/// target=kernel, diagonal=none. `weights`: one per view, that of m is not read.
Matrix slow_transfer_view(const Problem& problem, const std::vector<Matrix>& kernels, Index m,
                          const Vector& weights, double gamma, double ridge, bool intercept);

}  // namespace mkc::test
