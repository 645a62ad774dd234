#include "advise/advice_checks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/base/error.hpp"

namespace mkc::advice {

namespace {

constexpr const char* nothing_missing =
    "nothing is missing: every sample is observed in every view";

Vector checked_costs(const JointModel& model, const Vector& costs) {
  const Index M = model.n_views();
  if (costs.size() == 0) return Vector::Ones(M);
  if (costs.size() != M)
    throw InputError(fmt::format("costs: {} values for {} views", costs.size(), M));
  for (Index m = 0; m < M; ++m)
    if (!(costs(m) >= least_cost && costs(m) <= most_cost))
      throw InputError(
          fmt::format("the cost of view '{}' is {}: a cost is a number above 0, from {:g} to {:g}",
                      shown(model.views[at(m)]), costs(m), least_cost, most_cost),
          "choose another unit of money");
  return costs;
}

std::string named(const JointModel& model, const Assay& assay) {
  return fmt::format("sample '{}' in view '{}'", shown(model.samples[at(assay.sample)]),
                     shown(model.views[at(assay.view)]));
}

std::vector<Assay> checked_candidates(const JointModel& model, const std::vector<Assay>& given) {
  std::vector<Assay> candidates = given;
  if (given.empty())
    for (Index m = 0; m < model.n_views(); ++m)
      for (Index i = 0; i < model.n_samples(); ++i)
        if (!model.has(i, m)) candidates.push_back({i, m});
  if (candidates.empty()) throw InputError(nothing_missing, "there is no assay to advise on");
  std::set<std::pair<Index, Index>> seen;
  for (const Assay& assay : given) {
    if (assay.sample < 0 || assay.sample >= model.n_samples() || assay.view < 0 ||
        assay.view >= model.n_views())
      throw InputError(
          fmt::format("candidate ({}, {}) does not exist: there are {} samples and {} "
                      "views, counted from 0",
                      assay.sample, assay.view, model.n_samples(), model.n_views()));
    if (model.has(assay.sample, assay.view))
      throw InputError("candidate " + named(model, assay) + " is already observed",
                       "remove it from the candidates");
    if (!seen.emplace(assay.sample, assay.view).second)
      throw InputError("candidate " + named(model, assay) + " is given twice",
                       "remove one of the two");
  }
  return candidates;
}

void check_budget(const JointModel& model, const RankingPlan& plan) {
  if (std::isnan(plan.budget) || plan.budget < 0)
    throw InputError(fmt::format("the budget is {}: it is a number of 0 or more", plan.budget));
  const auto cheapest = std::min_element(
      plan.candidates.begin(), plan.candidates.end(),
      [&](const Assay& a, const Assay& b) { return plan.costs(a.view) < plan.costs(b.view); });
  const double least = plan.costs(cheapest->view);
  if (plan.budget < least)
    throw InputError(
        fmt::format("the budget of {} is below the cheapest candidate: an assay of view '{}' costs "
                    "{}",
                    plan.budget, shown(model.views[at(cheapest->view)]), least),
        "raise the budget, or leave it out to rank all candidates");
}

}  // namespace

void check_problem(const Problem& problem, const Completion& completion) {
  if (problem.nothing_missing())
    throw InputError(nothing_missing, "there is no assay to advise on");
  if (!completion.quality)
    throw InputError("the completion has no error estimates",
                     "complete with estimates: the method auto, or complete_with_quality()");
  const Matrix& error = completion.quality->error;
  if (error.rows() != problem.n_samples() || error.cols() != problem.n_views())
    throw InputError(
        fmt::format("the error estimates are for {} samples and {} views; the problem "
                    "has {} and {}",
                    error.rows(), error.cols(), problem.n_samples(), problem.n_views()));
}

void check_factors(const CompletedFactors& completed) {
  const auto N = std::ssize(completed.samples), M = std::ssize(completed.views);
  const Mask& observed = completed.observed;
  if (observed.rows() != N || observed.cols() != M)
    throw InputError(fmt::format("observed is {} x {}; there are {} samples and {} views",
                                 observed.rows(), observed.cols(), N, M));
  if (observed.all()) throw InputError(nothing_missing, "there is no assay to advise on");
  if (std::ssize(completed.features) != M)
    throw InputError(
        fmt::format("features of {} views; there are {} views", completed.features.size(), M));
  for (Index m = 0; m < M; ++m)
    if (completed.features[at(m)].rows() != N)
      throw InputError(fmt::format("view '{}': features of {} samples; there are {}",
                                   shown(completed.views[at(m)]), completed.features[at(m)].rows(),
                                   N));
  const Matrix& error = completed.quality.error;
  if (error.rows() != N || error.cols() != M)
    throw InputError(
        fmt::format("the error estimates are for {} samples and {} views; there are "
                    "{} and {}",
                    error.rows(), error.cols(), N, M));
}

RankingPlan checked_plan(const JointModel& model, const AdviceOptions& options) {
  RankingPlan plan{checked_candidates(model, options.candidates),
                   checked_costs(model, options.costs),
                   options.budget,
                   options.batch,
                   options.threads,
                   options.progress};
  check_budget(model, plan);
  return plan;
}

Matrix known_errors(const Mask& observed, const Matrix& error) {
  const Index N = error.rows(), M = error.cols();
  Vector sums = Vector::Zero(M), counts = Vector::Zero(M);
  const auto known = [&](Index i, Index m) {
    return !observed(i, m) && std::isfinite(error(i, m)) && error(i, m) >= 0;
  };
  for (Index m = 0; m < M; ++m)
    for (Index i = 0; i < N; ++i)
      if (known(i, m)) {
        sums(m) += error(i, m);
        counts(m) += 1;
      }
  if (counts.sum() == 0)
    throw InputError(
        "the completion knows the error of no completed row: no observed row could be "
        "hidden to measure it",
        "give samples that are observed in two views or more");
  Matrix filled = Matrix::Zero(N, M);
  for (Index m = 0; m < M; ++m) {
    const double mean = counts(m) > 0 ? sums(m) / counts(m) : sums.sum() / counts.sum();
    for (Index i = 0; i < N; ++i)
      if (!observed(i, m)) filled(i, m) = known(i, m) ? error(i, m) : mean;
  }
  return filled;
}

}  // namespace mkc::advice
