#include "methods/app/app_solve.hpp"

#include <algorithm>
#include <cmath>

#include "base/cancel.hpp"
#include "numeric/blocks.hpp"
#include "numeric/l21.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/eigh.hpp"

namespace mkc::approx {

namespace {

constexpr int steps_per_visit = 10;
constexpr double sufficient_decrease = 1e-4;  // Armijo
constexpr double smallest_step = 1e-10;
constexpr double shortest_settling = 0.05;  // a shorter move is not worth keeping
constexpr double smallest_row = 1e-6;  // times View::scale: bounds the curvature of a row's norm

Vector row_norms(const Matrix& T) { return T.rowwise().norm(); }

// The objective along T + alpha D as a function of alpha: a polynomial of degree 4 for the smooth
// part, and for every row the length of a vector on a line. No product of matrices per alpha.
class Line {
 public:
  Line(const View& view, const Block& block, const Target& target, double penalty, Matrix D)
      : penalty_(penalty), D_(std::move(D)) {
    // K(T + alpha D) - C_IU = R1 + alpha E1; (T + alpha D)'K(T + alpha D) - C_UU = R2 + alpha E2 +
    // alpha^2 E3
    KD_ = linalg::multiply(view.K, D_);
    const Matrix half = linalg::multiply_tn(D_, block.KT);
    E2_ = half + half.transpose();
    E3_ = linalg::multiply_tn(D_, KD_);
    linalg::mirror_lower(E3_);
    const Matrix R1 = block.KT - target.C_IU, R2 = block.TKT - target.C_UU;
    const auto dot = [](const Matrix& A, const Matrix& B) { return A.cwiseProduct(B).sum(); };
    smooth_[0] = target.q * (4 * dot(R1, KD_) + 2 * dot(R2, E2_));
    smooth_[1] = target.q * (2 * KD_.squaredNorm() + E2_.squaredNorm() + 2 * dot(R2, E3_));
    smooth_[2] = target.q * 2 * dot(E2_, E3_);
    smooth_[3] = target.q * E3_.squaredNorm();
    norms_ = row_norms(block.T);
    products_ = block.T.cwiseProduct(D_).rowwise().sum();
    squares_ = D_.rowwise().squaredNorm();
  }

  /// Objective at alpha minus objective at 0, without cancellation.
  double change(double alpha) const {
    double sum =
        alpha * (smooth_[0] + alpha * (smooth_[1] + alpha * (smooth_[2] + alpha * smooth_[3])));
    for (Index i = 0; i < norms_.size(); ++i) {
      // |t + alpha d| - |t| = (2 alpha t'd + alpha^2 |d|^2) / (|t + alpha d| + |t|)
      const double growth = alpha * (2 * products_(i) + alpha * squares_(i));
      const double length = std::sqrt(std::max(0.0, norms_(i) * norms_(i) + growth));
      if (length + norms_(i) > 0) sum += penalty_ * growth / (length + norms_(i));
    }
    return sum;
  }

  /// Derivative at 0; rows that are zero must not move.
  double slope() const {
    double sum = smooth_[0];
    for (Index i = 0; i < norms_.size(); ++i)
      if (norms_(i) > 0) sum += penalty_ * products_(i) / norms_(i);
    return sum;
  }

  void move(double alpha, Block& block) const {
    block.T += alpha * D_;
    block.KT += alpha * KD_;
    block.TKT += alpha * E2_ + alpha * alpha * E3_;
  }

