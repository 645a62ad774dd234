#include "complete_tables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "select/conformal.hpp"
#include "terminal.hpp"

namespace mkc::app {

namespace {

std::string percent(double error) {
  return std::isnan(error) ? "-" : fmt::format("{:.1f} %", 100 * error);
}

std::string recovered(double share, double standard_error) {
  if (std::isnan(share)) return "-";
  return std::isnan(standard_error)
             ? fmt::format("{:.0f} %", 100 * share)
             : fmt::format("{:.0f} +- {:.0f} %", 100 * share, 100 * standard_error);
}

}  // namespace

std::string quality_table(const Problem& problem, const Quality& quality) {
  std::vector<std::vector<std::string>> rows = {{"view", "completed", "error", "average row",
                                                 "mean of other views", "recovered",
                                                 "worst row (90 %)", "verdict"}};
  for (Index m = 0; m < problem.n_views(); ++m) {
    double worst = std::numeric_limits<double>::quiet_NaN();
    for (const Index t : problem.missing(m)) worst = std::fmax(worst, quality.high(t, m));
    rows.push_back({problem.view(m).name, std::to_string(problem.missing(m).size()),
                    percent(quality.held_out_errors(m)), percent(quality.average_row_errors(m)),
                    percent(quality.mean_of_others_errors(m)),
                    recovered(quality.recovered(m), quality.recovered_deviations(m)),
                    !std::isnan(worst) && !interval_is_known(worst) ? "unknown" : percent(worst),
                    problem.complete(m) ? "-" : verdict_name(quality.verdicts[at(m)])});
  }
  return format_table(rows) +
         fmt::format(
             "error: relative error of {} observed rows that were hidden and completed{}\n"
             "average row, mean of other views: the error of each of these in their place\n"
             "recovered: share of what distinguishes the rows of a view, R^2 of centred rows\n"
             "90 %: intervals {}\n",
             quality.hidden_rows,
             quality.hidden_samples < ConformalErrors::fewest_samples
                 ? fmt::format("; a rough estimate from only {} samples", quality.hidden_samples)
                 : "",
             quality.split_conformal
                 ? "are split-conformal: from rows that had no part in any choice"
                 : "are calibrated on held-out rows");
}

std::string methods_used(const Completion& completion) {
  std::map<std::string, double> share_of;  // summed over the variants of a method
  for (const auto& candidate : completion.candidates)
    if (candidate.weights.size() > 0 && candidate.weights.sum() > 0)
      share_of[parse_spec(candidate.spec).name] += candidate.weights.mean();
  if (share_of.empty()) return format_spec({completion.info.method, completion.info.parameters});
  std::vector<std::pair<std::string, double>> shares(share_of.begin(), share_of.end());
  std::stable_sort(shares.begin(), shares.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  Strings parts;
  for (const auto& [name, share] : shares)
    parts.push_back(fmt::format("{} {:.0f} %", name, 100 * share));
  return fmt::format("{}: {}", completion.info.method, join(parts));
}

std::string view_table(const Assembled& assembled, const std::string& samples) {
  const Problem& problem = assembled.problem;
  std::vector<std::vector<std::string>> rows = {{"view", "samples", "missing", "in", "kernel"}};
  for (Index m = 0; m < problem.n_views(); ++m) {
    const ViewSummary& view = assembled.views[at(m)];
    rows.push_back({view.name, std::to_string(problem.view(m).rows.size()),
                    std::to_string(problem.missing(m).size()), samples_in_name(view.samples_in),
                    view.kernel});
  }
  const Index in_all = problem.observed().rowwise().all().count();
  return format_table(rows) + fmt::format("{}, {}{}, {} in all views\n",
                                          counted(problem.n_views(), "view"),
                                          counted(problem.n_samples(), "sample"),
                                          samples == "union" ? " in the union" : "", in_all);
}

std::string side_lines(const std::vector<ViewSummary>& views) {
  std::string text;
  for (const auto& view : views) {
    // A note has told why samples are in columns.
    const bool is_told = view.samples_in == SamplesIn::columns || view.samples_in_because.empty();
    text += fmt::format("samples of {} are in {}: {}{}{}\n", printable(view.name),
                        samples_in_name(view.samples_in), first_of(view.examples),
                        is_told ? "" : "; ", is_told ? "" : printable(view.samples_in_because));
  }
  return text;
}

std::string type_lines(const std::vector<ViewSummary>& views) {
  std::string text;
  for (const auto& view : views) {
    if (!view.feature_type.empty())
      text += fmt::format("values of {} look like {} ({}): {}\n", printable(view.name),
                          view.feature_type, view.feature_evidence, view.kernel);
    if (!view.width_evidence.empty())
      text += fmt::format("width of {}: {}\n", printable(view.name), view.width_evidence);
  }
  return text;
}

}  // namespace mkc::app
