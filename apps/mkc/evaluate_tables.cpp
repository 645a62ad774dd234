#include "evaluate_tables.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "terminal.hpp"

namespace mkc::app {

namespace {

std::string number(double value, const char* format) {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value);
}

std::string spread(const Spread& value, const char* format) {
  if (std::isnan(value.mean)) return "-";
  return std::isnan(value.deviation)
             ? number(value.mean, format)
             : fmt::format("{} +- {}", number(value.mean, format), number(value.deviation, format));
}

std::string percent(const Spread& share) {
  return spread({100 * share.mean, 100 * share.deviation}, "{:.0f}");
}

const MethodSummary* find(const std::vector<MethodSummary>& methods, const std::string& name) {
  const auto found = std::find_if(methods.begin(), methods.end(),
                                  [&](const MethodSummary& m) { return m.method == name; });
  return found == methods.end() || std::isnan(found->complete.accuracy.mean) ? nullptr : &*found;
}

// Variance of a share p of n samples, and that over the folds of repeats.
double noise2(const MethodSummary::OnLabels& labels) {
  const double p = labels.accuracy.mean, folds = std::fmax(0, labels.accuracy.deviation);
  return p * (1 - p) / static_cast<double>(labels.samples) + folds * folds;
}

// Did completion help? `with` against `without`, on the complete samples. A difference within one
// standard error does not count.
std::string verdict(const MethodSummary& with, const MethodSummary& without) {
  const double gain = with.complete.accuracy.mean - without.complete.accuracy.mean;
  const double noise = std::sqrt(noise2(with.complete) + noise2(without.complete));
  const char* word = std::abs(gain) <= noise ? "neither helped nor hurt"
                     : gain > 0              ? "helped"
                                             : "hurt";
  return fmt::format(
      "{}: completion {} on the {} complete samples ({:.3f}, without it {:.3f}); accuracy on all "
      "{} "
      "samples: {:.3f}\n",
      printable(with.method), word, without.complete.samples, with.complete.accuracy.mean,
      without.complete.accuracy.mean, with.all.samples, with.all.accuracy.mean);
}

}  // namespace

std::string hiding_text(const EvaluatePlan& plan, const Problem& problem, const HeldOut& first) {
  std::string what = plan.mechanism == Mechanism::pattern
                         ? "in the pattern in which samples lack views"
                         : "at random";
  if (plan.views_missing > 0)
    return fmt::format("{} samples, {} views: {:g} % of the samples lose {} views {}, {} times\n",
                       problem.n_samples(), problem.n_views(), 100 * plan.fraction,
                       plan.views_missing, what, plan.repeats);
  const double share = first.share_of(problem);
  constexpr double rounding = 0.02;
  return fmt::format(
      "{} samples, {} views: {:.0f} % of the rows are hidden {}{}, {} times\n", problem.n_samples(),
      problem.n_views(), 100 * share, what,
      share < plan.fraction - rounding
          ? fmt::format(" ({:g} % were requested; every view keeps enough rows to learn from)",
                        100 * plan.fraction)
          : "",
      plan.repeats);
}

std::string score_text(const io::Evaluation& evaluation) {
  std::vector<std::vector<std::string>> rows = {{"method", "are %", "recovered %", "are_squared %",
                                                 "rmse", "alignment", "coverage", "seconds",
                                                 "peak MiB"}};
  double average_row = std::nan("");
  for (const auto& s : summarize(evaluation.trials))
    if (s.method != complete_cases) {
      if (std::isnan(average_row)) average_row = s.average_row;
      rows.push_back({s.method, spread(s.are, "{:.2f}"), percent(s.recovered),
                      spread(s.are_squared, "{:.2f}"), number(s.rmse.mean, "{:.3g}"),
                      number(s.alignment.mean, "{:.3f}"), number(s.coverage, "{:.2f}"),
                      number(s.seconds, "{:.2f}"), number(s.peak_mib, "{:.0f}")});
    }
  return format_table(rows) +
         fmt::format(
             "the average row of each view has an are of {} %; recovered: share of what "
             "distinguishes rows, R^2 of centred rows\n",
             number(average_row, "{:.2f}"));
}

std::string label_text(const io::Evaluation& evaluation) {
  const auto methods = summarize(evaluation.trials);
  std::vector<std::vector<std::string>> rows = {{"method", "samples", "SVM accuracy", "balanced",
                                                 "NMI", "ARI", "complete samples", "SVM accuracy",
                                                 "NMI", "ARI"}};
  for (const auto& s : methods) {
    const auto& all = s.all;
    const auto& complete = s.complete;
    rows.push_back({s.method, all.samples > 0 ? std::to_string(all.samples) : "-",
                    spread(all.accuracy, "{:.3f}"), number(all.balanced_accuracy.mean, "{:.3f}"),
                    number(all.nmi.mean, "{:.3f}"), number(all.ari.mean, "{:.3f}"),
                    std::to_string(complete.samples), spread(complete.accuracy, "{:.3f}"),
                    number(complete.nmi.mean, "{:.3f}"), number(complete.ari.mean, "{:.3f}")});
  }
  std::string text = format_table(rows);
  const MethodSummary* without = find(methods, complete_cases);
  for (const auto& s : methods)
    if (without != nullptr && s.method != complete_cases && find(methods, s.method) != nullptr)
      text += verdict(s, *without);
  return text;
}

}  // namespace mkc::app
