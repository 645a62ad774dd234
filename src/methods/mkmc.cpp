#include "methods/mkmc.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/cancel.hpp"
#include "base/parallel.hpp"
#include "methods/make_method.hpp"
#include "methods/shared/iteration.hpp"
#include "methods/shared/observed_block.hpp"
#include "methods/shared/pair_sums.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"

namespace mkc {

namespace {

constexpr double rescue_ridge = 1e-2;    // lambda where the common matrix is singular
constexpr double smallest_pivot = 1e-6;  // of a Cholesky factor of it, over the mean diagonal

// C^-1, or nullopt where C is singular or nearly so: 1 / (C^-1)_tt is what is left of sample t
// given all others, and so the smallest pivot any order of the samples could have.
std::optional<Matrix> inverse_if_regular(const Matrix& C) {
  const auto factor = linalg::Cholesky::factor(C);
  if (!factor) return {};
  Matrix inverse = factor->inverse();
  if (!(inverse.diagonal().maxCoeff() * smallest_pivot * C.diagonal().mean() < 1)) return {};
  return inverse;
}

class Mkmc {
 public:
  Mkmc(const Problem& problem, double lambda, const MkmcOptions& options, int threads)
      : problem_(problem),
        lambda_(lambda),
        threads_(threads),
        model_(options.model, options.rank),
        scale_(mean_diagonals(problem)) {
    for (Index m = 0; m < problem.n_views(); ++m) {
      Matrix K = Matrix::Identity(problem.n_samples(), problem.n_samples());
      paste(problem.view(m).block / scale_(m), problem.view(m).rows, K);
      kernels_.push_back(std::move(K));
    }
    variance_ = Matrix::Zero(problem.n_samples(), problem.n_views());
    common_ = model_.fit(mean_kernel());
  }

  /// E-step of every view, then the M-step. False where the common matrix is singular.
  bool step() {
    const auto inverse = inverse_if_regular(common_);
    if (!inverse) return false;
    Vector terms(problem_.n_views());
    parallel_for(problem_.n_views(), threads_, [&](Index m) { terms(m) = complete_view(m); });
    objective_ = terms.sum();
    if (lambda_ > 0)
      objective_ += static_cast<double>(problem_.n_views()) * lambda_ * inverse->trace();
    const Matrix next = model_.fit(mean_kernel());
    change_ = (next - common_).norm() / next.norm();
    common_ = next;
    return true;
  }

  double objective() const { return objective_; }  // of the common matrix before the last step
  double change() const { return change_; }
  Index rank() const { return model_.rank(); }
  const Matrix& variance() const { return variance_; }
  std::vector<Matrix> kernels() const {
    std::vector<Matrix> kernels;
    for (Index m = 0; m < problem_.n_views(); ++m) {
      kernels.push_back(kernels_[at(m)] * scale_(m));
      paste(problem_.view(m).block, problem_.view(m).rows, kernels.back());
    }
    return kernels;
  }

 private:
  Matrix mean_kernel() const {
    Matrix C = kernels_[0];
    for (std::size_t m = 1; m < kernels_.size(); ++m) C += kernels_[m];
    C /= static_cast<double>(kernels_.size());
    C.diagonal().array() += lambda_;
    return C;
  }

  // The E-step of one view. Returns log det C_II + tr(C_II^-1 K_II).
  double complete_view(Index m) {
    const Indices &I = problem_.view(m).rows, &T = problem_.missing(m);
    const Matrix K_II = problem_.view(m).block / scale_(m);
    // a principal block of a regular matrix is regular
    const auto factor = linalg::Cholesky::factor(submatrix(common_, I, I));
    const Matrix C_IT = submatrix(common_, I, T), W = factor->solve(C_IT);
    const Matrix K_IT = linalg::multiply(K_II, W);
    Matrix K_TT = submatrix(common_, T, T);
    linalg::gemm(-1, C_IT, linalg::Op::transpose, W, linalg::Op::none, 1, K_TT);
    for (std::size_t t = 0; t < T.size(); ++t)
      variance_(T[t], m) =
          scale_(m) * std::max(0.0, K_TT(static_cast<Index>(t), static_cast<Index>(t)));
    linalg::gemm(1, W, linalg::Op::transpose, K_IT, linalg::Op::none, 1, K_TT);
    kernels_[at(m)] = join_blocks(K_II, I, K_IT, T, K_TT);
    return factor->log_determinant() + factor->solve(K_II).trace();
  }

