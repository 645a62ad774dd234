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

// Of accuracy, r2 and concordance, the one that is defined.
double main_of(const LabelScores& scores) {
  for (const double score : {scores.accuracy, scores.r2, scores.concordance})
    if (!std::isnan(score)) return score;
  return nan;
}

MethodSummary::OnLabels on_labels(const Trials& trials, const std::string& on) {
  MethodSummary::OnLabels result;
  std::vector<const LabelScores*> found;
  for (const auto* trial : trials)
    for (const auto& [repeat, scores] : trial->result.labels)
      if (scores.on == on) found.push_back(&scores);
  const auto spread = [&](double LabelScores::* score) {
    std::vector<double> values;
    for (const auto* scores : found) add_known(values, scores->*score);
    return spread_of(values);
  };
  std::vector<double> squared_errors;
  for (const auto* scores : found) {
    result.samples = scores->samples;
    add_known(result.main, main_of(*scores));
    add_known(squared_errors, scores->standard_error * scores->standard_error);
  }
  result.repeats = static_cast<Index>(result.main.size());
  result.accuracy = spread(&LabelScores::accuracy);
  result.balanced_accuracy = spread(&LabelScores::balanced_accuracy);
  result.nmi = spread(&LabelScores::nmi);
  result.ari = spread(&LabelScores::ari);
  result.r2 = spread(&LabelScores::r2);
  result.concordance = spread(&LabelScores::concordance);
  const double deviation = spread_of(result.main).deviation;
  result.standard_error =
      std::sqrt(mean_of(squared_errors) + (std::isnan(deviation) ? 0 : deviation * deviation) /
                                              static_cast<double>(result.repeats));
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

Spread MethodSummary::OnLabels::* main_score(LabelType type) {
  using OnLabels = MethodSummary::OnLabels;
  return type == LabelType::classes   ? &OnLabels::accuracy
         : type == LabelType::numbers ? &OnLabels::r2
                                      : &OnLabels::concordance;
}

Spread spread_named(const MethodSummary::OnLabels& labels, const std::string& name) {
  using OnLabels = MethodSummary::OnLabels;
  static const std::pair<const char*, Spread OnLabels::*> fields[] = {
      {"accuracy", &OnLabels::accuracy},
      {"balanced_accuracy", &OnLabels::balanced_accuracy},
      {"nmi", &OnLabels::nmi},
      {"ari", &OnLabels::ari},
      {"r2", &OnLabels::r2},
      {"concordance", &OnLabels::concordance}};
  for (const auto& [field_name, field] : fields)
    if (name == field_name) return labels.*field;
  return {nan, nan};
}

Difference difference(const MethodSummary& with, const MethodSummary& without, LabelType type) {
  const auto &a = with.complete, &b = without.complete;
  const auto score = main_score(type);
  Difference found{(a.*score).mean - (b.*score).mean, nan,
                   std::hypot(a.standard_error, b.standard_error), ""};
  if (a.main.size() == b.main.size() && a.main.size() > 1) {
    std::vector<double> differences;
    for (std::size_t r = 0; r < a.main.size(); ++r) differences.push_back(a.main[r] - b.main[r]);
    found.over_repeats =
        spread_of(differences).deviation / std::sqrt(static_cast<double>(differences.size()));
  }
  // clear: beyond two standard errors; likely: beyond what other folds would change
  const double size = std::abs(found.value);
  const bool clear = size > 2 * found.standard_error;
  const bool likely = size > 2 * found.over_repeats && size > found.standard_error / 2;
  found.word = clear    ? (found.value > 0 ? "helped" : "hurt")
               : likely ? (found.value > 0 ? "may have helped" : "may have hurt")
                        : "made no clear difference";
  return found;
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
