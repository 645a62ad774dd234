#include "select/hidden_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numeric/blocks.hpp"
#include "select/folds.hpp"
#include "select/neighbours.hpp"

namespace mkc {

namespace {

constexpr double expected_columns = 30;  // weight of the estimate, in hidden columns

// sum_j counts(j) x_j x_j' over the rows x_j of X.
Matrix gram(const Matrix& X, const Vector& counts) {
  return X.transpose() * counts.asDiagonal() * X;
}

double root_of_form(const Matrix& R, const Vector& w) {
  return std::sqrt(std::max(0.0, w.dot(R * w)));
}

Index place_of(Index sample, const Indices& sorted) {
  return std::lower_bound(sorted.begin(), sorted.end(), sample) - sorted.begin();
}

// A row on its own, before its missing columns are estimated from the others.
struct Compared {
  HiddenRow row;
  Matrix per_column;           // <k^_c - k, k^_d - k> over the visible columns, per column
  double columns_missing = 0;  // how many missing columns `residuals` does not have yet
};

// 1 for the columns of a row that the copy shows, and for the others that it hides; 0 elsewhere.
struct Columns {
  Vector visible, unseen;
};

Columns columns_of(const ObservedKernel& view, const Indices& hidden, Index own) {
  Columns columns{Vector(view.block.cols()), Vector(view.block.cols())};
  for (Index j = 0; j < view.block.cols(); ++j) {
    columns.unseen(j) = std::binary_search(hidden.begin(), hidden.end(), view.rows[at(j)]) ? 1 : 0;
    columns.visible(j) = 1 - columns.unseen(j);
  }
  columns.unseen(own) = 0;
  return columns;
}

// The row k of view m as every candidate completed it (n, C); fills in their variances.
Matrix estimates_of(const std::vector<HiddenAnswer>& answers, Index m, Index k, Index n,
                    double norm2, Vector& variances) {
  Matrix estimates(n, static_cast<Index>(answers.size()));
  for (Index c = 0; c < estimates.cols(); ++c) {
    const HiddenAnswer& answer = answers[at(c)];
    estimates.col(c) = answer.rows[at(m)].row(k).transpose();
    if (!answer.variances.empty()) variances(c) = answer.variances[at(m)](k) / norm2;
  }
  return estimates;
}

Compared compare(const Problem& truth, const HeldOut& copy,
                 const std::vector<HiddenAnswer>& answers, Index m, Index k, double zero) {
  const ObservedKernel& view = truth.view(m);
  const Indices& hidden = copy.hidden[at(m)];
  const auto candidates = static_cast<Index>(answers.size());
  Compared compared;
  HiddenRow& row = compared.row;
  row.view = m;
  row.sample = hidden[at(k)];
  row.sources = other_views(copy.problem.observed(), row.sample, m);
  row.observed_views = std::ssize(row.sources);
  const Index own = place_of(row.sample, view.rows);
  const auto n = static_cast<double>(view.rows.size());
  const double others = static_cast<double>(hidden.size()) - 1;  // hidden besides
  const double missing = std::max<double>(0, static_cast<double>(truth.missing(m).size()) - 1);

  const Vector k_t = view.block.col(own);
  Vector counts = Vector::Constant(k_t.size(), (n + missing) / (n - 1));
  counts(own) = 1;
  row.variances = Vector::Constant(candidates, std::numeric_limits<double>::quiet_NaN());
  if (k_t.norm() <= zero) return compared;  // no relative error
  const double norm2 = row.norm2 = counts.dot(k_t.cwiseAbs2());

  Matrix estimates = estimates_of(answers, m, k, k_t.size(), norm2, row.variances);
  // How often a real row has such a column: the visible ones represent those observed, the others
  // hidden, where there are some, those missing.
  const auto [visible, unseen] = columns_of(view, hidden, own);
  const double columns = n - 1 - others;  // visible ones
  Vector drawn = (others > 0 ? n : n + missing) / columns * visible;
  if (others > 0) drawn += missing / others * unseen;
  drawn(own) = 1;
  row.estimates = gram(estimates, drawn) / norm2;
  estimates.colwise() -= k_t;
  row.drawn = gram(estimates, drawn) / norm2;

  row.visible = gram(estimates, visible);
  compared.per_column = row.visible / columns;
  const Matrix seen = n * compared.per_column + estimates.row(own).transpose() * estimates.row(own);
  const double all = others + expected_columns;
  row.residuals = (seen + missing / all * gram(estimates, unseen)) / norm2;
  compared.columns_missing = expected_columns / all * missing;
  return compared;
}

void estimate_missing_columns(std::vector<Compared>& all, Index n_views) {
  std::vector<Matrix> mean(at(2 * n_views));  // per view and half
  Vector count = Vector::Zero(2 * n_views);
  const auto group = [](const HiddenRow& row) { return 2 * row.view + (row.judges ? 1 : 0); };
  for (const auto& [row, per_column, columns_missing] : all) {
    Matrix& sum = mean[at(group(row))];
    if (sum.size() == 0) sum = Matrix::Zero(per_column.rows(), per_column.cols());
    sum += per_column;
    ++count(group(row));
  }
  for (auto& [row, per_column, columns_missing] : all)
    row.residuals +=
        columns_missing / row.norm2 * (per_column + mean[at(group(row))] / count(group(row)));
}

}  // namespace

HiddenAnswer hidden_answer(const Problem& truth, const HeldOut& copy,
                           const std::vector<Matrix>& kernels, const Matrix* uncertainty) {
  HiddenAnswer answer;
  for (Index m = 0; m < truth.n_views(); ++m) {
    const Indices& hidden = copy.hidden[at(m)];
    answer.rows.push_back(submatrix(kernels[at(m)], hidden, truth.view(m).rows));
    if (uncertainty != nullptr) answer.variances.emplace_back((*uncertainty)(hidden, m));
  }
  return answer;
}

namespace {

HiddenAnswer average_answer(const Problem& truth, const HeldOut& copy) {
  HiddenAnswer answer;
  for (Index m = 0; m < truth.n_views(); ++m) answer.rows.push_back(average_rows(truth, copy, m));
  return answer;
}

std::vector<HiddenRow> compared_rows(const Problem& truth, const std::vector<HeldOut>& copies,
                                     const std::vector<std::vector<HiddenAnswer>>& answers,
                                     bool halves) {
  std::vector<bool> judges(at(truth.n_samples()), true);
  if (halves) judges = judging_half(truth.samples());
  std::vector<Compared> all;
  Vector zero(truth.n_views());
  for (Index m = 0; m < zero.size(); ++m) zero(m) = zero_norm(truth.view(m).block);
  for (std::size_t c = 0; c < copies.size(); ++c)
    for (Index m = 0; m < truth.n_views(); ++m)
      for (Index k = 0; k < static_cast<Index>(copies[c].hidden[at(m)].size()); ++k) {
        Compared one = compare(truth, copies[c], answers[c], m, k, zero(m));
        one.row.judges = judges[at(one.row.sample)];
        if (one.row.norm2 > 0) all.push_back(std::move(one));
      }
  estimate_missing_columns(all, truth.n_views());
  std::vector<HiddenRow> rows;
  for (auto& one : all) rows.push_back(std::move(one.row));
  return rows;
}

}  // namespace

std::vector<HiddenRow> compare_hidden_rows(const Problem& truth, const std::vector<HeldOut>& copies,
                                           const std::vector<std::vector<HiddenAnswer>>& answers,
                                           bool halves) {
  std::vector<HiddenRow> rows = compared_rows(truth, copies, answers, halves);
  std::vector<std::vector<HiddenAnswer>> averages;
  for (const auto& copy : copies) averages.push_back({average_answer(truth, copy)});
  const std::vector<HiddenRow> average = compared_rows(truth, copies, averages, halves);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    rows[t].average_row_error = drawn_error(average[t], Vector::Ones(1));
    rows[t].from_average = average[t].visible(0, 0);
  }
  return rows;
}

double relative_error(const HiddenRow& row, const Vector& weights) {
  return root_of_form(row.residuals, weights);
}

double drawn_error(const HiddenRow& row, const Vector& weights) {
  return root_of_form(row.drawn, weights);
}

}  // namespace mkc
