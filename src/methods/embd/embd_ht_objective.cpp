#include "methods/embd/embd_ht_objective.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "methods/shared/gather.hpp"
#include "methods/shared/relations.hpp"
#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"
#include "numeric/solvers/simplex_qp.hpp"

namespace mkc {

namespace {

// Columns of one view that are compared with all others at a time: enough for a product to be one,
// and an eighth of them per buffer where there are many.
Index tile_width(Index n, Index n_views) {
  return std::max(std::min<Index>(n, 32), n / (8 * n_views));
}

}  // namespace

HeterogeneousObjective::HeterogeneousObjective(const Problem& problem, Weights start,
                                               LossWeights weights, double tau, int threads)
    : problem_(problem),
      threads_(threads_for(std::pow(static_cast<double>(problem.n_samples()), 3), threads)),
      weights_(std::move(weights)) {
  const Index M = problem.n_views();
  for (Index m = 0; m < M; ++m) {
    const SharedMatrix& K = problem.view(m).block;
    places_.push_back(positions_in(problem.view(m), problem.n_samples()));
    carried_.push_back(start[at(m)](Eigen::all, problem.missing(m)));
    start_.push_back(start[at(m)](Eigen::all, problem.view(m).rows));
    start_.back().diagonal().setZero();
    start[at(m)].resize(0, 0);
    const double off_diagonal = K.squaredNorm() - K.diagonal().squaredNorm();
    if (off_diagonal > 0) linear_norm_ += std::pow(2 * weights_.within(m), 2) * off_diagonal;
    penalties_.push_back(Vector::Constant(K.rows(), weights_.l21));
    inverses_.emplace_back(K.rows(), K.rows());
    column_scale_.push_back(Vector::Zero(K.rows()));
  }
  linear_norm_ = std::sqrt(linear_norm_);
  find_shares();
  make_buffers();
  sigma_ = Vector::Zero(M);
  pad(start_);
  parallel_for(M, threads_, [&](Index m) {
    sigma_(m) = tau * gram_of_differences(start_, m).trace() / static_cast<double>(M - 1);
  });
  set_relations(equal_relations(M));
}

// p_ml = |I_m and I_l| / n_m
void HeterogeneousObjective::find_shares() {
  const Index M = problem_.n_views();
  share_ = Matrix::Zero(M, M);
  for (Index m = 0; m < M; ++m) {
    for (const Index t : problem_.view(m).rows)
      share_.row(m) += problem_.observed().row(t).cast<double>().matrix();
    share_.row(m) /= static_cast<double>(problem_.view(m).rows.size());
  }
}

void HeterogeneousObjective::make_buffers() {
  const Index M = problem_.n_views(), N = problem_.n_samples();
  for (Index m = 0; m < M; ++m) {
    const Index n = problem_.view(m).block.rows();
    const auto missing = static_cast<Index>(problem_.missing(m).size());
    E_.push_back(Matrix::Zero(n, n));
    outside_.push_back(Matrix::Zero(missing, n));
    padded_.push_back(Matrix::Zero(N, n));
    sums_.push_back(Vector::Zero(N));
    differences_.emplace_back(n, M * tile_width(n, M));
  }
}

// pad(B_l) for all l: a view's rows at their places among all samples, zero at those it lacks. Done
// once, so that columns of several views are summed over contiguous memory.
void HeterogeneousObjective::pad(const solvers::Blocks& B) {
  parallel_for(problem_.n_views(), threads_, [&](Index l) {
    for (Index j = 0; j < B[at(l)].cols(); ++j) {
      scatter(B[at(l)].col(j).data(), problem_.view(l).rows, padded_[at(l)].col(j).data());
      for (const Index t : problem_.missing(l)) padded_[at(l)](t, j) = 0;
    }
  });
}

// sum_l weight_l padded_l(:, t) over the views l that have sample t; weight_m = 0 leaves m out. In
// sums_[m], a buffer for the thread that works on view m.
template <class Weights>
const double* HeterogeneousObjective::sum_of_columns(Index m, Index t, const Weights& weight) {
  Vector& sum = sums_[at(m)];
  bool first = true;
  for (Index l = 0; l < problem_.n_views(); ++l) {
    const Index place = places_[at(l)][at(t)];
    if (place < 0 || weight(l) == 0) continue;
    if (first)
      sum = weight(l) * padded_[at(l)].col(place);
    else
      sum += weight(l) * padded_[at(l)].col(place);
    first = false;
  }
  if (first) sum.setZero();
  return sum.data();
}

// <D_ml, D_ml'> with D_ml = (B_m - H_m pad(B_l)) diag(v_l / p_ml) on the columns I_m, some columns
// at a time. (M, M). After pad(B).
Matrix HeterogeneousObjective::gram_of_differences(const solvers::Blocks& B, Index m) {
  const Index M = problem_.n_views(), n = B[at(m)].rows(), width = tile_width(n, M);
  const Indices &rows = problem_.view(m).rows, &missing = problem_.missing(m);
  Matrix G = Matrix::Zero(M, M);
  Matrix& D = differences_[at(m)];
  for (Index first = 0; first < n; first += width) {
    D.setZero();
    const Index count = std::min(n - first, width);
    auto outside = outside_[at(m)].leftCols(count);
    for (Index l = 0; l < M; ++l) {
      if (l == m || share_(m, l) == 0) continue;
      auto columns = D.middleCols(l * width, count);
      for (Index j = 0; j < count; ++j) {
        const Index place = places_[at(l)][at(rows[at(first + j)])];
        outside.col(j).setZero();
        if (place < 0) continue;
        const double* column = padded_[at(l)].col(place).data();
        gather(column, rows, columns.col(j).data());
        gather(column, missing, outside.col(j).data());
        columns.col(j) = B[at(m)].col(first + j) - columns.col(j);
      }
      if (outside.rows() > 0)
        linalg::gemm(-1, carried_[at(m)], linalg::Op::none, outside, linalg::Op::none, 1, columns);
    }
    const Eigen::Map<const Matrix> each(D.data(), n * width, M);
    linalg::gemm(1, each, linalg::Op::transpose, each, linalg::Op::none, 1, G);
  }
  const Vector scale = (share_.row(m).array() > 0).select(share_.row(m).cwiseInverse(), 0);
  return scale.asDiagonal() * G * scale.asDiagonal();
}

void HeterogeneousObjective::update_relations(const solvers::Blocks& B) {
  const Index M = problem_.n_views();
  Matrix S = Matrix::Zero(M, M);
  pad(B);
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
    const Vector s = solvers::simplex_qp(G, Vector::Zero(G.rows()));
    for (std::size_t a = 0; a < others.size(); ++a) S(m, others[a]) = s(static_cast<Index>(a));
  });
  set_relations(S);
}

