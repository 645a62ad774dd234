#include "methods/mkkm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/cancel.hpp"
#include "base/parallel.hpp"
#include "methods/make_method.hpp"
#include "methods/shared/iteration.hpp"
#include "methods/shared/observed_block.hpp"
#include "methods/shared/pair_sums.hpp"
#include "methods/shared/tuning.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/eigh.hpp"
#include "numeric/solvers/simplex_qp.hpp"

namespace mkc {

namespace {

constexpr double default_eps = 1e-2;
constexpr Index most_clusters = 10;  // of the default, where nothing can be held out

// k and eps with values.
class Mkkm {
 public:
  Mkkm(const Problem& problem, const MkkmOptions& options, int threads)
      : problem_(problem),
        options_(options),
        threads_(threads),
        n_(problem.n_samples()),
        scale_(mean_diagonals(problem)),
        weights_(Vector::Constant(problem.n_views(), 1.0 / double(problem.n_views()))) {
    for (Index m = 0; m < problem.n_views(); ++m) {
      kernels_.emplace_back(Matrix::Zero(n_, n_));
      paste(problem.view(m).block / scale_(m), problem.view(m).rows, kernels_.back());
    }
  }

  /// H, then every kernel, then the weights.
  void round() {
    find_clusters();
    if (options_.mutual)  // each from the others as they are by then
      for (Index m = 0; m < problem_.n_views(); ++m) complete_from_others(m);
    else
      parallel_for(problem_.n_views(), threads_, [&](Index m) { complete_from_clusters(m); });
    find_weights();
  }

  struct State {
    std::vector<Matrix> kernels;
    Vector weights;
  };
  State state() const { return {kernels_, weights_}; }
  void restore(State state) {
    kernels_ = std::move(state.kernels);
    weights_ = std::move(state.weights);
  }

  double objective() const { return objective_; }
  const std::vector<Matrix>& kernels() const { return kernels_; }
  const Vector& scale() const { return scale_; }
  Vector weights() const { return weights_; }

 private:
  // The k leading eigenvectors of sum_m b_m^2 K_m.
  void find_clusters() {
    Matrix sum = Matrix::Zero(n_, n_);
    for (Index m = 0; m < problem_.n_views(); ++m)
      sum += weights_(m) * weights_(m) * kernels_[at(m)];
    H_ = linalg::eigh_largest(sum, std::min(*options_.k, n_)).vectors;
  }

  // W = H_I (H_I'H_I + eps 1)^-1 H_T'
  void complete_from_clusters(Index m) {
    const Indices &I = problem_.view(m).rows, &T = problem_.missing(m);
    if (T.empty()) return;
    const Matrix H_I = H_(I, Eigen::all), H_T = H_(T, Eigen::all);
    Matrix G = linalg::multiply_tn(H_I, H_I);
    G.diagonal().array() += *options_.eps;
    const auto factor = linalg::Cholesky::factor(std::move(G));
    if (!factor) throw InputError("mkkm: H_I'H_I + eps is singular", "give a larger eps");
    const Matrix W = linalg::multiply(H_I, factor->solve(H_T.transpose()));
    const Matrix K_II = problem_.view(m).block / scale_(m);
    const Matrix K_IT = linalg::multiply(K_II, W);
    kernels_[at(m)] = join_blocks(K_II, I, K_IT, T, linalg::multiply_tn(W, K_IT));
  }

  double mutual() const { return *options_.mutual / double(n_); }

  // Where the derivative of the objective by the missing rows of K_m is zero, then made PSD.
  void complete_from_others(Index m) {
    const Indices& T = problem_.missing(m);
    if (T.empty()) return;
    const auto views = double(problem_.n_views());
    const double b = weights_(m), size = b * b / mutual();
    Matrix rows = size * linalg::multiply(H_, H_(T, Eigen::all).transpose());  // (N, |T|)
    for (std::size_t t = 0; t < T.size(); ++t) rows(T[t], static_cast<Index>(t)) -= size;
    for (Index l = 0; l < problem_.n_views(); ++l)
      if (l != m)
        rows += (weights_(l) + b - (views - 2) * b * weights_(l)) * kernels_[at(l)](Eigen::all, T);
    rows /= 1 + (views - 1) * b * b;
    Matrix K = kernels_[at(m)];
    K(Eigen::all, T) = rows;
    K(T, Eigen::all) = rows.transpose();
    kernels_[at(m)] =
        keep_observed(problem_.view(m), problem_.samples(), scale_(m) * K) / scale_(m);
  }

