#include "mkc/assess/hidden_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mkc {

namespace {

std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

// How often each column counts for hidden row t: visible columns stand for the n_m observed ones of
// the real problem, hidden ones for its missing ones, and t for itself.
Vector column_counts(const Problem& truth, const HeldOut& copy, Index m, Index t) {
  const ObservedKernel& view = truth.view(m);
  const Indices& hidden = copy.hidden[at(m)];
  const auto n = static_cast<double>(view.rows.size());
  const auto h = static_cast<double>(hidden.size());
  const double others_missing =
      std::max<double>(0, static_cast<double>(truth.missing(m).size()) - 1);
  const bool others_hidden = h > 1;
  const double visible = (n + (others_hidden ? 0 : others_missing)) / (n - h);
  const double unseen = others_hidden ? others_missing / (h - 1) : 0;
  Vector counts(view.block.rows());
  for (Index j = 0; j < counts.size(); ++j) {
    const Index sample = view.rows[at(j)];
    const bool is_hidden = std::binary_search(hidden.begin(), hidden.end(), sample);
    counts(j) = sample == t ? 1 : (is_hidden ? unseen : visible);
  }
  return counts;
}

HiddenRow compare(const Problem& truth, const HeldOut& copy,
                  const std::vector<HiddenAnswer>& answers, Index m, Index k) {
  const ObservedKernel& view = truth.view(m);
  const auto n = view.block.rows(), candidates = static_cast<Index>(answers.size());
  HiddenRow row;
  row.view = m;
  row.sample = copy.hidden[at(m)][at(k)];
  row.observed_views = copy.problem.observed().row(row.sample).count();
  const auto place = std::lower_bound(view.rows.begin(), view.rows.end(), row.sample);
  const Vector root = column_counts(truth, copy, m, row.sample).cwiseSqrt();
  const Vector k_t = root.cwiseProduct(view.block.col(place - view.rows.begin()));
  const double norm2 = k_t.squaredNorm();
  row.variances = Vector::Constant(candidates, std::numeric_limits<double>::quiet_NaN());
  if (norm2 <= 0) return row;  // told by empty matrices

  Matrix estimates(n, candidates);
  for (Index c = 0; c < candidates; ++c) {
    const HiddenAnswer& answer = answers[at(c)];
    estimates.col(c) = root.cwiseProduct(answer.rows[at(m)].row(k).transpose());
    if (!answer.variances.empty()) row.variances(c) = answer.variances[at(m)](k) / norm2;
  }
  row.estimates = estimates.transpose() * estimates / norm2;
  estimates.colwise() -= k_t;
  row.residuals = estimates.transpose() * estimates / norm2;
  return row;
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

std::vector<HiddenRow> compare_hidden_rows(const Problem& truth, const HeldOut& copy,
                                           const std::vector<HiddenAnswer>& answers) {
  std::vector<HiddenRow> rows;
  for (Index m = 0; m < truth.n_views(); ++m)
    for (Index k = 0; k < static_cast<Index>(copy.hidden[at(m)].size()); ++k) {
      HiddenRow row = compare(truth, copy, answers, m, k);
      if (row.residuals.size() > 0) rows.push_back(std::move(row));
    }
  return rows;
}

double relative_error(const HiddenRow& row, const Vector& weights) {
  return std::sqrt(std::max(0.0, weights.dot(row.residuals * weights)));
}

}  // namespace mkc