void HeterogeneousObjective::set_relations(const Matrix& S) {
  S_ = S;
  pull_ = (share_.array() > 0).select(S_.cwiseQuotient(share_), 0);
  pull_.diagonal().setZero();
  for (Index m = 0; m < problem_.n_views(); ++m) {
    const Indices& rows = problem_.view(m).rows;
    for (std::size_t i = 0; i < rows.size(); ++i)
      column_scale_[at(m)](static_cast<Index>(i)) =
          pull_.row(m).dot(problem_.observed().row(rows[i]).cast<double>().matrix());
  }
}

// E_m = B_m diag(cm) - H_m sum_l s_ml/p_ml pad(B_l) diag(v_l), after pad(B)
void HeterogeneousObjective::residual(const solvers::Blocks& B, Index m) {
  Matrix &E = E_[at(m)], &outside = outside_[at(m)];
  const Indices &rows = problem_.view(m).rows, &missing = problem_.missing(m);
  for (Index j = 0; j < E.cols(); ++j) {
    const double *sum = sum_of_columns(m, rows[at(j)], pull_.row(m)), *own = B[at(m)].col(j).data();
    const double cm = column_scale_[at(m)](j);
    double* e = E.col(j).data();
    for (std::size_t i = 0; i < rows.size(); ++i) e[i] = cm * own[i] - sum[rows[i]];
    gather(sum, missing, outside.col(j).data());
  }
  if (outside.rows() > 0)
    linalg::gemm(-1, carried_[at(m)], linalg::Op::none, outside, linalg::Op::none, 1, E);
}

