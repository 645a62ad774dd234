#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "methods/sdp/sdp_parts.hpp"
#include "methods/shared/pair_sums.hpp"
#include "methods/shared/reconstruction.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/psd.hpp"

namespace mkc::sdp {

namespace {

// Mean of the views that have the pair; pairs that none has: mean over the pairs that some have.
// (N, N)
Matrix mean_of_views(const Problem& problem) {
  PairSums pairs(problem.n_samples());
  for (const auto& view : problem.views()) pairs.add(view);
  const Matrix mean = pairs.means(0);
  const auto known = pairs.weight.array() > 0;
  return known.select(mean, mean.sum() / static_cast<double>(known.count()));
}

// uniform(-1, 1) for every pair, decided by seed, view and the two sample names. (N, N)
Matrix uniform_entries(const Problem& problem, const std::string& view, std::uint64_t seed,
                       Index attempt) {
  const Index N = problem.n_samples();
  const std::uint64_t key = Random(seed, view, "sdp start " + std::to_string(attempt)).next();
  Matrix U(N, N);
  for (Index j = 0; j < N; ++j)
    for (Index i = 0; i <= j; ++i) {
      const auto [first, second] = std::minmax(problem.samples()[at(i)], problem.samples()[at(j)]);
      U(i, j) = U(j, i) = Random(key, first, second).uniform(-1, 1);
    }
  return U;
}

}  // namespace

Prepared prepare(const Problem& problem) {
  Indices order(static_cast<std::size_t>(problem.n_views()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return problem.view(a).name < problem.view(b).name; });

  std::vector<ObservedKernel> views;
  Vector scales(problem.n_views());
  for (const Index m : order) {
    ObservedKernel view = problem.view(m);
    const double diagonal = view.block.diagonal().mean();
    const double scale = diagonal > 0 ? diagonal : 1;
    scales(static_cast<Index>(views.size())) = scale;
    view.block = Matrix(view.block / scale);
    views.push_back(std::move(view));
  }
  ProblemChecks checks;
  checks.psd = PsdPolicy::unchecked;  // the blocks were accepted once
  return {Problem(problem.samples(), std::move(views), checks), std::move(order),
          std::move(scales)};
}

std::vector<Matrix> start_kernels(const Problem& problem, SdpStart start, std::uint64_t seed,
                                  double ridge, Index attempt, int threads) {
  if (start == SdpStart::loo)
    return reconstructed_kernels(problem, leave_one_out_weights(problem, ridge, threads),
                                 DiagonalRule::add, {}, threads);
  std::vector<Matrix> X(static_cast<std::size_t>(problem.n_views()));
  const Matrix mean = start == SdpStart::mean ? mean_of_views(problem) : Matrix();
  parallel_for(problem.n_views(), threads, [&](Index m) {
    const ObservedKernel& view = problem.view(m);
    // a pair that is missing here is not in this view's share of the mean
    Matrix A = start == SdpStart::mean ? mean : uniform_entries(problem, view.name, seed, attempt);
    paste(view.block, view.rows, A);
    X[at(m)] = linalg::project_psd(A);
  });
  return X;
}

}  // namespace mkc::sdp
