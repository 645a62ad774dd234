#include "models/embd_ht_objective.hpp"

#include <algorithm>
#include <cmath>

#include "mkc/linalg/blas.hpp"
#include "mkc/linalg/cholesky.hpp"
#include "mkc/models/relations.hpp"
#include "mkc/parallel.hpp"
#include "mkc/solvers/simplex_qp.hpp"

namespace mkc {

namespace {

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

// Columns of one view that are compared with all others at a time: an eighth of them per buffer.
Index tile_width(Index n, Index n_views) {
  return std::max<Index>(1, n / (8 * n_views));
}

}  // namespace

HeterogeneousObjective::HeterogeneousObjective(const Problem& problem, Weights start,
                                               LossWeights weights, double tau, int threads)
    : problem_(problem),
      threads_(threads_for(std::pow(static_cast<double>(problem.n_samples()), 3), threads)),
      weights_(std::move(weights)) {
  const Index M = problem.n_views();
  share_ = Matrix::Zero(M, M);
  for (Index m = 0; m < M; ++m) {
    const Matrix& K = problem.view(m).block;
    const Index n = K.rows(), missing = static_cast<Index>(problem.missing(m).size());
    carried_.push_back(start[at(m)](Eigen::all, problem.missing(m)));
    start_.push_back(start[at(m)](Eigen::all, problem.view(m).rows));
    start_.back().diagonal().setZero();
    start[at(m)].resize(0, 0);
    const double off_diagonal = K.squaredNorm() - K.diagonal().squaredNorm();
    linear_norm_ += std::pow(2 * weights_.within(m), 2) * std::max(0.0, off_diagonal);
    penalties_.push_back(Vector::Constant(n, weights_.l21));
    inverses_.emplace_back(n, n);
    column_scale_.push_back(Vector::Zero(n));
    E_.push_back(Matrix::Zero(n, n));
    outside_.push_back(Matrix::Zero(missing, n));
    differences_.emplace_back(n, M * tile_width(n, M));
    for (Index l = 0; l < M; ++l) {
      shared_.push_back(shared_samples(problem, m, l));
      share_(m, l) = static_cast<double>(shared_.back().here.size()) / static_cast<double>(n);
    }
  }
  linear_norm_ = std::sqrt(linear_norm_);
  sigma_ = Vector::Zero(M);
  parallel_for(M, threads_, [&](Index m) {
    sigma_(m) = tau * gram_of_differences(start_, m).trace() / static_cast<double>(M - 1);
  });
  set_relations(equal_relations(M));
}

HeterogeneousObjective::Shared HeterogeneousObjective::shared_samples(const Problem& problem,
                                                                      Index m, Index l) {
  const Indices here = positions_in(problem.view(m), problem.n_samples());
  const Indices &rows = problem.view(l).rows, &missing = problem.missing(m);
  Shared both;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    const Index i = here[at(rows[j])];
    if (i >= 0) {
      both.here.push_back(i);
      both.there.push_back(static_cast<Index>(j));
    } else {
      both.outside.push_back(std::lower_bound(missing.begin(), missing.end(), rows[j]) -
                             missing.begin());
      both.outside_there.push_back(static_cast<Index>(j));
    }
  }
  return both;
}

const HeterogeneousObjective::Shared& HeterogeneousObjective::shared(Index m, Index l) const {
  return shared_[at(m * problem_.n_views() + l)];
}

// to += scale H_m pad(b): what lies on samples that view m has, and in `outside` the rest
void HeterogeneousObjective::add_column(const Shared& both, double scale, const double* b,
                                        double* to, double* outside) {
  for (std::size_t i = 0; i < both.here.size(); ++i) to[both.here[i]] += scale * b[both.there[i]];
  for (std::size_t i = 0; i < both.outside.size(); ++i)
    outside[both.outside[i]] += scale * b[both.outside_there[i]];
}

