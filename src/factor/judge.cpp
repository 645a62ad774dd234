#include "factor/judge.hpp"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "methods/single_methods.hpp"
#include "numeric/linalg/blas.hpp"
#include "select/candidate_runs.hpp"
#include "select/stacking.hpp"
#include "select/view_figures.hpp"
#include "select/weights.hpp"

namespace mkc::factor {

namespace {

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

// Features of view m as the mixture completes them; observed rows are the same in every stage.
Matrix mixture_of(const std::vector<StageAnswer>& answers, const Vector& weights, Index m) {
  Matrix F =
      Matrix::Zero(answers.front().features[at(m)].rows(), answers.front().features[at(m)].cols());
  for (std::size_t c = 0; c < answers.size(); ++c)
    if (const double w = weights(static_cast<Index>(c)); w > 0) F += w * answers[c].features[at(m)];
  return F;
}

// How many columns of a real missing row each column of a hidden row stands for, (n) over the
// samples that truth observes. Visible ones stand for the observed samples, hidden ones for the
// missing samples with as many observed views: errors depend on it.
Vector column_counts(const Trial& trial, const HeldOut& copy, Index m) {
  const ObservedKernel& view = trial.truth.view(m);
  const Mask &has = trial.truth.observed(), &shown = copy.problem.observed();
  const Index M = has.cols();
  Vector missing = Vector::Zero(M + 1), hidden = Vector::Zero(M + 1);
  for (const Index i : trial.truth.missing(m)) ++missing(has.row(i).count());
  for (const Index i : copy.hidden[at(m)]) ++hidden(shown.row(i).count());
  const double represented = (hidden.array() > 0).select(missing.array(), 0).sum();
  const double all = missing.sum(), visible = static_cast<double>(copy.problem.view(m).rows.size());
  Vector counts(std::ssize(view.rows));
  for (std::size_t j = 0; j < view.rows.size(); ++j) {
    const Index i = view.rows[j], views = shown.row(i).count();
    double& count = counts(static_cast<Index>(j));
    if (shown(i, m))
      count = static_cast<double>(view.rows.size()) / visible;
    else
      count = represented > 0 ? missing(views) / hidden(views) * all / represented
                              : all / static_cast<double>(copy.hidden[at(m)].size());
  }
  return counts;
}

// Relative errors of the hidden rows as the mixture completes them, each with the weights that were
// fitted without its sample, in columns as a real missing row has them.
Vector mixture_errors(const Trial& trial, const std::vector<HeldOut>& copies,
                      const std::vector<std::vector<StageAnswer>>& answers,
                      const std::vector<HiddenRow>& rows, const Stack& stack) {
  Vector errors(std::ssize(rows));
  Index t = 0;
  for (std::size_t c = 0; c < copies.size(); ++c)
    for (Index m = 0; m < trial.truth.n_views(); ++m) {
      const ObservedKernel& view = trial.truth.view(m);
      const Vector counts = column_counts(trial, copies[c], m);
      const Matrix columns = mixture_of(answers[c], stack.weights.col(m), m)(view.rows, Eigen::all);
      for (const Index i : copies[c].hidden[at(m)]) {
        // rows of zeros have no relative error and are left out there
        if (t == std::ssize(rows) || rows[at(t)].view != m || rows[at(t)].sample != i) continue;
        Vector phi = Vector::Zero(columns.cols());
        for (std::size_t k = 0; k < answers[c].size(); ++k)
          phi += stack.row_weights(static_cast<Index>(k), t) *
                 answers[c][k].features[at(m)].row(i).transpose();
        const auto own = std::lower_bound(view.rows.begin(), view.rows.end(), i);
        const Vector truth = view.block.col(own - view.rows.begin());
        Vector wrong = columns * phi - truth;
        wrong(own - view.rows.begin()) = 0;  // one entry of many, completed with its variance
        errors(t++) = std::sqrt(counts.dot(wrong.cwiseAbs2()) / counts.dot(truth.cwiseAbs2()));
      }
    }
  return errors;
}

RowSignals signals_of(const HiddenRow& row, const Vector& w) {
  const double norm2 = w.dot(row.estimates * w);
  if (norm2 <= rounding) return {row.view, row.sample, row.observed_views, 0, 0};
  return {row.view, row.sample, row.observed_views,
          spread_of(w.dot(row.estimates.diagonal()), norm2), w.dot(row.variances) / norm2};
}

std::vector<Expert> described(const Strings& names, const std::vector<HiddenRow>& rows,
                              const Matrix& weights) {
  std::vector<Expert> experts;
  for (Index c = 0; c < weights.rows(); ++c) {
    Vector errors(std::ssize(rows));
    for (std::size_t t = 0; t < rows.size(); ++t)
      errors(static_cast<Index>(t)) = relative_error(rows[t], Vector::Unit(weights.rows(), c));
    experts.push_back(
        {names[at(c)], mean_by_view(rows, errors, weights.cols()), weights.row(c).transpose()});
  }
  return experts;
}

// Errors of the mean of the other views' kernels in the place of the hidden rows, per view.
Vector errors_of_mean(const Trial& trial, const std::vector<HeldOut>& copies) {
  std::vector<std::vector<HiddenAnswer>> answers;
  for (const HeldOut& copy : copies) {
    const Completion mean = complete_single(copy.problem, "mean", {});
    answers.push_back({hidden_answer(trial.truth, copy, mean.kernels, nullptr)});
  }
  const std::vector<HiddenRow> rows = compare_hidden_rows(trial.truth, copies, answers);
  Vector errors(std::ssize(rows));
  for (std::size_t t = 0; t < rows.size(); ++t)
    errors(static_cast<Index>(t)) = relative_error(rows[t], Vector::Ones(1));
  return mean_by_view(rows, errors, trial.truth.n_views());
}

}  // namespace

double spread_of(double squares, double square) {
  const double spread = squares / square - 1;
  return spread > rounding ? spread : 0;
}

double interval_margin(Index n_samples) { return plan_for(n_samples, {}).margin; }

Judgement judge(const Trial& trial, const Contest& contest, const Vector& open, double coverage) {
  const Index M = trial.truth.n_views();
  const auto& answers = contest.answers;
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
  judgement.weights = Vector::Unit(std::ssize(contest.names), contest.first).replicate(1, M);
  std::set<Index> samples;
  for (const HiddenRow& row : rows) samples.insert(row.sample);
  if (std::ssize(samples) < fewest_hidden) {
    judgement.notices.push_back(fmt::format(
        "rows of {} samples only could be hidden: errors are not estimated", samples.size()));
    return judgement;
  }
  const Stack stack = choose_stack(rows, M, folds_of(rows, trial.truth.samples()));
  judgement.known = true;
  judgement.weights = stack.weights;
  judgement.errors = mixture_errors(trial, copies, answers, rows, stack);
  for (const HiddenRow& row : rows)
    judgement.signals.push_back(signals_of(row, stack.weights.col(row.view)));
  Quality& quality = judgement.quality.quality;
  quality.coverage = coverage;
  quality.hidden_rows = std::ssize(rows);
  quality.hidden_samples = std::ssize(samples);
  quality.held_out_errors = mean_by_view(rows, judgement.errors, M);
  quality.mean_of_others_errors = errors_of_mean(trial, copies);
  judge_views(rows, stack, quality);
  judgement.quality.experts = described(contest.names, rows, stack.weights);
  judgement.notices.push_back(
      fmt::format("chosen on hidden rows: {}", stack_rule_name(stack.rule)));
  return judgement;
}

}  // namespace mkc::factor
