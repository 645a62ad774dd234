#include "mkc/advise/advise.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "advise/advice_checks.hpp"
#include "advise/ranking.hpp"
#include "advise/trial.hpp"

namespace mkc {

namespace advice {

namespace {

// (M) error of a usual row of each view, for views whose rows were never hidden estimated from the
// others: error ~ V^power.
Vector typical_errors(const JointModel& model, const Quality& quality, const Matrix& error,
                      double power) {
  const Index M = model.n_views();
  Patterns patterns(model, power);
  const Indices number = patterns_of(model, patterns);
  Vector typical(M), open(M);
  double ratio = 0, known = 0;
  for (Index m = 0; m < M; ++m) {
    double sum = 0, count = 0, errors = 0, missing = 0;
    for (Index i = 0; i < model.n_samples(); ++i)
      if (model.has(i, m)) {
        sum += patterns[number[at(i)]].open(m);
        count += 1;
      } else {
        errors += error(i, m);
        missing += 1;
      }
    open(m) = std::pow(count > 0 ? sum / count : 1, power);
    typical(m) = quality.held_out_errors.size() == M ? quality.held_out_errors(m)
                                                     : std::numeric_limits<double>::quiet_NaN();
    if (std::isnan(typical(m)) && missing > 0) typical(m) = errors / missing;
    if (!std::isnan(typical(m))) {
      ratio += typical(m) / open(m);
      known += 1;
    }
  }
  for (Index m = 0; m < M; ++m)
    if (std::isnan(typical(m))) typical(m) = open(m) * ratio / std::max(1.0, known);
  return typical;
}

std::vector<ObservedAssay> value_observed(Expectation& expectation, const JointModel& model,
                                          const Vector& typical, const Vector& costs) {
  std::vector<ObservedAssay> values;
  for (Index i = 0; i < model.n_samples(); ++i) {
    if (model.has.row(i).count() < 2) continue;  // without its only assay nothing is known of it
    for (Index m = 0; m < model.n_views(); ++m)
      if (model.has(i, m)) {
        const double value = expectation.loss({i, m}, typical).sum();
        values.push_back({{i, m}, value, value / costs(m)});
      }
  }
  std::sort(values.begin(), values.end(), [&](const ObservedAssay& a, const ObservedAssay& b) {
    if (a.value_per_cost != b.value_per_cost) return a.value_per_cost < b.value_per_cost;
    const auto &name_a = model.samples[at(a.assay.sample)],
               &name_b = model.samples[at(b.assay.sample)];
    if (name_a != name_b) return name_a < name_b;
    return model.views[at(a.assay.view)] < model.views[at(b.assay.view)];
  });
  return values;
}

Strings notices_on(const AssayAdvice& result, const std::optional<LabelModel>& labels) {
  Strings notices;
  if (result.calibration.rows == 0)
    notices.push_back("no observed row could be hidden: expected gains are not calibrated");
  else if (result.calibration.rows < 30)
    notices.push_back(
        fmt::format("expected gains are calibrated on {} hidden rows only: their "
                    "order is more reliable than their size",
                    result.calibration.rows));
  if (labels && labels->error > 0.95)
    notices.push_back(fmt::format(
        "the views hardly predict the labels (leave-one-out R^2 {:.2f}): a ranking by labels says "
        "little; rank without labels",
        1 - labels->error));
  return notices;
}

}  // namespace

AssayAdvice advise_on(const JointModel& model, const Matrix& error, const Quality& quality,
                      const AdviceCalibration& calibration, const AdviceOptions& options) {
  const RankingPlan plan = checked_plan(model, options);
  std::optional<LabelModel> labels;
  if (options.target) labels = fit_label_model(model, *options.target);
  Expectation expectation(model, error, labels, calibration, options.threads);

  AssayAdvice result;
  result.of_labels = labels.has_value();
  result.calibration = calibration;
  result.missing = model.has.size() - model.has.count();
  result.observed =
      value_observed(expectation, model,
                     typical_errors(model, quality, error, calibration.pattern_power), plan.costs);
  result.sample_gains = Vector::Zero(model.n_samples());
  for (const Assay& assay : plan.candidates) {
    double& most = result.sample_gains(assay.sample);
    most = std::max(most, expectation.gain(assay).sum());
  }
  Ranking ranking = rank(expectation, model, plan);
  result.error = ranking.curve.front().error;
  result.ranking = std::move(ranking.assays);
  result.curve = std::move(ranking.curve);
  result.enough = point_of_enough(result.curve);
  result.spent = ranking.spent;
  result.error_after = ranking.error_after;
  result.notices = notices_on(result, labels);
  return result;
}

}  // namespace advice

Problem observed_part(const Strings& samples, const Strings& views,
                      const std::vector<Matrix>& kernels, const Mask& observed) {
  std::vector<ObservedKernel> parts;
  for (std::size_t m = 0; m < views.size(); ++m) {
    ObservedKernel view{views[m], {}, {}, ""};
    for (Index i = 0; i < observed.rows(); ++i)
      if (observed(i, static_cast<Index>(m))) view.rows.push_back(i);
    view.block = Matrix(kernels[m](view.rows, view.rows));
    parts.push_back(std::move(view));
  }
  ProblemChecks checks;
  checks.psd = PsdPolicy::clip;  // they were accepted when they were completed
  return Problem(samples, std::move(parts), checks);
}

AssayAdvice advise(const Problem& problem, const Completion& completion,
                   const AdviceOptions& options) {
  advice::check_problem(problem, completion);
  const advice::JointModel model = advice::joint_model(problem, options.threads);
  advice::checked_plan(model, options);  // before the calibration, which takes longer
  const Matrix error = advice::known_errors(problem.observed(), completion.quality->error);
  const AdviceCalibration calibration =
      advice::calibrate(problem, options.seed, options.threads, options.progress);
  return advice::advise_on(model, error, *completion.quality, calibration, options);
}

AssayAdvice advise(const CompletedFactors& completed, const AdviceOptions& options) {
  advice::check_factors(completed);
  const advice::JointModel model = advice::joint_model(
      completed.features, completed.observed, completed.samples, completed.views, options.threads);
  advice::checked_plan(model, options);
  const Matrix error = advice::known_errors(completed.observed, completed.quality.error);
  const AdviceCalibration calibration = advice::calibrate(
      advice::part_for_trial(completed), options.seed, options.threads, options.progress);
  return advice::advise_on(model, error, completed.quality, calibration, options);
}

}  // namespace mkc
