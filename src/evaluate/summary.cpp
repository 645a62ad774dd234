#include "mkc/evaluate/summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mkc {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? nan : sum / static_cast<double>(values.size());
}

void add_known(std::vector<double>& values, double value) {
  if (!std::isnan(value)) values.push_back(value);
}

using Trials = std::vector<const FinishedTrial*>;

// Mean over views, then mean and deviation over repeats.
Spread over_views(const Trials& trials, double ViewScores::* score) {
  std::vector<double> repeats;
  for (const auto* trial : trials) {
    std::vector<double> views;
    for (const auto& view : trial->result.views) add_known(views, view.*score);
    add_known(repeats, mean_of(views));
  }
  return spread_of(repeats);
}

double pooled_coverage(const Trials& trials) {
  double inside = 0, rows = 0;
  for (const auto* trial : trials)
    for (const auto& view : trial->result.views)
      if (!std::isnan(view.coverage)) {
        inside += view.coverage * static_cast<double>(view.hidden_rows);
        rows += static_cast<double>(view.hidden_rows);
      }
  return rows > 0 ? inside / rows : nan;
}

MethodSummary::OnLabels on_labels(const Trials& trials, const std::string& on) {
  MethodSummary::OnLabels result;
  const auto spread = [&](double LabelScores::* score) {
    std::vector<double> values;
    for (const auto* trial : trials)
      for (const auto& [repeat, scores] : trial->result.labels)
        if (scores.on == on) {
          add_known(values, scores.*score);
          result.samples = scores.samples;
        }
    return spread_of(values);
  };
  result.accuracy = spread(&LabelScores::accuracy);
  result.balanced_accuracy = spread(&LabelScores::balanced_accuracy);
  result.nmi = spread(&LabelScores::nmi);
  result.ari = spread(&LabelScores::ari);
  return result;
}

MethodSummary summary_of(const std::string& method, const Trials& trials) {
  MethodSummary summary;
  summary.method = method;
  summary.are = over_views(trials, &ViewScores::are);
  summary.are_squared = over_views(trials, &ViewScores::are_squared);
  summary.rmse = over_views(trials, &ViewScores::rmse);
  summary.alignment = over_views(trials, &ViewScores::alignment);
  summary.recovered = over_views(trials, &ViewScores::recovered);
  summary.average_row = over_views(trials, &ViewScores::average_row).mean;
  summary.coverage = pooled_coverage(trials);
  std::vector<double> seconds;
  summary.peak_mib = nan;
  for (const auto* trial : trials) {
    if (summary.failure.empty()) summary.failure = trial->result.failure;
    if (!trial->result.failure.empty() || method == complete_cases) continue;
    if (trial->plan.repeat == 0) continue;  // the problem as it is, for labels: not comparable
    seconds.push_back(trial->result.seconds);
    summary.peak_mib = std::fmax(summary.peak_mib, trial->result.peak_mib);
  }
  summary.seconds = mean_of(seconds);
  summary.all = on_labels(trials, "all");
  summary.complete = on_labels(trials, "complete");
  return summary;
}

}  // namespace

Spread spread_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  if (values.size() < 2) return {mean, nan};
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  return {mean, deviation > 1e-12 * std::abs(mean) ? deviation : 0};  // not of rounding
}

std::vector<MethodSummary> summarize(const std::vector<FinishedTrial>& trials) {
  std::vector<std::pair<std::string, Trials>> methods;
  for (const auto& trial : trials) {
    auto found = std::find_if(methods.begin(), methods.end(),
                              [&](const auto& m) { return m.first == trial.plan.method; });
    if (found == methods.end()) found = methods.insert(methods.end(), {trial.plan.method, {}});
    found->second.push_back(&trial);
  }
  std::vector<MethodSummary> summaries;
  for (const auto& [method, its_trials] : methods)
    summaries.push_back(summary_of(method, its_trials));
  return summaries;
}

}  // namespace mkc
