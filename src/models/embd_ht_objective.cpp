#include "models/embd_ht_objective.hpp"

#include <algorithm>
#include <cmath>

#include "mkc/linalg/blas.hpp"
#include "mkc/linalg/cholesky.hpp"
#include "mkc/parallel.hpp"
#include "mkc/solvers/simplex_qp.hpp"
#include "models/gather.hpp"

namespace mkc {

namespace {

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

HeterogeneousObjective::HeterogeneousObjective(const Problem& problem, const Weights& start,
                                               double c1, double c2, double tau, int threads)
    : problem_(problem),
      threads_(threads_for(std::pow(static_cast<double>(problem.n_samples()), 3), threads)),
      c1_over_n_(c1 / static_cast<double>(problem.n_samples())),
      c2_over_n_(c2 / static_cast<double>(problem.n_samples())) {
  const Index N = problem.n_samples(), M = problem.n_views();
  shared_.resize(at(M * M));
  share_ = Matrix::Zero(M, M);
  for (Index m = 0; m < M; ++m) {
    const ObservedKernel& view = problem.view(m);
    const Index n = view.block.rows();
    carried_.push_back(start[at(m)](Eigen::all, problem.missing(m)));
    start_.push_back(start[at(m)](Eigen::all, view.rows));
    start_.back().diagonal().setZero();
    // R = 2 K / tr K off the diagonal
    linear_.push_back((2 / view.block.trace()) * view.block);
    linear_.back().diagonal().setZero();
    penalties_.push_back(Vector::Constant(n, c2_over_n_));
    inverses_.emplace_back(n, n);
    column_scale_.push_back(Vector::Zero(n));
    padded_.push_back(Matrix::Zero(N, n));
    spread_.push_back(Matrix::Zero(N, n));
    E_.push_back(Matrix::Zero(n, n));
    outside_.emplace_back(static_cast<Index>(problem.missing(m).size()), n);
    for (Index l = 0; l < M; ++l) {
      const Indices there = positions_in(problem.view(l), N);
      Shared& both = shared_[at(m * M + l)];
      for (Index i = 0; i < n; ++i)
        if (const Index j = there[at(view.rows[at(i)])]; j >= 0) {
          both.here.push_back(i);
          both.there.push_back(j);
        }
      share_(m, l) = static_cast<double>(both.here.size()) / static_cast<double>(n);
    }
  }
  Matrix uniform = Matrix::Constant(M, M, 1.0 / static_cast<double>(M - 1));
  uniform.diagonal().setZero();
  sigma_ = Vector::Zero(M);
  parallel_for(M, threads_, [&](Index m) {
    Matrix D;
    double sum = 0;
    for (Index l = 0; l < M; ++l) {
      if (l == m) continue;
      differences_to(start_, m, l, D);
      sum += D.squaredNorm();
    }
    sigma_(m) = tau * sum / static_cast<double>(M - 1);
  });
  set_relations(uniform);
}

const HeterogeneousObjective::Shared& HeterogeneousObjective::shared(Index m, Index l) const {
  return shared_[at(m * problem_.n_views() + l)];
}

// out = H_m P = P_I + H_m,U P_U for P (N, k); `outside` is a buffer for P_U
void HeterogeneousObjective::carry(Index m, const Matrix& P, Matrix& outside, Matrix& out) const {
  gather_rows(P, problem_.view(m).rows, out);
  if (problem_.missing(m).empty()) return;
  gather_rows(P, problem_.missing(m), outside);
  linalg::gemm(1, carried_[at(m)], linalg::Op::none, outside, linalg::Op::none, 1, out);
}

// D_ml = (B_m - H_m pad(B_l)) diag(v_l / p_ml) on the columns I_m
void HeterogeneousObjective::differences_to(const solvers::Blocks& B, Index m, Index l,
                                            Matrix& D) const {
  const ObservedKernel& other = problem_.view(l);
  const Shared& both = shared(m, l);
  D = Matrix::Zero(B[at(m)].rows(), B[at(m)].cols());
  if (both.here.empty()) return;
  Matrix padded = Matrix::Zero(problem_.n_samples(), static_cast<Index>(both.here.size()));
  for (std::size_t k = 0; k < both.here.size(); ++k)
    padded(other.rows, static_cast<Index>(k)) = B[at(l)].col(both.there[k]);
  Matrix outside, carried;
  carry(m, padded, outside, carried);
  for (std::size_t k = 0; k < both.here.size(); ++k)
    D.col(both.here[k]) =
        (B[at(m)].col(both.here[k]) - carried.col(static_cast<Index>(k))) / share_(m, l);
}

void HeterogeneousObjective::update_relations(const solvers::Blocks& B) {
  const Index M = problem_.n_views();
  Matrix S = Matrix::Zero(M, M);
  parallel_for(M, threads_, [&](Index m) {
    std::vector<Matrix> D(at(M));
    Indices others;
    for (Index l = 0; l < M; ++l)
      if (l != m && share_(m, l) > 0) {  // nothing can be learnt from a view without common samples
        others.push_back(l);
        differences_to(B, m, l, D[at(l)]);
      }
    if (others.empty()) {
      for (Index l = 0; l < M; ++l) S(m, l) = l == m ? 0 : 1.0 / static_cast<double>(M - 1);
      return;
    }
    const Index k = static_cast<Index>(others.size());
    Matrix G(k, k);
    for (Index a = 0; a < k; ++a)
      for (Index b = 0; b <= a; ++b)
        G(a, b) = G(b, a) = D[at(others[at(a)])].cwiseProduct(D[at(others[at(b)])]).sum();
    G.diagonal().array() += sigma_(m);
    const Vector s = solvers::simplex_qp(G, Vector::Zero(k)).s;
    for (Index a = 0; a < k; ++a) S(m, others[at(a)]) = s(a);
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
    Matrix& P = padded_[at(m)];
    P.setZero();
    for (Index l = 0; l < problem_.n_views(); ++l) {
      if (l == m || S_(m, l) == 0) continue;
      const double scale = S_(m, l) / share_(m, l);
      const Indices& rows = problem_.view(l).rows;
      const Shared& both = shared(m, l);
      for (std::size_t k = 0; k < both.here.size(); ++k) {
        const auto from = B[at(l)].col(both.there[k]);
        auto to = P.col(both.here[k]);
        for (std::size_t i = 0; i < rows.size(); ++i) to(rows[i]) += scale * from(Index(i));
      }
    }
    carry(m, P, outside_[at(m)], E_[at(m)]);
    E_[at(m)] = B[at(m)] * column_scale_[at(m)].asDiagonal() - E_[at(m)];
  });
}

// G_m += scale (E_m diag(cm) - sum_l s_lm/p_lm [H_l'E_l diag(v_m)] on I_m x I_m)
void HeterogeneousObjective::add_adjoint(solvers::Blocks& G, double scale) {
  const Index M = problem_.n_views();
  parallel_for(M, threads_, [&](Index m) {
    // H_m'E_m: rows I_m as they are, the others H_m,U' E_m
    Matrix& X = spread_[at(m)];
    scatter_rows(E_[at(m)], problem_.view(m).rows, X);
    if (problem_.missing(m).empty()) return;
    linalg::gemm(1, carried_[at(m)], linalg::Op::transpose, E_[at(m)], linalg::Op::none, 0,
                 outside_[at(m)]);
    scatter_rows(outside_[at(m)], problem_.missing(m), X);
  });
  parallel_for(M, threads_, [&](Index m) {
    G[at(m)] += scale * (E_[at(m)] * column_scale_[at(m)].asDiagonal());
    const Indices& rows = problem_.view(m).rows;
    for (Index l = 0; l < M; ++l) {
      if (l == m || S_(l, m) == 0) continue;
      const double weight = scale * S_(l, m) / share_(l, m);
      const Shared& both = shared(l, m);  // here: columns of view l, there: of view m
      for (std::size_t k = 0; k < both.here.size(); ++k) {
        const auto from = spread_[at(l)].col(both.here[k]);
        auto to = G[at(m)].col(both.there[k]);
        for (std::size_t i = 0; i < rows.size(); ++i) to(Index(i)) -= weight * from(rows[i]);
      }
    }
  });
}

// H B = 2 K B / tr K + 2 c1/N E'(E(B)), without the diagonal
void HeterogeneousObjective::apply(const solvers::Blocks& B, solvers::Blocks& HB) {
  residuals(B);
  parallel_for(problem_.n_views(), threads_, [&](Index m) {
    const Matrix& K = problem_.view(m).block;
    linalg::gemm(2 / K.trace(), K, linalg::Op::none, B[at(m)], linalg::Op::none, 0, HB[at(m)]);
  });
  add_adjoint(HB, 2 * c1_over_n_);
  for (auto& block : HB) block.diagonal().setZero();
}

// (2 K / tr K + diag(w) + 2 c1/N kappa_m I)^-1, kappa_m = mean_t cm_t^2 + sum_l s_lm^2 / p_lm
void HeterogeneousObjective::prepare(const solvers::BlockVectors& weights) {
  parallel_for(problem_.n_views(), threads_, [&](Index m) {
    const Matrix& K = problem_.view(m).block;
    double kappa = column_scale_[at(m)].squaredNorm() / static_cast<double>(K.rows());
    for (Index l = 0; l < problem_.n_views(); ++l)
      if (l != m && share_(l, m) > 0) kappa += S_(l, m) * S_(l, m) / share_(l, m);
    Matrix system = (2 / K.trace()) * K;
    system.diagonal() += weights[at(m)];
    system.diagonal().array() += 2 * c1_over_n_ * kappa + 1e-10 * 2.0 / double(K.rows());
    inverses_[at(m)] = linalg::Cholesky::factor(std::move(system))->inverse();
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

double HeterogeneousObjective::constant() const {
  const Vector squares = S_.rowwise().squaredNorm();
  return static_cast<double>(problem_.n_views()) + c1_over_n_ * sigma_.dot(squares);
}

std::vector<std::pair<std::string, double>> HeterogeneousObjective::terms(
    const solvers::Blocks& B) {
  residuals(B);
  double within = 0, between = 0, l21 = 0;
  for (Index m = 0; m < problem_.n_views(); ++m) {
    const Matrix& K = problem_.view(m).block;
    // tr((I - B)'K(I - B)) = tr K - 2 <K, B> + <B, K B>
    const Matrix KB = linalg::multiply(K, B[at(m)]);
    within +=
        1 + (B[at(m)].cwiseProduct(KB).sum() - 2 * K.cwiseProduct(B[at(m)]).sum()) / K.trace();
    between += c1_over_n_ * (E_[at(m)].squaredNorm() + sigma_(m) * S_.row(m).squaredNorm());
    l21 += c2_over_n_ * B[at(m)].rowwise().norm().sum();
  }
  return {{"within", within}, {"between", between}, {"l21", l21}};
}

Weights HeterogeneousObjective::weights(const solvers::Blocks& B) const {
  const Index M = problem_.n_views(), N = problem_.n_samples();
  Weights result(at(M));
  parallel_for(M, threads_, [&](Index m) {
    const ObservedKernel& view = problem_.view(m);
    const Indices& missing = problem_.missing(m);
    Matrix P = Matrix::Zero(N, static_cast<Index>(missing.size()));
    for (std::size_t c = 0; c < missing.size(); ++c) {
      const Index t = missing[c];
      double total = 0;
      for (Index l = 0; l < M; ++l) total += problem_.observed()(t, l) ? S_(m, l) : 0;
      const double views_with = static_cast<double>(problem_.observed().row(t).count());
      for (Index l = 0; l < M; ++l) {
        if (!problem_.observed()(t, l)) continue;
        const ObservedKernel& other = problem_.view(l);
        const auto place = std::lower_bound(other.rows.begin(), other.rows.end(), t);
        // S may give no weight to any view that has t: then all of them count alike.
        const double s = total > 1e-10 ? S_(m, l) / total : 1 / views_with;
        const Index j = place - other.rows.begin();
        P(other.rows, static_cast<Index>(c)) += s * B[at(l)].col(j);
      }
    }
    Matrix outside, carried;
    carry(m, P, outside, carried);
    result[at(m)] = Matrix::Zero(view.block.rows(), N);
    for (std::size_t i = 0; i < view.rows.size(); ++i)
      result[at(m)].col(view.rows[i]) = B[at(m)].col(static_cast<Index>(i));
    for (std::size_t c = 0; c < missing.size(); ++c)
      result[at(m)].col(missing[c]) = carried.col(static_cast<Index>(c));
  });
  return result;
}

}  // namespace mkc
