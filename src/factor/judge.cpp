#include "factor/judge.hpp"

#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "numeric/linalg/blas.hpp"
#include "select/candidate_runs.hpp"
#include "select/stacking.hpp"
#include "select/view_figures.hpp"
#include "select/weights.hpp"

namespace mkc::factor {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double rounding = 1e-12;
constexpr Index fewest_hidden = 5;  // samples

// The hidden rows of view m as a stage completes them, against the samples that truth observes.
Matrix kernel_rows(const ObservedKernel& view, const Indices& hidden, const StageAnswer& answer,
                   Index m, double open) {
  const Matrix& F = answer.features[at(m)];
  Matrix rows = linalg::multiply_nt(F(hidden, Eigen::all), F(view.rows, Eigen::all));
  for (std::size_t k = 0; k < hidden.size(); ++k) {
    const auto own = std::lower_bound(view.rows.begin(), view.rows.end(), hidden[k]);
    rows(static_cast<Index>(k), own - view.rows.begin()) += answer.variance(hidden[k], m) + open;
  }
  return rows;
}

HiddenAnswer hidden_answer_of(const Trial& trial, const HeldOut& copy, const StageAnswer& answer,
                              const Vector& open) {
  HiddenAnswer hidden;
  for (Index m = 0; m < trial.truth.n_views(); ++m) {
    const Indices& rows = copy.hidden[at(m)];
    hidden.rows.push_back(kernel_rows(trial.truth.view(m), rows, answer, m, open(m)));
    hidden.variances.emplace_back(answer.variance(rows, m).array() + open(m));
  }
  return hidden;
}

RowSignals signals_of(const HiddenRow& row, const Vector& w) {
  const double norm2 = w.dot(row.estimates * w);
  if (norm2 <= rounding) return {row.view, row.sample, row.observed_views, 0, 0};
  return {row.view, row.sample, row.observed_views,
          spread_of(w.dot(row.estimates.diagonal()), norm2), w.dot(row.variances) / norm2};
}

Strings stage_names() {
  Strings names = {"gaussian"};
  for (const StageKind& kind : stage_kinds()) names.emplace_back(kind.name);
  return names;
}

std::vector<Expert> experts_of(const std::vector<HiddenRow>& rows, const Matrix& weights) {
  std::vector<Expert> experts;
  for (Index c = 0; c < weights.rows(); ++c) {
    Vector errors(std::ssize(rows));
    for (std::size_t t = 0; t < rows.size(); ++t)
      errors(static_cast<Index>(t)) = relative_error(rows[t], Vector::Unit(weights.rows(), c));
    experts.push_back({stage_names()[at(c)], mean_by_view(rows, errors, weights.cols()),
                       weights.row(c).transpose()});
  }
  return experts;
}

}  // namespace

double spread_of(double squares, double square) {
  const double spread = squares / square - 1;
  return spread > rounding ? spread : 0;
}

double interval_margin(Index n_samples) { return plan_for(n_samples, {}).margin; }

Judgement judge(const Trial& trial, const std::vector<std::vector<StageAnswer>>& answers,
                const Vector& open, double coverage) {
  const Index M = trial.truth.n_views();
  const auto stages = std::ssize(answers.front());
  std::vector<HeldOut> copies;
  std::vector<std::vector<HiddenAnswer>> hidden;
  for (std::size_t c = 0; c < trial.hidden.size(); ++c) {
    copies.push_back(hide_pairs(trial.truth, trial.hidden[c]));
    hidden.emplace_back();
    for (const StageAnswer& answer : answers[c])
      hidden.back().push_back(hidden_answer_of(trial, copies.back(), answer, open));
  }
  const std::vector<HiddenRow> rows = compare_hidden_rows(trial.truth, copies, hidden);
  Judgement judgement;
  judgement.weights = Vector::Unit(stages, stages > 2 ? 2 : stages - 1).replicate(1, M);
  std::set<Index> samples;
  for (const HiddenRow& row : rows) samples.insert(row.sample);
  if (std::ssize(samples) < fewest_hidden) {
    judgement.notices.push_back(fmt::format(
        "rows of {} samples only could be hidden: errors are not estimated", samples.size()));
    return judgement;
  }
  const Stack stack = choose_stack(rows, M, trial.truth.samples());
  judgement.known = true;
  judgement.weights = stack.weights;
  judgement.errors.resize(std::ssize(rows));
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const auto i = static_cast<Index>(t);
    judgement.signals.push_back(signals_of(rows[t], stack.weights.col(rows[t].view)));
    judgement.errors(i) = drawn_error(rows[t], stack.row_weights.col(i));
  }
  Quality& quality = judgement.quality.quality;
  quality.coverage = coverage;
  quality.hidden_rows = std::ssize(rows);
  quality.hidden_samples = std::ssize(samples);
  quality.held_out_errors = mean_by_view(rows, stack.errors, M);
  quality.mean_of_others_errors = Vector::Constant(M, nan);
  judge_views(rows, stack, quality);
  judgement.quality.experts = experts_of(rows, stack.weights);
  judgement.notices.push_back(
      fmt::format("chosen on hidden rows: {}", stack_rule_name(stack.rule)));
  return judgement;
}

}  // namespace mkc::factor