// H B = 2 w_m K B + 2 c1 E'(E(B)), without the diagonal, where
// E'(E)_m = E_m diag(cm) - sum_l s_lm/p_lm [H_l'E_l diag(v_m)] on I_m x I_m.
// A view's products follow one another while its matrices are in cache.
void HeterogeneousObjective::apply(const solvers::Blocks& B, solvers::Blocks& HB) {
  pad(B);
  parallel_for(problem_.n_views(), threads_, [&](Index m) {
    residual(B, m);
    if (outside_[at(m)].rows() > 0)  // H_m'E_m has the rows of E_m on I_m, the others are H_m,U'E_m
      linalg::gemm(1, carried_[at(m)], linalg::Op::transpose, E_[at(m)], linalg::Op::none, 0,
                   outside_[at(m)]);
    linalg::gemm(2 * weights_.within(m), problem_.view(m).block, linalg::Op::none, B[at(m)],
                 linalg::Op::none, 0, HB[at(m)]);
  });
  parallel_for(problem_.n_views(), threads_, [&](Index l) {  // H_l'E_l in the place of pad(B_l)
    for (Index j = 0; j < E_[at(l)].cols(); ++j) {
      double* to = padded_[at(l)].col(j).data();
      scatter(E_[at(l)].col(j).data(), problem_.view(l).rows, to);
      scatter(outside_[at(l)].col(j).data(), problem_.missing(l), to);
    }
  });
  const double scale = 2 * weights_.between;
  parallel_for(problem_.n_views(), threads_, [&](Index m) {
    const Indices& rows = problem_.view(m).rows;
    for (Index j = 0; j < HB[at(m)].cols(); ++j) {
      const double *sum = sum_of_columns(m, rows[at(j)], pull_.col(m)),
                   *e = E_[at(m)].col(j).data();
      const double cm = column_scale_[at(m)](j);
      double* to = HB[at(m)].col(j).data();
      for (std::size_t i = 0; i < rows.size(); ++i) to[i] += scale * (cm * e[i] - sum[rows[i]]);
    }
    HB[at(m)].diagonal().setZero();
  });
}

// (2 w_m K + diag(w) + 2 c1 kappa_m I)^-1, kappa_m = mean_t cm_t^2 + sum_l s_lm^2 / p_lm
void HeterogeneousObjective::prepare(const solvers::BlockVectors& weights) {
  parallel_for(problem_.n_views(), threads_, [&](Index m) {
    const SharedMatrix& K = problem_.view(m).block;
    double kappa = column_scale_[at(m)].squaredNorm() / static_cast<double>(K.rows());
    kappa += S_.col(m).dot(pull_.col(m));
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
  pad(B);
  double within = 0, between = 0, ridge = 0, l21 = 0;
  for (Index m = 0; m < problem_.n_views(); ++m) {
    residual(B, m);
    const SharedMatrix& K = problem_.view(m).block;
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

Weights HeterogeneousObjective::weights(const solvers::Blocks& B) {
  const Index M = problem_.n_views(), N = problem_.n_samples();
  Weights result(at(M));
  pad(B);
  parallel_for(M, threads_, [&](Index m) {
    const ObservedKernel& view = problem_.view(m);
    const Indices& missing = problem_.missing(m);
    const Index count = static_cast<Index>(missing.size());
    Matrix carried(view.block.rows(), count), outside(count, count);
    for (Index c = 0; c < count; ++c) {
      const Index t = missing[at(c)];
      const Vector has = problem_.observed().row(t).cast<double>().matrix();
      const double total = S_.row(m).dot(has);
      // S may give no weight to any view that has t: then all of them have equal weights.
      const Vector s = total > 1e-10 ? Vector(S_.row(m).transpose().cwiseProduct(has) / total)
                                     : Vector(has / has.sum());
      const double* sum = sum_of_columns(m, t, s);
      gather(sum, view.rows, carried.col(c).data());
      gather(sum, missing, outside.col(c).data());
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
