#include "mkc/evaluate/scores.hpp"

#include "numeric/blocks.hpp"

#include <cmath>
#include <limits>

namespace mkc {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// HKH on the columns `cols`: k_it - mean of row i - mean of column t + mean of all.
Matrix centred_columns(const MatrixRef& K, const Indices& cols) {
  const Vector means = K.colwise().mean();
  const double mean = means.mean();
  Matrix centred(K.rows(), static_cast<Index>(cols.size()));
  for (std::size_t j = 0; j < cols.size(); ++j)
    centred.col(static_cast<Index>(j)) = (K.col(cols[j]) - means).array() - (means(cols[j]) - mean);
  return centred;
}

double hidden_alignment(const MatrixRef& truth, const MatrixRef& estimate, const Indices& rows) {
  const Matrix a = centred_columns(truth, rows), b = centred_columns(estimate, rows);
  const double norms = a.norm() * b.norm();
  return norms > 0 ? a.cwiseProduct(b).sum() / norms : nan;
}

double entry_rmse(const MatrixRef& truth, const MatrixRef& estimate, const Indices& rows) {
  double sum = 0;
  for (const Index t : rows) sum += (estimate.col(t) - truth.col(t)).squaredNorm();
  return std::sqrt(sum / (static_cast<double>(rows.size()) * static_cast<double>(truth.rows())));
}

// Relative error of the hidden row at position t as in the intervals: over all samples of the view.
// The truth is unknown for the samples that were missing before; the other hidden rows represent
// them.
double whole_row_error(const MatrixRef& truth, const MatrixRef& estimate, const Indices& hidden,
                       Index t, Index missing) {
  const Vector error = (estimate.col(t) - truth.col(t)).cwiseAbs2();
  const Vector size = truth.col(t).cwiseAbs2();
  const double others =
      hidden.size() > 1 ? static_cast<double>(missing - 1) / static_cast<double>(hidden.size() - 1)
                        : 0;
  double error_sum = error.sum(), size_sum = size.sum();
  for (const Index j : hidden)
    if (j != t) {
      error_sum += (others - 1) * error(j);
      size_sum += (others - 1) * size(j);
    }
  return size_sum > 0 ? std::sqrt(std::max(0.0, error_sum) / size_sum) : nan;
}

double interval_coverage(const Quality& quality, const MatrixRef& truth, const MatrixRef& estimate,
                         const Indices& hidden, const Problem& visible, const Indices& samples,
                         Index m) {
  Index inside = 0, counted = 0;
  for (std::size_t k = 0; k < hidden.size(); ++k) {
    const double error = whole_row_error(truth, estimate, hidden, hidden[k],
                                         static_cast<Index>(visible.missing(m).size()));
    const double low = quality.low(samples[k], m), high = quality.high(samples[k], m);
    if (std::isnan(error) || std::isnan(high)) continue;
    ++counted;
    inside += error >= low && error <= high;
  }
  return counted > 0 ? static_cast<double>(inside) / static_cast<double>(counted) : nan;
}

// The truth with the average row in the place of every hidden row.
Matrix with_average_rows(const Problem& truth, const HeldOut& held_out, const Indices& hidden,
                         Index m) {
  const Matrix averages = average_rows(truth, held_out, m);
  const MatrixRef block = truth.view(m).block;
  Matrix kernel = block;
  for (std::size_t k = 0; k < hidden.size(); ++k)
    kernel.col(hidden[k]) = averages.row(static_cast<Index>(k)).transpose();
  return kernel;
}

// Sum of squared differences of the hidden rows, over the columns that are not hidden.
double visible_differences(const MatrixRef& truth, const MatrixRef& estimate,
                           const Indices& hidden) {
  double sum = 0;
  for (const Index t : hidden) {
    Vector squares = (estimate.col(t) - truth.col(t)).cwiseAbs2();
    for (const Index j : hidden) squares(j) = 0;
    sum += squares.sum();
  }
  return sum;
}

double recovered_share(const MatrixRef& truth, const MatrixRef& estimate, const MatrixRef& average,
                       const Indices& hidden) {
  const double whole = visible_differences(truth, average, hidden);
  return whole > 0 ? 1 - visible_differences(truth, estimate, hidden) / whole : nan;
}

}  // namespace

std::vector<ViewScores> score_hidden_rows(const Problem& truth, const HeldOut& held_out,
                                          const Completion& completion) {
  std::vector<ViewScores> scores;
  for (Index m = 0; m < truth.n_views(); ++m) {
    const ObservedKernel& view = truth.view(m);
    const Indices rows = hidden_positions(truth, held_out, m);
    if (rows.empty()) {
      scores.push_back({0, nan, nan, nan, nan, nan, nan, nan});
      continue;
    }
    const Matrix estimate = submatrix(completion.kernels[at(m)], view.rows, view.rows);
    const Matrix average = with_average_rows(truth, held_out, rows, m);
    scores.push_back(
        {static_cast<Index>(rows.size()), average_relative_error(view.block, estimate, rows),
         average_relative_error_squared(view.block, estimate, rows),
         entry_rmse(view.block, estimate, rows), hidden_alignment(view.block, estimate, rows),
         completion.quality ? interval_coverage(*completion.quality, view.block, estimate, rows,
                                                held_out.problem, held_out.hidden[at(m)], m)
                            : nan,
         average_relative_error(view.block, average, rows),
         recovered_share(view.block, estimate, average, rows)});
  }
  return scores;
}

}  // namespace mkc
