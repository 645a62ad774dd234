#include "select/view_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "select/candidate_runs.hpp"

namespace mkc {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double same = 1e-9;       // estimates that differ by less, relative
constexpr double rounding = 1e-20;  // of squares: a row that differs less from the average is equal

// Sums over the hidden rows of one sample, in all copies.
struct Sums {
  double lost = 0;   // |k^ - k|^2
  double whole = 0;  // |a - k|^2
};

const char* const what_may_help =
    "another kernel or transform of this view, more samples shared with other views, or another "
    "method may change that; otherwise do without its completed rows";

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string warning_about(const Quality& quality, Index m, bool is_mean) {
  const double error = quality.held_out_errors(m), mean = quality.mean_of_others_errors(m),
               average = quality.average_row_errors(m);
  Strings reasons;
  if (!is_mean && error >= mean)
    reasons.push_back(
        fmt::format("are no better than the mean of the other views (error of hidden rows {}, of "
                    "that mean {})",
                    percent(error), percent(mean)));
  if (error >= average)
    reasons.push_back(
        fmt::format("are no better than the average row (error of hidden rows {}, of that row {})",
                    percent(error), percent(average)));
  else if (quality.verdicts[at(m)] == Verdict::nothing)
    reasons.push_back(
        fmt::format("recover nothing beyond the average row (R^2 of centred rows {:.2f} +- {:.2f})",
                    quality.recovered(m), quality.recovered_deviations(m)));
  return join(reasons, " and ");
}

bool all_equal(const Matrix& values, const Indices& rows, Index m) {
  const double first = values(rows.front(), m);
  return std::all_of(rows.begin(), rows.end(), [&](Index t) {
    return std::abs(values(t, m) - first) <= same * std::abs(first);
  });
}

}  // namespace

Share recovered_share(const std::vector<HiddenRow>& rows, const Matrix& weights, Index view) {
  std::map<Index, Sums> samples;
  Sums all;
  double size = 0;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    if (rows[t].view != view || !rows[t].judges) continue;
    const Vector w = weights.col(static_cast<Index>(t));
    const double lost = std::max(0.0, w.dot(rows[t].visible * w)), whole = rows[t].from_average;
    samples[rows[t].sample].lost += lost;
    samples[rows[t].sample].whole += whole;
    all.lost += lost;
    all.whole += whole;
    size += rows[t].norm2;
  }
  if (samples.empty()) return {nan, nan};
  if (all.whole <= rounding * size) return {0, 0};
  const double ratio = all.lost / all.whole;
  double squares = 0;
  for (const auto& [sample, sums] : samples) {
    const double residual = sums.lost - ratio * sums.whole;
    squares += residual * residual;
  }
  const auto n = static_cast<double>(samples.size());
  return {1 - ratio, n < 2 ? nan : std::sqrt(n / (n - 1) * squares) / all.whole};
}

void judge_views(const std::vector<HiddenRow>& rows, const Stack& stack, Quality& quality) {
  const Index M = quality.held_out_errors.size();
  Vector average(static_cast<Index>(rows.size()));
  std::vector<std::set<Index>> samples(at(M));
  for (std::size_t t = 0; t < rows.size(); ++t) {
    average(static_cast<Index>(t)) = rows[t].average_row_error;
    if (rows[t].judges) samples[at(rows[t].view)].insert(rows[t].sample);
  }
  quality.average_row_errors = mean_by_view(rows, average, M);
  quality.recovered = quality.recovered_deviations = Vector::Constant(M, nan);
  for (Index m = 0; m < M; ++m) {
    const Share share = recovered_share(rows, stack.row_weights, m);
    quality.recovered(m) = share.value;
    quality.recovered_deviations(m) = share.standard_error;
    quality.hidden_samples_of_view.push_back(std::ssize(samples[at(m)]));
    quality.verdicts.push_back(
        verdict_on({quality.held_out_errors(m), quality.average_row_errors(m), share.value,
                    share.standard_error, quality.hidden_samples_of_view.back()}));
  }
}