  // tr(K_m U) + eps tr(K_m,TT)
  double cluster_cost(Index m) const {
    const Matrix& K = kernels_[at(m)];
    double cost = K.trace() - H_.cwiseProduct(linalg::multiply(K, H_)).sum();
    if (!options_.mutual)
      for (const Index t : problem_.missing(m)) cost += *options_.eps * K(t, t);
    return cost;
  }

  void find_weights() {
    Vector z(problem_.n_views());
    for (Index m = 0; m < z.size(); ++m) z(m) = cluster_cost(m);
    if (options_.mutual) return find_mutual_weights(z);
    z = z.cwiseMax(1e-12 * double(n_));  // a view of rank k would take all weight
    weights_ = z.cwiseInverse() / z.cwiseInverse().sum();
    objective_ = (weights_.array().square() * z.array()).sum();
  }

  // sum_m ||K_m - sum_l b_l K_l||^2 = tr P - 2 c'b + b'Qb with P_ml = <K_m, K_l>.
  void find_mutual_weights(const Vector& z) {
    const Index M = z.size();
    Matrix P(M, M);
    for (Index m = 0; m < M; ++m)
      for (Index l = 0; l <= m; ++l)
        P(m, l) = P(l, m) = kernels_[at(m)].cwiseProduct(kernels_[at(l)]).sum();
    Matrix Q = double(M - 2) * P;
    Q.diagonal() = double(M - 1) * P.diagonal();
    const Vector c = P.colwise().sum().transpose() - P.diagonal();
    Matrix H = mutual() * Q;
    H.diagonal() += 2 * z;
    weights_ = solvers::simplex_qp(H, mutual() * c);
    objective_ =
        0.5 * weights_.dot(H * weights_) - mutual() * c.dot(weights_) + 0.5 * mutual() * P.trace();
  }