// <D_ml, D_ml'> with D_ml = (B_m - H_m pad(B_l)) diag(v_l / p_ml) on the columns I_m, some columns
// at a time. (M, M)
Matrix HeterogeneousObjective::gram_of_differences(const solvers::Blocks& B, Index m) {
  const Index M = problem_.n_views(), n = B[at(m)].rows(), width = tile_width(n, M);
  Matrix G = Matrix::Zero(M, M);
  Matrix& D = differences_[at(m)];
  for (Index first = 0; first < n; first += width) {
    D.setZero();
    const Index last = std::min(n, first + width);
    for (Index l = 0; l < M; ++l) {
      const Shared& both = shared(m, l);
      if (l == m || both.here.empty()) continue;
      const auto begin = std::lower_bound(both.here.begin(), both.here.end(), first);
      const auto end = std::lower_bound(both.here.begin(), both.here.end(), last);
      auto outside = outside_[at(m)].leftCols(last - first);
      outside.setZero();
      auto columns = D.middleCols(l * width, last - first);
      for (auto t = begin; t != end; ++t)
        add_column(both, 1, B[at(l)].col(both.there[at(t - both.here.begin())]).data(),
                   columns.col(*t - first).data(), outside.col(*t - first).data());
      if (outside.rows() > 0)
        linalg::gemm(1, carried_[at(m)], linalg::Op::none, outside, linalg::Op::none, 1, columns);
      for (auto t = begin; t != end; ++t)
        columns.col(*t - first) = (B[at(m)].col(*t) - columns.col(*t - first)) / share_(m, l);
    }
    const Eigen::Map<const Matrix> each(D.data(), n * width, M);
    linalg::gemm(1, each, linalg::Op::transpose, each, linalg::Op::none, 1, G);
  }
  return G;
}

void HeterogeneousObjective::update_relations(const solvers::Blocks& B) {
  const Index M = problem_.n_views();
  Matrix S = Matrix::Zero(M, M);
  parallel_for(M, threads_, [&](Index m) {
    Indices others;
    for (Index l = 0; l < M; ++l)
      if (l != m && share_(m, l) > 0) others.push_back(l);  // else nothing can be learnt from it
    if (others.empty()) {
      S.row(m) = equal_relations(M).row(m);
      return;
    }
    Matrix G = submatrix(gram_of_differences(B, m), others, others);
    G.diagonal().array() += sigma_(m);
    const Vector s = solvers::simplex_qp(G, Vector::Zero(G.rows())).s;
    for (std::size_t a = 0; a < others.size(); ++a) S(m, others[a]) = s(static_cast<Index>(a));
  });
  set_relations(S);
}

void HeterogeneousObjective::set_relations(const Matrix& S) {
  S_ = S;
  for (Index m = 0; m < problem_.n_views(); ++m) {
    column_scale_[at(m)].setZero();
    for (Index l = 0; l < problem_.n_views(); ++l)
      if (l != m)
        for (const Index i : shared(m, l).here) column_scale_[at(m)](i) += S_(m, l) / share_(m, l);
  }
}

// E_m = B_m diag(cm) - H_m sum_l s_ml/p_ml pad(B_l) diag(v_l)
void HeterogeneousObjective::residuals(const solvers::Blocks& B) {
  parallel_for(problem_.n_views(), threads_, [&](Index m) {
    Matrix &E = E_[at(m)], &outside = outside_[at(m)];
    E.setZero();
    outside.setZero();
    for (Index l = 0; l < problem_.n_views(); ++l) {
      if (l == m || S_(m, l) == 0) continue;
      const Shared& both = shared(m, l);
      for (std::size_t k = 0; k < both.here.size(); ++k)
        add_column(both, S_(m, l) / share_(m, l), B[at(l)].col(both.there[k]).data(),
                   E.col(both.here[k]).data(), outside.col(both.here[k]).data());
    }
    if (outside.rows() > 0)
      linalg::gemm(1, carried_[at(m)], linalg::Op::none, outside, linalg::Op::none, 1, E);
    E = B[at(m)] * column_scale_[at(m)].asDiagonal() - E;
  });
}