void describe_missingness(const std::vector<Missingness>& missingness,
                          const std::vector<HiddenRow>& rows, const Stack& stack,
                          Quality& quality) {
  const Index M = std::ssize(missingness);
  quality.missing_auc = quality.missing_p_values = quality.errors_if_odds_double =
      Vector::Constant(M, nan);
  for (Index m = 0; m < M; ++m) {
    const Missingness& model = missingness[at(m)];
    quality.missing_auc(m) = model.auc;
    quality.missing_p_values(m) = model.p_value;
    quality.missing_predictable.push_back(model.predictable);
    std::vector<double> errors;
    for (std::size_t t = 0; t < rows.size(); ++t)
      if (rows[t].view == m && rows[t].judges)
        errors.push_back(stack.errors(static_cast<Index>(t)));
    if (!errors.empty())
      quality.errors_if_odds_double(m) =
          mean_under_bias(Eigen::Map<const Vector>(errors.data(), std::ssize(errors)), 2);
  }
}

Strings warnings_about_missingness(const Problem& problem, const Quality& quality) {
  Strings warnings;
  for (Index m = 0; m < problem.n_views(); ++m)
    if (quality.missing_predictable[at(m)])
      warnings.push_back(fmt::format(
          "view '{}': which samples lack it can be predicted from the other views (AUC {:.2f}), so "
          "its rows are not missing at random; the intervals allow for what the other views show, "
          "but if "
          "rows outside of their interval are twice as likely to be missing for another reason, "
          "only "
          "{:.0f} % of the intervals hold and the mean error is up to {}",
          shown(problem.view(m).name), quality.missing_auc(m),
          100 * quality.coverage_if_odds_double(), percent(quality.errors_if_odds_double(m))));
  return warnings;
}

Strings warnings_about_views(const std::vector<JudgedView>& views, const Quality& quality) {
  Strings warnings;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (views[i].complete) continue;
    const auto m = static_cast<Index>(i);
    if (std::isnan(quality.held_out_errors(m))) {
      warnings.push_back(
          fmt::format("view '{}': none of its rows could be hidden; the errors given for its "
                      "completed rows are those of other views",
                      shown(views[i].name)));
      continue;
    }
    const std::string reasons = warning_about(quality, m, views[i].is_mean);
    if (!reasons.empty())
      warnings.push_back(fmt::format("view '{}': completed rows {}; {}", shown(views[i].name),
                                     reasons, what_may_help));
  }
  return warnings;
}

std::string notice_of_unknown_errors(const std::string& view, Index unknown, Index completed) {
  return fmt::format(
      "view '{}': the error of {} of {} completed rows is unknown: the interval reaches above "
      "100 %",
      shown(view), unknown, completed);
}

Strings notices_about_rows(const Problem& problem, const Quality& quality) {
  Strings notices;
  for (Index m = 0; m < problem.n_views(); ++m) {
    const Indices& rows = problem.missing(m);
    const std::string view = shown(problem.view(m).name);
    const auto unknown = std::count_if(
        rows.begin(), rows.end(), [&](Index t) { return !interval_is_known(quality.high(t, m)); });
    if (unknown > 0)
      notices.push_back(notice_of_unknown_errors(problem.view(m).name, unknown, std::ssize(rows)));
    if (rows.size() > 1 && all_equal(quality.error, rows, m) && all_equal(quality.low, rows, m) &&
        all_equal(quality.high, rows, m))
      notices.push_back(fmt::format(
          "view '{}': all {} completed rows have the same estimate, {} ({} to {}); it "
          "does not tell good rows from bad ones",
          view, rows.size(), percent(quality.error(rows.front(), m)),
          percent(quality.low(rows.front(), m)), percent(quality.high(rows.front(), m))));
  }
  return notices;
}

}  // namespace mkc
