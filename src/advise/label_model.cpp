#include "advise/label_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "mkc/base/error.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"

namespace mkc::advice {

namespace {

constexpr double ridges[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10};  // times the mean of X'X's diagonal

// (labelled, outputs) the labels as numbers, not yet centred.
Matrix outputs_of(const Target& target, const Indices& rows) {
  const auto n = std::ssize(rows);
  if (const auto* labels = std::get_if<Labels>(&target)) {
    Matrix Y = Matrix::Zero(n, std::ssize(labels->classes));
    for (Index k = 0; k < n; ++k) Y(k, labels->of_sample[at(rows[at(k)])]) = 1;
    return Y;
  }
  if (const auto* numbers = std::get_if<Numbers>(&target)) return numbers->of_sample(rows);
  const Survival known = std::get<Survival>(target).restricted(rows);
  if (!(known.event.array() > 0).any())
    throw InputError(fmt::format("none of the {} samples with a time has the event", n),
                     "leave the labels out, or choose other columns");
  return martingale_residuals(known, Vector::Zero(n));
}

struct Fit {
  Matrix weights;   // (R, outputs)
  Matrix left_out;  // (labelled, outputs) residuals with the row left out
  double error = std::numeric_limits<double>::infinity();  // their mean square
};

// w = (X'X + ridge I)^-1 X'Y of centred X and Y; row i left out has residual r_i / (1 - h_i).
Fit fit_with(const Matrix& X, const Matrix& Y, const Matrix& XX, double ridge) {
  Matrix A = XX;
  A.diagonal().array() += ridge;
  Fit fit;
  const auto factor = linalg::Cholesky::factor(A);
  if (!factor) return fit;
  fit.weights = factor->solve(linalg::multiply_tn(X, Y));
  const Matrix XA = linalg::multiply(X, factor->inverse());
  const Vector h = XA.cwiseProduct(X).rowwise().sum().array() + 1 / static_cast<double>(X.rows());
  fit.left_out = Y - linalg::multiply(X, fit.weights);
  for (Index i = 0; i < X.rows(); ++i) fit.left_out.row(i) /= std::max(0.02, 1 - h(i));
  fit.error = fit.left_out.squaredNorm() / static_cast<double>(X.rows());
  return fit;
}

// exp(-(difference of the two largest scores)^2 / (2 mean squared residual)), at mean 1: where one
// class is far ahead, no error of a completed row changes the answer.
Vector closeness_of(const Matrix& scores, double error) {
  Vector close(scores.rows());
  for (Index i = 0; i < scores.rows(); ++i) {
    Vector row = scores.row(i);
    std::sort(row.begin(), row.end());
    const double margin = row(row.size() - 1) - row(row.size() - 2);
    close(i) = std::exp(-margin * margin / (2 * std::max(error, 1e-12)));
  }
  const double mean = close.mean();
  return mean > 0 ? Vector(close / mean) : Vector::Ones(close.size());
}

}  // namespace

LabelModel fit_label_model(const JointModel& model, const Target& target) {
  const Indices rows = labelled(target);
  if (rows.size() < 3)
    throw InputError(fmt::format("{} of {} samples have a label: at least 3 are needed",
                                 rows.size(), model.n_samples()));
  Matrix Y = outputs_of(target, rows);
  const Eigen::RowVectorXd mean_Y = Y.colwise().mean();
  Y.rowwise() -= mean_Y;
  const double variance = Y.squaredNorm() / static_cast<double>(Y.rows());
  if (!(variance > 0))
    throw InputError("all labels are equal, so no assay can tell samples apart by them",
                     "leave the labels out, or choose another column");
  const Matrix X_all = model.X;
  Matrix X = X_all(rows, Eigen::all);
  const Eigen::RowVectorXd mean_X = X.colwise().mean();
  X.rowwise() -= mean_X;
  const Matrix XX = linalg::gram_of_columns(X);
  const double scale = std::max(XX.diagonal().mean(), 1e-12);
  Fit best;
  for (const double ridge : ridges)
    if (Fit fit = fit_with(X, Y, XX, ridge * scale); fit.error < best.error) best = std::move(fit);

  LabelModel labels;
  labels.weights = best.weights / std::sqrt(variance);
  labels.error = best.error / variance;
  labels.closeness = Vector::Ones(model.n_samples());
  if (std::holds_alternative<Labels>(target) && Y.cols() > 1) {
    Matrix scores = linalg::multiply(X_all.rowwise() - mean_X, best.weights);
    scores.rowwise() += mean_Y;
    for (std::size_t k = 0; k < rows.size(); ++k)  // of labelled samples: as if left out
      scores.row(rows[k]) =
          Y.row(static_cast<Index>(k)) + mean_Y - best.left_out.row(static_cast<Index>(k));
    labels.closeness = closeness_of(scores, best.error / static_cast<double>(Y.cols()));
  }
  return labels;
}

}  // namespace mkc::advice