// G_m += scale (E_m diag(cm) - sum_l s_lm/p_lm [H_l'E_l diag(v_m)] on I_m x I_m)
void HeterogeneousObjective::add_adjoint(solvers::Blocks& G, double scale) {
  const Index M = problem_.n_views();
  // H_m'E_m: the rows I_m are those of E_m, the others H_m,U'E_m
  parallel_for(M, threads_, [&](Index m) {
    if (outside_[at(m)].rows() > 0)
      linalg::gemm(1, carried_[at(m)], linalg::Op::transpose, E_[at(m)], linalg::Op::none, 0,
                   outside_[at(m)]);
  });
  parallel_for(M, threads_, [&](Index m) {
    G[at(m)] += scale * (E_[at(m)] * column_scale_[at(m)].asDiagonal());
    for (Index l = 0; l < M; ++l) {
      if (l == m || S_(l, m) == 0) continue;
      const double weight = scale * S_(l, m) / share_(l, m);
      const Shared& both = shared(l, m);  // here: samples of view l, there: of view m
      for (std::size_t k = 0; k < both.here.size(); ++k) {
        const double* from = E_[at(l)].col(both.here[k]).data();
        const double* outside = outside_[at(l)].col(both.here[k]).data();
        double* to = G[at(m)].col(both.there[k]).data();
        for (std::size_t i = 0; i < both.here.size(); ++i)
          to[both.there[i]] -= weight * from[both.here[i]];
        for (std::size_t i = 0; i < both.outside.size(); ++i)
          to[both.outside_there[i]] -= weight * outside[both.outside[i]];
      }
    }
  });
}

// H B = 2 w_m K B + 2 c1 E'(E(B)), without the diagonal
void HeterogeneousObjective::apply(const solvers::Blocks& B, solvers::Blocks& HB) {
  residuals(B);
  parallel_for(problem_.n_views(), threads_, [&](Index m) {
    linalg::gemm(2 * weights_.within(m), problem_.view(m).block, linalg::Op::none, B[at(m)],
                 linalg::Op::none, 0, HB[at(m)]);
  });
  add_adjoint(HB, 2 * weights_.between);
  for (auto& block : HB) block.diagonal().setZero();
}

// (2 w_m K + diag(w) + 2 c1 kappa_m I)^-1, kappa_m = mean_t cm_t^2 + sum_l s_lm^2 / p_lm
void HeterogeneousObjective::prepare(const solvers::BlockVectors& weights) {
  parallel_for(problem_.n_views(), threads_, [&](Index m) {
    const Matrix& K = problem_.view(m).block;
    double kappa = column_scale_[at(m)].squaredNorm() / static_cast<double>(K.rows());
    for (Index l = 0; l < problem_.n_views(); ++l)
      if (l != m && share_(l, m) > 0) kappa += S_(l, m) * S_(l, m) / share_(l, m);
    const double mean = 2 * weights_.within(m) * std::max(K.diagonal().mean(), 1e-300);
    Matrix& P = inverses_[at(m)];
    for (double ridge = 1e-10;; ridge *= 10) {  // once, unless K is not quite PSD
      P = (2 * weights_.within(m)) * K;
      P.diagonal() += weights[at(m)];
      P.diagonal().array() += 2 * weights_.between * kappa + ridge * mean;
      if (linalg::invert_positive_definite(P)) break;
    }
  });
}

// Z = P R, corrected so that the diagonal is zero: z_t -= p_t z_tt / p_tt
void HeterogeneousObjective::precondition(const solvers::Blocks& R, solvers::Blocks& Z) const {
  parallel_for(problem_.n_views(), threads_, [&](Index m) {
    const Matrix& P = inverses_[at(m)];
    linalg::gemm(1, P, linalg::Op::none, R[at(m)], linalg::Op::none, 0, Z[at(m)]);
    for (Index t = 0; t < P.cols(); ++t) {
      Z[at(m)].col(t) -= (Z[at(m)](t, t) / P(t, t)) * P.col(t);
      Z[at(m)](t, t) = 0;
    }
  });
}