  const Problem& problem_;
  double lambda_;
  int threads_;
  CommonModel model_;
  Vector scale_;                 // mean diagonals
  std::vector<Matrix> kernels_;  // K^_m at unit mean diagonal
  Matrix common_, variance_;
  double objective_ = 0;
  double change_ = std::numeric_limits<double>::infinity();
};

// nullopt where the common matrix becomes singular.
std::optional<Completion> solve(const Problem& problem, double lambda, const MkmcOptions& options,
                                const RunOptions& run) {
  Mkmc em(problem, lambda, options, run.threads);
  Completion completion;
  Info& info = completion.info;
  info.status = Status::max_iterations;
  while (info.iterations < options.max_iter) {
    bool is_regular = true;
    if (!whole_step(info.iterations > 0, [&] { is_regular = em.step(); })) {
      info.status = Status::interrupted;
      break;
    }
    if (!is_regular) return {};
    ++info.iterations;
    info.objective.push_back(em.objective());
    info.residual = em.change();
    if (ends(info, options.tol, run.progress,
             {"mkmc", info.iterations, options.max_iter, em.objective()}))
      break;
  }
  completion.kernels = em.kernels();
  completion.uncertainty = em.variance();
  if (options.model != CommonKind::full)
    info.notices.push_back(fmt::format("{} factors in the common matrix", em.rank()));
  return completion;
}

Completion fit_mkmc(const Problem& problem, const MkmcOptions& given, const RunOptions& run) {
  MkmcOptions options = given;
  options.ridge = given.ridge.value_or(0);
  auto completion = solve(problem, *options.ridge, options, run);
  if (!completion) {
    if (given.ridge && *given.ridge >= rescue_ridge)
      throw InputError(
          fmt::format("mkmc: the common matrix is singular with ridge={}", *given.ridge),
          "give a larger ridge");
    options.ridge = rescue_ridge;
    completion = solve(problem, *options.ridge, options, run);
    if (!completion)
      throw InputError("mkmc: the common matrix is singular", "give a ridge above 0.01");
    completion->info.notices.push_back(fmt::format(
        "the common matrix is singular: {} of its mean diagonal was added to it", rescue_ridge));
  }
  completion->info.parameters = mkmc_options().values(options);
  return *std::move(completion);
}

double working_bytes(Index n_samples, Index n_views, int threads) {
  return repair_bytes(n_samples, n_views, threads);
}

}  // namespace

OptionTable<MkmcOptions> mkmc_options() {
  OptionTable<MkmcOptions> table("mkmc");
  table
      .number_or("auto", "ridge", &MkmcOptions::ridge, 0, 1e3,
                 "lambda over the mean diagonal; larger is smoother; auto: 0 where that works")
      .choice("model", &MkmcOptions::model, {"full", "pca", "fa"},
              "common matrix: full, or factors and noise that is equal (pca) or not (fa)")
      .count("rank", &MkmcOptions::rank, 0, std::numeric_limits<Index>::max(),
             "factors of pca and fa; larger: less smooth; 0: eigenvalues above their mean")
      .count("max_iter", &MkmcOptions::max_iter, 1, 1000000, "iterations at most")
      .number("tol", &MkmcOptions::tol, 1e-14, 1, "stop once the common matrix changes by less");
  return table;
}

Method mkmc_method() {
  return make_method("all views drawn to one common matrix, without parameters",
                     "3 M N^3 per iteration, some 10 to 80 iterations",
                     "5.3 N^2 doubles per thread", mkmc_options(), fit_mkmc, working_bytes);
}

}  // namespace mkc
