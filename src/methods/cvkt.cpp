#include "methods/cvkt.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/parallel.hpp"
#include "methods/make_method.hpp"
#include "methods/shared/conditional.hpp"
#include "methods/shared/tuning.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"

namespace mkc {

namespace {

constexpr double constant_feature = 10;  // its square; any large value does
constexpr double default_ridge = 0.1;
constexpr double ridge_grid[] = {1e-3, 1e-2, 1e-1, 1};

// Share of the views other than m that sample t has.
double share_of_views(const Problem& problem, Index m, Index t) {
  double has = 0;
  for (Index l = 0; l < problem.n_views(); ++l)
    if (l != m && problem.observed()(t, l)) has += 1;
  return has / static_cast<double>(problem.n_views() - 1);
}

// G = Psi Psi' of the views other than m, at unit mean diagonal, plus the constant feature. (N, N)
Matrix feature_kernel(const Problem& problem, Index m, CvktFill fill) {
  const Index N = problem.n_samples();
  Matrix G = Matrix::Zero(N, N);
  for (Index l = 0; l < problem.n_views(); ++l) {
    if (l == m) continue;
    const ObservedKernel& view = problem.view(l);
    const double scale = view.block.diagonal().mean() * double(problem.n_views() - 1);
    if (!(scale > 0)) continue;
    for (std::size_t j = 0; j < view.rows.size(); ++j)
      for (std::size_t i = 0; i < view.rows.size(); ++i)
        G(view.rows[i], view.rows[j]) +=
            view.block(static_cast<Index>(i), static_cast<Index>(j)) / scale;
  }
  if (fill == CvktFill::scaled) {
    Vector factor(N);
    for (Index t = 0; t < N; ++t) {
      const double share = share_of_views(problem, m, t);
      factor(t) = share > 0 ? 1 / std::sqrt(share) : 1;
    }
    G = factor.asDiagonal() * G * factor.asDiagonal();
  }
  G.array() += constant_feature;
  return G;
}

// s A'K_II A with A = (G_II + ridge I)^-1 G_I.
Matrix predicted(const ObservedKernel& view, const Matrix& G, double ridge) {
  const Matrix Q = ridge_inverse(submatrix(G, view.rows, view.rows), ridge);
  const Matrix A = linalg::multiply(Q, G(view.rows, Eigen::all));
  Matrix K = linalg::multiply_tn(A, linalg::multiply(view.block, A));
  linalg::mirror_lower(K);
  const double own = submatrix(K, view.rows, view.rows).mean(), wanted = view.block.mean();
  // A centred block has the mean 0, up to rounding: there is nothing to scale to.
  if (own > 0 && wanted > 1e-8 * view.block.diagonal().mean()) K *= wanted / own;
  return K;
}

std::vector<Matrix> solve(const Problem& problem, double ridge, const CvktOptions& options,
                          int threads) {
  std::vector<Matrix> kernels(at(problem.n_views()));
  parallel_for(problem.n_views(), threads, [&](Index m) {
    kernels[at(m)] =
        problem.complete(m)
            ? Matrix(problem.view(m).block)
            : predicted(problem.view(m), feature_kernel(problem, m, options.fill), ridge);
  });
  return kernels;
}

Completion fit_cvkt(const Problem& problem, const CvktOptions& given, const RunOptions& run) {
  CvktOptions options = given;
  Completion completion;
  if (!options.ridge) {
    SharedProgress progress(run);
    const TuningSet tuning(problem, run.seed, options.measure);
    const Choice choice =
        tuning.choose(std::size(ridge_grid), run.threads, progress, "cvkt: choosing ridge",
                      [&](const Problem& copy, std::size_t k, const ProgressCallback&) {
                        return solve(copy, ridge_grid[k], options, 1);
                      });
    options.ridge = choice.made() ? ridge_grid[choice.best] : default_ridge;
    if (choice.stopped) completion.info.status = Status::interrupted;
    completion.info.notices.push_back(choice.notice(fmt::format("ridge = {}", *options.ridge)));
  }
  completion.kernels = solve(problem, *options.ridge, options, run.threads);
  completion.info.parameters = cvkt_options().values(options);
  return completion;
}

double working_bytes(Index n_samples, Index n_views, int threads) {
  return repair_bytes(n_samples, n_views, threads);
}

}  // namespace

OptionTable<CvktOptions> cvkt_options() {
  OptionTable<CvktOptions> table("cvkt");
  table
      .number_or("auto", "ridge", &CvktOptions::ridge, 0, 1e6,
                 "added to the diagonal of the features' kernel; larger is smoother")
      .choice("fill", &CvktOptions::fill, {"zero", "scaled"},
              "scaled: features of samples that lack views are scaled up; zero: as published");
  return add_measure(table);
}

Method cvkt_method() {
  Method method =
      make_method("features of the other views, aligned with the view (cross-view kernel transfer)",
                  "6 M N^3", "5.3 N^2 doubles per thread", cvkt_options(), fit_cvkt, working_bytes);
  method.obstacle = obstacle_of_one_view;
  return method;
}

}  // namespace mkc