double HeterogeneousObjective::linear_dot(const solvers::Blocks& B) const {
  double sum = 0;  // the diagonal of B is zero
  for (Index m = 0; m < problem_.n_views(); ++m)
    sum += 2 * weights_.within(m) * problem_.view(m).block.cwiseProduct(B[at(m)]).sum();
  return sum;
}

void HeterogeneousObjective::subtract_linear(solvers::Blocks& G) const {
  for (Index m = 0; m < problem_.n_views(); ++m) {
    G[at(m)] -= (2 * weights_.within(m)) * problem_.view(m).block;
    G[at(m)].diagonal().setZero();
  }
}

double HeterogeneousObjective::constant() const {
  double sum = 0;
  for (Index m = 0; m < problem_.n_views(); ++m)
    sum += weights_.within(m) * problem_.view(m).block.trace() +
           weights_.between * sigma_(m) * S_.row(m).squaredNorm();
  return sum;
}

std::vector<std::pair<std::string, double>> HeterogeneousObjective::terms(
    const solvers::Blocks& B) {
  residuals(B);
  double within = 0, between = 0, ridge = 0, l21 = 0;
  for (Index m = 0; m < problem_.n_views(); ++m) {
    const Matrix& K = problem_.view(m).block;
    between += weights_.between * E_[at(m)].squaredNorm();
    ridge += weights_.between * sigma_(m) * S_.row(m).squaredNorm();
    l21 += weights_.l21 * B[at(m)].rowwise().norm().sum();
    // tr((I - B)'K(I - B)) = tr K - 2 <K, B> + <B, K B>
    Matrix& KB = E_[at(m)];
    linalg::gemm(1, K, linalg::Op::none, B[at(m)], linalg::Op::none, 0, KB);
    within += weights_.within(m) *
              (K.trace() + B[at(m)].cwiseProduct(KB).sum() - 2 * K.cwiseProduct(B[at(m)]).sum());
  }
  return {{"within", within}, {"between", between}, {"ridge", ridge}, {"l21", l21}};
}

Weights HeterogeneousObjective::weights(const solvers::Blocks& B) const {
  const Index M = problem_.n_views(), N = problem_.n_samples();
  Weights result(at(M));
  parallel_for(M, threads_, [&](Index m) {
    const ObservedKernel& view = problem_.view(m);
    const Indices& missing = problem_.missing(m);
    const Index count = static_cast<Index>(missing.size());
    Matrix carried = Matrix::Zero(view.block.rows(), count), outside = Matrix::Zero(count, count);
    for (Index c = 0; c < count; ++c) {
      const Index t = missing[at(c)];
      double total = 0;
      for (Index l = 0; l < M; ++l) total += problem_.observed()(t, l) ? S_(m, l) : 0;
      const double views_with = static_cast<double>(problem_.observed().row(t).count());
      for (Index l = 0; l < M; ++l) {
        if (!problem_.observed()(t, l)) continue;
        const Indices& rows = problem_.view(l).rows;
        const Index place = std::lower_bound(rows.begin(), rows.end(), t) - rows.begin();
        // S may give no weight to any view that has t: then all of them count alike.
        const double s = total > 1e-10 ? S_(m, l) / total : 1 / views_with;
        add_column(shared(m, l), s, B[at(l)].col(place).data(), carried.col(c).data(),
                   outside.col(c).data());
      }
    }
    if (count > 0)
      linalg::gemm(1, carried_[at(m)], linalg::Op::none, outside, linalg::Op::none, 1, carried);
    result[at(m)] = Matrix::Zero(view.block.rows(), N);
    for (std::size_t i = 0; i < view.rows.size(); ++i)
      result[at(m)].col(view.rows[i]) = B[at(m)].col(static_cast<Index>(i));
    for (std::size_t c = 0; c < missing.size(); ++c)
      result[at(m)].col(missing[c]) = carried.col(static_cast<Index>(c));
  });
  return result;
}

}  // namespace mkc