  const Problem& problem_;
  const MkkmOptions& options_;
  int threads_;
  Index n_;
  Vector scale_;  // mean diagonals
  Vector weights_;
  std::vector<Matrix> kernels_;  // at unit mean diagonal
  Matrix H_;
  double objective_ = 0;
};

Completion solve(const Problem& problem, const MkkmOptions& options, const RunOptions& run) {
  Mkkm mkkm(problem, options, run.threads);
  Mkkm::State last;
  Completion completion;
  Info& info = completion.info;
  info.status = Status::max_iterations;
  while (info.iterations < options.max_iter) {
    if (options.mutual) last = mkkm.state();
    if (!whole_step(info.iterations > 0, [&] { mkkm.round(); })) {
      info.status = Status::interrupted;
      break;
    }
    if (options.mutual && !info.objective.empty() && mkkm.objective() > info.objective.back()) {
      mkkm.restore(std::move(last));  // what makes kernels PSD may raise the objective
      info.status = Status::converged;
      break;
    }
    const double before =
        info.objective.empty() ? std::numeric_limits<double>::infinity() : info.objective.back();
    ++info.iterations;
    info.objective.push_back(mkkm.objective());
    info.residual =
        std::abs(before - mkkm.objective()) / std::max(std::abs(mkkm.objective()), 1e-300);
    if (ends(info, options.tol, run.progress,
             {"mkkm", info.iterations, options.max_iter, mkkm.objective()}))
      break;
  }
  const Matrix diagonals =
      options.diagonal == DiagonalRule::add ? expected_diagonals(problem) : Matrix();
  for (Index m = 0; m < problem.n_views(); ++m) {
    Matrix K = mkkm.kernels()[at(m)] * mkkm.scale()(m);
    paste(problem.view(m).block, problem.view(m).rows, K);
    if (options.diagonal == DiagonalRule::add)
      settle_diagonal(problem.missing(m), diagonals.col(m), K);
    completion.kernels.push_back(std::move(K));
    info.terms.emplace_back("weight " + problem.view(m).name, mkkm.weights()(m));
  }
  return completion;
}

// What is tried of the options that were left open.
std::vector<MkkmOptions> candidates(const MkkmOptions& given, Index n_samples) {
  std::vector<MkkmOptions> all;
  for (const Index k : {2, 5, 10, 20, 40})
    for (const double eps : {1e-3, 1e-2, 0.1}) {
      if ((!given.k && k > std::max<Index>(2, n_samples / 3)) ||
          ((given.eps || given.mutual) && eps > 1e-3) || (given.k && k > 2))
        continue;
      MkkmOptions options = given;
      options.k = given.k.value_or(k);
      options.eps = given.eps.value_or(eps);
      options.tol = std::max(given.tol, 1e-3);
      options.max_iter = std::min<Index>(given.max_iter, given.mutual ? 10 : 50);
      all.push_back(options);
    }
  return all;
}

std::string chosen_text(const MkkmOptions& chosen) {
  return chosen.mutual ? fmt::format("k = {}", *chosen.k)
                       : fmt::format("k = {}, eps = {}", *chosen.k, *chosen.eps);
}

Completion fit_mkkm(const Problem& problem, const MkkmOptions& given, const RunOptions& run) {
  if (given.mutual && given.eps)
    throw OptionError("mkkm: eps has no part in the objective with `mutual`",
                      {{"eps", "auto", "or leave `mutual` away"}});
  MkkmOptions options = given;
  Strings notices;
  bool stopped = false;
  if (!given.k || (!given.eps && !given.mutual)) {
    const auto all = candidates(given, problem.n_samples());
    SharedProgress progress(run);
    const Choice choice =
        TuningSet(problem, run.seed, given.measure)
            .choose(all.size(), run.threads, progress, "mkkm: choosing k and eps",
                    [&](const Problem& copy, std::size_t k, const ProgressCallback& callback) {
                      RunOptions one;
                      one.progress = callback;
                      return solve(copy, all[k], one).kernels;
                    });
    const MkkmOptions& best = all[choice.best];
    options.k =
        choice.made() ? *best.k : given.k.value_or(std::min(most_clusters, problem.n_samples()));
    options.eps = choice.made() ? *best.eps : given.eps.value_or(default_eps);
    stopped = choice.stopped;
    notices.push_back(choice.notice(chosen_text(options)));
  }
  Completion completion = solve(problem, options, run);
  if (options.mutual) options.eps.reset();
  completion.info.notices.insert(completion.info.notices.begin(), notices.begin(), notices.end());
  completion.info.parameters = mkkm_options().values(options);
  if (stopped) completion.info.status = Status::interrupted;
  return completion;
}

// Kernels of its own, their sum, the eigenvectors and the products of one view.
double solve_doubles(double N, double M) { return (M + 4) * N * N; }

double working_bytes(Index n_samples, Index n_views, int threads) {
  static const auto with_tuning = bytes_with_tuning(solve_doubles);
  return std::max(with_tuning(n_samples, n_views, threads),
                  8 * solve_doubles(double(n_samples), double(n_views)));
}

}  // namespace

OptionTable<MkkmOptions> mkkm_options() {
  OptionTable<MkkmOptions> table("mkkm");
  table
      .count_or("auto", "k", &MkkmOptions::k, 1, std::numeric_limits<Index>::max(),
                "clusters; larger: less smooth; auto: chosen on held-out rows")
      .number_or("auto", "eps", &MkkmOptions::eps, 1e-8, 1e3,
                 "keeps missing samples short; auto: chosen on held-out rows; not with mutual")
      .number_or("none", "mutual", &MkkmOptions::mutual, 1e-9, 1e9,
                 "weight that draws views to each other (MKKM-IK-MKC); none: MKKM-IK")
      .choice("diagonal", &MkkmOptions::diagonal, {"none", "add"},
              "k_tt of missing samples; add: brought to what is expected of it")
      .count("max_iter", &MkkmOptions::max_iter, 1, 1000000, "rounds at most")
      .number("tol", &MkkmOptions::tol, 1e-14, 1,
              "stop once a round lowers the objective by less, relative");
  return add_measure(table);
}

Method mkkm_method() {
  return make_method("multiple kernel k-means with incomplete kernels",
                     "N^3 per round, some 10 to 50 rounds", "M + 4 times N^2 doubles",
                     mkkm_options(), fit_mkkm, working_bytes);
}

}  // namespace mkc
