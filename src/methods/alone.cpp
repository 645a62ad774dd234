#include "methods/alone.hpp"

#include "numeric/blocks.hpp"
#include "methods/make_method.hpp"

namespace mkc {

namespace {

Completion fit_alone(const Problem& problem, const AloneOptions&, const RunOptions&) {
  Completion completion;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ObservedKernel& view = problem.view(m);
    Matrix K = Matrix::Zero(problem.n_samples(), problem.n_samples());
    paste(view.block, view.rows, K);
    for (const Index t : problem.missing(m)) K(t, t) = view.block.diagonal().mean();
    completion.kernels.push_back(std::move(K));
  }
  return completion;
}

double working_bytes(Index n_samples, Index n_views) {
  return static_cast<double>(n_samples * n_samples * n_views) * 8;
}

}  // namespace

Method alone_method() {
  return make_method("a missing sample is like no other: only its diagonal is filled in", "M N^2",
                     "M N^2 doubles", OptionTable<AloneOptions>("alone"), fit_alone, working_bytes);
}

}  // namespace mkc
