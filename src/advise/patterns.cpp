#include "advise/patterns.hpp"

#include <algorithm>

#include "numeric/blocks.hpp"
#include "numeric/linalg/blas.hpp"
#include "numeric/linalg/cholesky.hpp"

namespace mkc::advice {

namespace {

constexpr double smallest_open = 1e-6;  // a share: what is below is rounding, and has no logarithm

}  // namespace

Patterns::Patterns(const JointModel& model, double power, Matrix label)
    : model_(model), power_(power), label_(std::move(label)) {}

Index Patterns::number(const factor::Pattern& has) {
  const auto [place, fresh] = numbers_.try_emplace(has, std::ssize(values_));
  if (fresh) {
    values_.push_back(values_of(has));
    with_.emplace_back(has.size(), -1);
    without_.emplace_back(has.size(), -1);
  }
  return place->second;
}

Index Patterns::with(Index pattern, Index view) {
  if (with_[at(pattern)][at(view)] < 0) {
    factor::Pattern has = values_[at(pattern)].has;
    has[at(view)] = true;
    const Index found = number(has);  // may move the lists
    with_[at(pattern)][at(view)] = found;
  }
  return with_[at(pattern)][at(view)];
}

Index Patterns::without(Index pattern, Index view) {
  if (without_[at(pattern)][at(view)] < 0) {
    factor::Pattern has = values_[at(pattern)].has;
    has[at(view)] = false;
    const Index found = number(has);
    without_[at(pattern)][at(view)] = found;
  }
  return without_[at(pattern)][at(view)];
}

Indices Patterns::columns_of(const factor::Pattern& has, bool wanted) const {
  Indices columns;
  for (std::size_t m = 0; m < has.size(); ++m)
    if (has[m] == wanted)
      for (Index c = model_.first[m]; c < model_.first[m + 1]; ++c) columns.push_back(c);
  return columns;
}

// C = Sigma_hh - Sigma_ho Sigma_oo^-1 Sigma_oh.
Matrix Patterns::open_covariance(const Indices& missing, const Indices& observed) const {
  Matrix C = submatrix(model_.sigma, missing, missing);
  if (observed.empty() || missing.empty()) return C;
  const auto factor = linalg::Cholesky::factor(submatrix(model_.sigma, observed, observed));
  if (!factor) return C;  // cannot be: sigma carries a ridge
  const Matrix Sigma_oh = submatrix(model_.sigma, observed, missing);
  return C - linalg::multiply_tn(Sigma_oh, factor->solve(Sigma_oh));
}

double Patterns::open_share(Index m, const Matrix& C, Index first) const {
  const Index width = model_.width(m);
  const double whole = model_.sigma.diagonal().segment(model_.first[at(m)], width).sum();
  const double left = C.diagonal().segment(first, width).cwiseMax(0).sum();
  const double share = whole > 0 ? std::min(1.0, left / whole) : 1;
  return std::max(smallest_open, model_.kept(m) * share + 1 - model_.kept(m));
}

PatternValues Patterns::values_of(const factor::Pattern& has) const {
  const Index M = model_.n_views();
  PatternValues values{has, Vector::Ones(M), {}};
  const Indices h = columns_of(has, false), o = columns_of(has, true);
  const Matrix C = open_covariance(h, o);
  Index first = 0;
  for (Index m = 0; m < M; ++m)
    if (!has[at(m)]) {
      values.open(m) = open_share(m, C, first);
      first += model_.width(m);
    }
  if (label_.cols() > 0 && !h.empty()) {
    const Matrix w = label_(h, Eigen::all);
    values.label = std::max(0.0, linalg::multiply(C, w).cwiseProduct(w).sum());
  }
  for (Index m = 0; m < M; ++m)
    if (has[at(m)]) {
      factor::Pattern others = has, alone(at(M), false);
      others[at(m)] = false;
      alone[at(m)] = true;
      const Matrix own = open_covariance(columns_of(alone, true), columns_of(others, true));
      values.open(m) = open_share(m, own, 0);
    }
  values.powered = values.open.array().pow(power_);
  return values;
}

Indices patterns_of(const JointModel& model, Patterns& patterns) {
  Indices numbers(at(model.n_samples()));
  for (Index i = 0; i < model.n_samples(); ++i) {
    factor::Pattern has(at(model.n_views()));
    for (Index m = 0; m < model.n_views(); ++m) has[at(m)] = model.has(i, m);
    numbers[at(i)] = patterns.number(has);
  }
  return numbers;
}

}  // namespace mkc::advice
