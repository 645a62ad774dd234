#include "advise/expectation.hpp"

#include <algorithm>
#include <cmath>

namespace mkc::advice {

Expectation::Expectation(const JointModel& model, const Matrix& error,
                         const std::optional<LabelModel>& labels,
                         const AdviceCalibration& calibration, int threads)
    : model_(model),
      labels_(labels),
      calibration_(calibration),
      threads_(threads),
      has_(model.has),
      patterns_(model, calibration.pattern_power, labels ? labels->weights : Matrix()),
      pattern_of_(patterns_of(model, patterns_)),
      regressions_(model, patterns_, pattern_of_, threads),
      base_(has_.select(0, error)),
      leverage_(regressions_.leverages()),
      growth_(Matrix::Ones(error.rows(), error.cols())),
      count0_(has_.cast<double>().colwise().sum().transpose()),
      weights_(Matrix::Zero(error.rows(), error.cols())),
      surprises_(at(model.n_views())) {
  refresh();
}

double Expectation::error(Index i, Index m) const { return base_(i, m) * growth_(i, m); }

double Expectation::of_label(Index i, Index m) {
  const Index now = pattern_of_[at(i)], then = patterns_.with(now, m);
  return labels_->closeness(i) * std::max(0.0, patterns_[now].label - patterns_[then].label);
}

double Expectation::weight(Index i, Index m) {
  if (has_(i, m)) return 0;
  return labels_ ? of_label(i, m) * growth_(i, m) * growth_(i, m) : error(i, m);
}

// What the leverages tell of the rows of other samples: in the regression of the view itself, where
// the sample is new, and of the views it has, which it has with less noise. `from`, `to`: its
// patterns before and after.
double Expectation::of_regressions(const Assay& assay, Index from, Index to) const {
  const auto [i, v] = assay;
  const bool gained = !patterns_[from].has[at(v)];
  const double own = regressions_.precision(v, gained ? to : from, patterns_);
  double sum = regressions_.reduction(v, i, gained ? own : -own);
  for (Index u = 0; u < model_.n_views(); ++u)
    if (u != v && has_(i, u))
      sum += regressions_.reduction(
          u, i,
          regressions_.precision(u, to, patterns_) - regressions_.precision(u, from, patterns_));
  return std::max(0.0, gained ? sum : -sum);
}

// With one sample more in view v, or one less, all its other rows change by (n / (n +- 1))^a.
double Expectation::others(const Assay& assay, Index from, Index to) const {
  const auto [i, v] = assay;
  const bool gained = !patterns_[from].has[at(v)];
  const double n = std::max(2.0, count_(v)), then = gained ? n + 1 : n - 1;
  const double square = labels_ ? 2 : 1;
  const double change = std::abs(1 - std::pow(n / then, square * calibration_.sample_rate));
  return change * std::max(0.0, whole_(v) - weights_(i, v)) +
         0.5 * square * of_regressions(assay, from, to);
}

Parts Expectation::gain(const Assay& assay) {
  const auto [i, v] = assay;
  const Index from = pattern_of_[at(i)], to = patterns_.with(from, v);
  Parts parts;
  parts.own = weight(i, v);
  if (!labels_)
    for (Index u = 0; u < model_.n_views(); ++u)
      if (u != v && !has_(i, u))
        parts.same_sample += error(i, u) * (1 - powered(to, u) / powered(from, u));
  parts.others = others(assay, from, to);
  return parts;
}

Parts Expectation::loss(const Assay& assay, const Vector& typical) {
  const auto [i, v] = assay;
  const Index from = pattern_of_[at(i)], to = patterns_.without(from, v);
  Parts parts;
  if (labels_) {
    parts.own = labels_->closeness(i) * std::max(0.0, patterns_[to].label - patterns_[from].label);
  } else {
    if (surprises_[at(v)].size() == 0) surprises_[at(v)] = regressions_.surprise(v);
    // V(v | the other views) is the same in both patterns
    parts.own =
        typical(v) * surprises_[at(v)](i) *
        std::pow(patterns_[to].open(v) / regressions_.mean_open()(v), calibration_.pattern_power);
    for (Index u = 0; u < model_.n_views(); ++u)
      if (u != v && !has_(i, u))
        parts.same_sample += error(i, u) * (powered(to, u) / powered(from, u) - 1);
  }
  parts.others = others(assay, from, to);
  return parts;
}

void Expectation::measure(const Assay& assay) {
  const auto [i, v] = assay;
  const Index from = pattern_of_[at(i)], to = patterns_.with(from, v);
  for (Index u = 0; u < model_.n_views(); ++u) {
    if (u == v || has_(i, u)) {
      const double before = u == v ? 0 : regressions_.precision(u, from, patterns_);
      regressions_.add(u, i, regressions_.precision(u, to, patterns_) - before);
    } else {
      base_(i, u) *= powered(to, u) / powered(from, u);
    }
  }
  base_(i, v) = 0;
  has_(i, v) = true;
  pattern_of_[at(i)] = to;
}

// Leverages and counts first, then the weights that follow from them.
void Expectation::refresh() {
  const Index N = has_.rows(), M = has_.cols();
  regressions_.refresh(threads_);
  count_ = has_.cast<double>().colwise().sum().transpose();
  growth_ = ((1 + regressions_.leverages().array()) / (1 + leverage_.array())).sqrt();
  const Vector fall = (count0_.array() / count_.array()).pow(calibration_.sample_rate);
  growth_ *= fall.asDiagonal();
  for (Index m = 0; m < M; ++m)
    for (Index i = 0; i < N; ++i) weights_(i, m) = weight(i, m);
  whole_ = weights_.colwise().sum().transpose();
  regressions_.weigh(weights_, threads_);
}

double Expectation::total() {
  if (!labels_) return base_.cwiseProduct(growth_).sum();
  double sum = 0;
  for (Index i = 0; i < has_.rows(); ++i) {
    sum += labels_->closeness(i) * patterns_[pattern_of_[at(i)]].label;
    for (Index m = 0; m < has_.cols(); ++m)
      if (!has_(i, m)) sum += weight(i, m) - of_label(i, m);
  }
  return sum;
}

}  // namespace mkc::advice