 private:
  double penalty_;
  Matrix D_, KD_, E2_, E3_;
  double smooth_[4];
  Vector norms_, products_, squares_;  // per row: |t|, t'd, |d|^2
};

// 4q (K^2 + mu K) with mu = ||T'KT||_2: replaces the second derivative of the smooth part.
Matrix curvature(const View& view, const Block& block, const Target& target) {
  const Vector values = linalg::eigenvalues(block.TKT);
  const double mu = std::max(0.0, values(values.size() - 1));
  return 4 * target.q * (view.K2 + mu * view.K);
}

// Rows that their own proximal step would take to zero or away from it.
Indices rows_at_zero(const Matrix& P, const Matrix& G, const Matrix& T, double penalty) {
  const Vector norms = row_norms(T), gradients = row_norms(G);
  const Vector targets = row_norms(P.diagonal().asDiagonal() * T - G);
  Indices rows;
  for (Index i = 0; i < T.rows(); ++i)
    if (norms(i) > 0 ? targets(i) <= penalty : gradients(i) > penalty) rows.push_back(i);
  return rows;
}

// IRLS steps take a row to zero slowly and never exactly, so these rows are settled first: one
// after another each is set to the minimiser, in closed form, of the model
//   <G, D> + 1/2 <D, P D> + penalty ||T + D||_2,1,  P = 4q (K^2 + mu K),
// and the move is kept where it lowers the objective.
void settle_rows_at_zero(const View& view, const Target& target, double penalty, Block& block) {
  const Matrix P_all = curvature(view, block, target);
  const Matrix G_all = smooth_gradient(view, block, target);
  const Indices rows = rows_at_zero(P_all, G_all, block.T, penalty);
  if (rows.empty()) return;
  const Matrix P = submatrix(P_all, rows, rows);
  const Matrix T = block.T(rows, Eigen::all);
  Matrix G = G_all(rows, Eigen::all);  // G + P D throughout
  Matrix next = T;
  for (Index i = 0; i < T.rows(); ++i) {
    if (!(P(i, i) > 0)) {  // it changes nothing but its own penalty
      if (penalty > 0) next.row(i).setZero();
      continue;
    }
    Matrix row = next.row(i) - G.row(i) / P(i, i);
    prox::L21(penalty).prox(row, 1 / P(i, i));
    G += P.col(i) * (row - next.row(i));
    next.row(i) = row;
  }
  Matrix D = Matrix::Zero(block.T.rows(), block.T.cols());
  D(rows, Eigen::all) = next - T;
  const Line line(view, block, target, penalty, std::move(D));
  for (double alpha = 1; alpha > shortest_settling; alpha /= 2) {
    if (!(line.change(alpha) < 0)) continue;
    line.move(alpha, block);
    if (alpha == 1) block.T(rows, Eigen::all) = next;  // zeros exactly
    return;
  }
}

// -(4q (K^2 + mu K) + diag(penalty / |t_i|))^-1 gradient, on the rows that are not zero: Newton's
// direction but for the curvature that T'KT and the rows' norms have beyond this.
Matrix direction(const View& view, const Target& target, double penalty, const Block& block) {
  const Vector norms = row_norms(block.T);
  Indices rows;
  for (Index i = 0; i < norms.size(); ++i)
    if (norms(i) > 0) rows.push_back(i);
  Matrix D = Matrix::Zero(block.T.rows(), block.T.cols());
  if (rows.empty()) return D;

  Matrix P = submatrix(curvature(view, block, target), rows, rows);
  Matrix G = smooth_gradient(view, block, target)(rows, Eigen::all);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto i = static_cast<Index>(k);
    const double norm = norms(rows[k]);
    G.row(i) += penalty / norm * block.T.row(rows[k]);
    P(i, i) += penalty / std::max(norm, smallest_row * view.scale);
  }
  D(rows, Eigen::all) = -factor_with_ridge(P, 0, 1e-14).solve(G);
  return D;
}

// One step along the direction, halved until it pays. False where no step does.
bool step(const View& view, const Target& target, double penalty, Block& block) {
  const Line line(view, block, target, penalty, direction(view, target, penalty, block));
  const double slope = line.slope();
  if (!(slope < 0)) return false;
  for (double alpha = 1; alpha > smallest_step; alpha /= 2)
    if (line.change(alpha) <= sufficient_decrease * alpha * slope) {
      line.move(alpha, block);
      return true;
    }
  return false;
}

}  // namespace

void descend(const Objective& objective, Index m, Point& point) {
  const View& view = objective.view(m);
  if (view.missing.empty()) return;
  const Target target = objective.target(point, m);
  Block block = objective.block(point, m);
  settle_rows_at_zero(view, target, objective.penalty(), block);
  for (int i = 0; i < steps_per_visit; ++i)
    if (!step(view, target, objective.penalty(), block)) break;
  objective.set_block(m, make_block(view, std::move(block.T)), point);
}

Solution solve(const Objective& objective, std::vector<Matrix> T, double tolerance,
               Index max_rounds, const ProgressCallback& progress) {
  Solution now;
  now.point = objective.evaluated(std::move(T));
  double value = now.objective(objective);
  for (Index round = 1;; ++round) {
    now.residual = objective.residual(now.point);
    if (now.residual <= tolerance) {
      now.status = Status::converged;
      return now;
    }
    if (round > max_rounds) {
      now.status = Status::max_iterations;
      return now;
    }
    if (progress &&
        !progress({"app", round, max_rounds, value, now.residual, tolerance, 0, round > 1})) {
      now.status = Status::interrupted;
      return now;
    }
    const bool is_whole = whole_step(round > 1, [&] {
      for (Index m = 0; m < objective.n_views(); ++m) descend(objective, m, now.point);
    });
    objective.minimise_relations(now.point);
    if (!is_whole) {
      now.status = Status::interrupted;
      return now;
    }
    value = now.objective(objective);
    now.history.push_back(value);
  }
}

}  // namespace mkc::approx
