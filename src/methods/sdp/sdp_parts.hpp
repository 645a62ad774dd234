#pragma once

#include "methods/sdp/sdp.hpp"

/// The parts of the method sdp; sdp.cpp puts them in order.
namespace mkc::sdp {

/// The views sorted by name, each kernel divided by its mean diagonal: updates go through the views
/// in an order that does not depend on that of the input.
struct Prepared {
  Problem problem;
  Indices order;  // view m of `problem` is view order[m] of the input
  Vector scales;  // (M) what view m was divided by
};
Prepared prepare(const Problem& problem);

/// A PSD start for every view; `attempt` numbers random starts.
std::vector<Matrix> start_kernels(const Problem& problem, SdpStart start, std::uint64_t seed,
                                  double ridge, Index attempt, int threads);

}  // namespace mkc::sdp
