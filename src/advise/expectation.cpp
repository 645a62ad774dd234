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

// What the leverages tell of the rows of other samples, k = 1: in the regression of the view
// itself, where the sample is new, and of the views it has, which it has with less noise. `from`,
// `to`: its patterns before and after.
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

Vector Expectation::mean_effects(bool gained) {
  const Index M = has_.cols();
  Vector sums = Vector::Zero(M);
  for (Index v = 0; v < M; ++v) {
    Index count = 0;
    for (Index i = 0; i < has_.rows(); ++i) {
      if (has_(i, v) == gained) continue;
      const Index from = pattern_of_[at(i)],
                  to = gained ? patterns_.with(from, v) : patterns_.without(from, v);
      sums(v) += of_regressions({i, v}, from, to);
      ++count;
    }
    if (count > 0) sums(v) /= static_cast<double>(count);
  }
  return sums;
}

double Expectation::others(const Assay& assay, Index from, Index to, const Vector& mean) const {
  const double power = calibration_.sample_power * (labels_ ? 2 : 1);
  return std::min(power, 1.0) * of_regressions(assay, from, to) +
         std::max(power - 1, 0.0) * mean(assay.view);
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
  parts.others = others(assay, from, to, mean_gain_);
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
  if (mean_loss_.size() == 0) mean_loss_ = mean_effects(false);
  parts.others = others(assay, from, to, mean_loss_);
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

// Leverages first, then the weights that follow from them.
void Expectation::refresh() {
  const Index N = has_.rows(), M = has_.cols();
  regressions_.refresh(threads_);
  growth_ = ((1 + regressions_.leverages().array()) / (1 + leverage_.array()))
                .pow(calibration_.sample_power);
  Matrix weights(N, M);
  for (Index m = 0; m < M; ++m)
    for (Index i = 0; i < N; ++i) weights(i, m) = weight(i, m);
  regressions_.weigh(weights, threads_);
  mean_gain_ = mean_effects(true);
  mean_loss_.resize(0);
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
