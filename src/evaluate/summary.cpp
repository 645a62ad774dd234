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

using Cells = std::vector<const EvaluatedCell*>;

// Mean over views, then mean and deviation over repeats.
Spread over_views(const Cells& cells, double ViewScores::*score) {
  std::vector<double> repeats;
  for (const auto* cell : cells) {
    std::vector<double> views;
    for (const auto& view : cell->result.views) add_known(views, view.*score);
    add_known(repeats, mean_of(views));
  }
  return spread_of(repeats);
}

double pooled_coverage(const Cells& cells) {
  double inside = 0, rows = 0;
  for (const auto* cell : cells)
    for (const auto& view : cell->result.views)
      if (!std::isnan(view.coverage)) {
        inside += view.coverage * static_cast<double>(view.hidden_rows);
        rows += static_cast<double>(view.hidden_rows);
      }
  return rows > 0 ? inside / rows : nan;
}

MethodSummary::OnLabels on_labels(const Cells& cells, const std::string& on) {
  MethodSummary::OnLabels result;
  const auto spread = [&](double LabelScores::*score) {
    std::vector<double> values;
    for (const auto* cell : cells)
      for (const auto& [repeat, scores] : cell->result.labels)
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

MethodSummary summary_of(const std::string& method, const Cells& cells) {
  MethodSummary summary;
  summary.method = method;
  summary.are = over_views(cells, &ViewScores::are);
  summary.are_squared = over_views(cells, &ViewScores::are_squared);
  summary.rmse = over_views(cells, &ViewScores::rmse);
  summary.alignment = over_views(cells, &ViewScores::alignment);
  summary.coverage = pooled_coverage(cells);
  std::vector<double> seconds;
  summary.peak_mib = nan;
  for (const auto* cell : cells) {
    if (summary.failure.empty()) summary.failure = cell->result.failure;
    if (!cell->result.failure.empty() || method == complete_cases) continue;
    if (cell->plan.repeat == 0) continue;  // the problem as it is, for labels: another work
    seconds.push_back(cell->result.seconds);
    summary.peak_mib = std::fmax(summary.peak_mib, cell->result.peak_mib);
  }
  summary.seconds = mean_of(seconds);
  summary.all = on_labels(cells, "all");
  summary.complete = on_labels(cells, "complete");
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

std::vector<MethodSummary> summarize(const std::vector<EvaluatedCell>& cells) {
  std::vector<std::pair<std::string, Cells>> methods;
  for (const auto& cell : cells) {
    auto found = std::find_if(methods.begin(), methods.end(),
                              [&](const auto& m) { return m.first == cell.plan.method; });
    if (found == methods.end()) found = methods.insert(methods.end(), {cell.plan.method, {}});
    found->second.push_back(&cell);
  }
  std::vector<MethodSummary> summaries;
  for (const auto& [method, its_cells] : methods)
    summaries.push_back(summary_of(method, its_cells));
  return summaries;
}

}  // namespace mkc
