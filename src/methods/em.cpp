#include "methods/em.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/cancel.hpp"
#include "base/parallel.hpp"
#include "methods/make_method.hpp"
#include "methods/shared/iteration.hpp"
#include "methods/shared/observed_block.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc {

namespace {

constexpr double equal_eigenvalues = 1e-7;  // closer than this, relative to the largest: one b

/// Eigenvectors of a complete view, in groups that share one b.
struct Basis {
  Matrix vectors;                // (N, N) v_j
  Vector values;                 // (N) ascending
  std::vector<Index> group_end;  // group g: columns group_end[g-1] .. group_end[g] - 1
};

Basis make_basis(const MatrixRef& complete_kernel) {
  linalg::Eigh e = linalg::eigh(complete_kernel);
  Basis basis{std::move(e.vectors), std::move(e.values), {}};
  const Index N = basis.values.size();
  const double gap = equal_eigenvalues * basis.values.cwiseAbs().maxCoeff();
  for (Index j = 1; j < N; ++j)
    if (basis.values(j) - basis.values(j - 1) > gap) basis.group_end.push_back(j);
  basis.group_end.push_back(N);
  return basis;
}

// b_j <- max(mean of its group, floor)
void share_and_bound(const Basis& basis, double floor, Vector& b) {
  Index begin = 0;
  for (const Index end : basis.group_end) {
    const double mean = b.segment(begin, end - begin).mean();
    b.segment(begin, end - begin).setConstant(std::max(mean, floor));
    begin = end;
  }
}

/// The em iteration of one incomplete view.
class ViewEm {
 public:
  ViewEm(const ObservedKernel& view, const Indices& missing, const Basis& basis, double ridge)
      : view_(view), missing_(missing), basis_(basis) {
    const double diagonal = view.block.diagonal().mean();
    floor_ = ridge * (diagonal > 0 ? diagonal : 1);
    V_o_ = basis.vectors(view.rows, Eigen::all);
    V_h_ = basis.vectors(missing, Eigen::all);
    // start: the complete view itself, at the scale of this one
    const double mean = basis.values.mean();
    b_ = mean > 0 ? Vector(basis.values * (diagonal / mean)) : Vector::Zero(basis.values.size());
    share_and_bound(basis, floor_, b_);
  }

  /// One E-step and one M-step.
  void step() {
    complete_from_model();
    // b_j = v_j' D v_j
    const Matrix DV = linalg::multiply(D_, basis_.vectors);
    Vector b = basis_.vectors.cwiseProduct(DV).colwise().sum().transpose();
    share_and_bound(basis_, floor_, b);
    change_ = (b - b_).norm() / b.norm();
    b_ = std::move(b);
  }

  // The E-step, and the divergence of the model it starts from.
  void complete_from_model() {
    const Matrix scaled = V_o_ * b_.asDiagonal();
    const Matrix M_oh = linalg::multiply_nt(scaled, V_h_);
    const auto factor = linalg::Cholesky::factor(linalg::multiply_nt(scaled, V_o_));
    const Matrix W = factor->solve(M_oh);  // M_oo >= floor I
    const Matrix D_oh = linalg::multiply(view_.block, W);
    // D_hh = (M_hh - M_ho W) + W' D_oo W
    const Matrix scaled_h = V_h_ * b_.asDiagonal();
    Matrix D_hh = linalg::multiply_nt(scaled_h, V_h_);
    linalg::gemm(-1, M_oh, linalg::Op::transpose, W, linalg::Op::none, 1, D_hh);
    Vector variance = D_hh.diagonal().cwiseMax(0);
    linalg::gemm(1, W, linalg::Op::transpose, D_oh, linalg::Op::none, 1, D_hh);
    objective_ = factor->log_determinant() + factor->solve(view_.block).trace();
    variance_ = std::move(variance);
    D_ = join_blocks(view_.block, view_.rows, D_oh, missing_, D_hh);
  }

  const Matrix& completed() const { return D_; }
  const Vector& variance() const { return variance_; }  // of the missing samples
  double objective() const { return objective_; }       // of the model before the last step
  double change() const { return change_; }

