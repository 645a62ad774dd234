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

}  // namespace

std::string quality_table(const Problem& problem, const Quality& quality) {
  std::vector<std::vector<std::string>> rows = {
      {"view", "completed", "error", "error of the mean fill", "worst row (90 %)"}};
  for (Index m = 0; m < problem.n_views(); ++m) {
    double worst = std::numeric_limits<double>::quiet_NaN();
    for (const Index t : problem.missing(m)) worst = std::fmax(worst, quality.high(t, m));
    rows.push_back({problem.view(m).name, std::to_string(problem.missing(m).size()),
                    percent(quality.held_out_errors(m)), percent(quality.mean_fill_errors(m)),
                    percent(worst)});
  }
  return format_table(rows) +
         fmt::format(
             "relative errors of {} observed rows that were hidden and completed{}\n",
             quality.hidden_rows,
             quality.hidden_samples < ConformalErrors::fewest_samples
                 ? fmt::format("; a rough estimate from only {} samples", quality.hidden_samples)
                 : "");
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

}  // namespace mkc::app