 private:
  const ObservedKernel& view_;
  const Indices& missing_;
  const Basis& basis_;
  double floor_ = 0, objective_ = 0;
  double change_ = std::numeric_limits<double>::infinity();
  Matrix V_o_, V_h_, D_;
  Vector b_, variance_;
};

// <K, C_oo> / (||K|| ||C_oo||)
double alignment(const ObservedKernel& view, const ObservedKernel& complete) {
  const Matrix C = submatrix(complete.block, view.rows, view.rows);
  const double norms = view.block.norm() * C.norm();
  return norms > 0 ? view.block.cwiseProduct(C).sum() / norms : 0;
}

// The complete view most aligned with view m.
Index source_of(const Problem& problem, Index m) {
  Index best = -1;
  double best_alignment = 0;
  for (Index l = 0; l < problem.n_views(); ++l) {
    if (!problem.complete(l)) continue;
    const double a = alignment(problem.view(m), problem.view(l));
    const bool better = best < 0 || a > best_alignment ||
                        (a == best_alignment && problem.view(l).name < problem.view(best).name);
    if (!better) continue;
    best = l;
    best_alignment = a;
  }
  return best;
}

/// One iteration for every incomplete view, each with the basis of its complete view.
struct Em {
  Indices incomplete;          // views
  std::vector<Basis> bases;    // per view; empty where it is not a source
  std::vector<ViewEm> states;  // per incomplete view
};

Em make_em(const Problem& problem, double ridge) {
  Em em;
  Indices sources;
  em.bases.resize(static_cast<std::size_t>(problem.n_views()));
  for (Index m = 0; m < problem.n_views(); ++m) {
    if (problem.complete(m)) continue;
    em.incomplete.push_back(m);
    sources.push_back(source_of(problem, m));
    Basis& basis = em.bases[at(sources.back())];
    if (basis.values.size() == 0) basis = make_basis(problem.view(sources.back()).block);
  }
  for (std::size_t k = 0; k < sources.size(); ++k)
    em.states.emplace_back(problem.view(em.incomplete[k]), problem.missing(em.incomplete[k]),
                           em.bases[at(sources[k])], ridge);
  return em;
}

// All views step together, those that have converged no more, until none is left.
Info iterate(std::vector<ViewEm>& states, const EmOptions& options, const RunOptions& run) {
  Info info;
  info.status = Status::max_iterations;
  while (info.iterations < options.max_iter) {
    const auto step_all = [&] {
      parallel_for(static_cast<Index>(states.size()), run.threads, [&](Index k) {
        ViewEm& state = states[at(k)];
        if (state.change() > options.tol) state.step();
      });
    };
    if (!whole_step(info.iterations > 0, step_all)) {
      info.status = Status::interrupted;
      break;
    }
    ++info.iterations;
    double sum = 0;
    info.residual = 0;
    for (const auto& state : states) {
      sum += state.objective();
      info.residual = std::max(info.residual, state.change());
    }
    info.objective.push_back(sum);
    if (ends(info, options.tol, run.progress, {"em", info.iterations, options.max_iter, sum}))
      break;
  }
  return info;
}

Completion fit_em(const Problem& problem, const EmOptions& options, const RunOptions& run) {
  Em em = make_em(problem, options.ridge);
  Completion completion;
  completion.info = iterate(em.states, options, run);

  for (const auto& view : problem.views()) completion.kernels.emplace_back(view.block);
  completion.uncertainty = Matrix::Zero(problem.n_samples(), problem.n_views());
  for (std::size_t k = 0; k < em.states.size(); ++k) {
    const Index m = em.incomplete[k];
    const Indices& missing = problem.missing(m);
    completion.kernels[at(m)] = em.states[k].completed();
    for (std::size_t t = 0; t < missing.size(); ++t)
      (*completion.uncertainty)(missing[t], m) = em.states[k].variance()(static_cast<Index>(t));
  }
  return completion;
}

std::string obstacle(const Problem& problem) {
  Index fullest = 0;
  for (Index m = 0; m < problem.n_views(); ++m) {
    if (problem.complete(m)) return "";
    if (problem.view(m).rows.size() > problem.view(fullest).rows.size()) fullest = m;
  }
  return fmt::format(
      "no view is complete: em needs one view that has every sample; the fullest is '{}' with {} "
      "of "
      "{}",
      problem.view(fullest).name, problem.view(fullest).rows.size(), problem.n_samples());
}

double working_bytes(Index n_samples, Index n_views, int threads) {
  const double at_once = std::min(double(n_views), double(threads));
  return 8 * double(n_samples) * double(n_samples) * (2.2 * double(n_views) + at_once);
}

}  // namespace

OptionTable<EmOptions> em_options() {
  OptionTable<EmOptions> table("em");
  table.count("max_iter", &EmOptions::max_iter, 1, 1000000, "iterations at most");
  table.number("tol", &EmOptions::tol, 1e-14, 1, "stop once the model changes by less, relative");
  table.number("ridge", &EmOptions::ridge, 1e-12, 1,
               "smallest eigenvalue of the model over the mean diagonal; larger is smoother");
  return table;
}

Method em_method() {
  Method method =
      make_method("em algorithm on the eigenvectors of a complete view", "iterations M N^3",
                  "2.2 M N^2 doubles, and N^2 per thread", em_options(), fit_em, working_bytes);
  method.obstacle = obstacle;
  return method;
}

}  // namespace mkc
