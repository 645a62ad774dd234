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

const MethodSummary* find(const std::vector<MethodSummary>& methods, const std::string& name,
                          LabelType type) {
  const auto found = std::find_if(methods.begin(), methods.end(),
                                  [&](const MethodSummary& m) { return m.method == name; });
  return found == methods.end() || std::isnan((found->complete.*main_score(type)).mean) ? nullptr
                                                                                        : &*found;
}

const char* main_name(LabelType type) {
  return type == LabelType::classes   ? "accuracy"
         : type == LabelType::numbers ? "R^2"
                                      : "concordance";
}

// Did completion help? `with` against `without`, on the complete samples.
std::string verdict(const MethodSummary& with, const MethodSummary& without, LabelType type) {
  const auto score = main_score(type);
  const Difference found = difference(with, without, type);
  const std::string repeats = std::isnan(found.over_repeats)
                                  ? ""
                                  : fmt::format(", {:.3f} over repeats", found.over_repeats);
  return fmt::format(
      "{}: completion {} on the {} complete samples: {} {:.3f}, without it {:.3f}, difference "
      "{:+.3f} (standard error {:.3f}{}); on all {} samples: {:.3f}\n",
      printable(with.method), found.word, without.complete.samples, main_name(type),
      (with.complete.*score).mean, (without.complete.*score).mean, found.value,
      found.standard_error, repeats, with.all.samples, (with.all.*score).mean);
}

// Mean, and its standard error.
std::string with_error(const MethodSummary::OnLabels& labels, LabelType type) {
  return spread({(labels.*main_score(type)).mean, labels.standard_error}, "{:.3f}");
}

Strings label_header(LabelType type) {
  if (type == LabelType::classes)
    return {"method", "samples",          "SVM accuracy", "balanced", "NMI",
            "ARI",    "complete samples", "SVM accuracy", "NMI",      "ARI"};
  const std::string score = type == LabelType::numbers ? "ridge R^2" : "Cox concordance";
  return {"method", "samples", score, "complete samples", score};
}

Strings label_row(const MethodSummary& s, LabelType type) {
  const auto &all = s.all, &complete = s.complete;
  const bool classes = type == LabelType::classes;
  const auto mean = [](const Spread& value) { return number(value.mean, "{:.3f}"); };
  Strings row = {s.method, all.samples > 0 ? std::to_string(all.samples) : "-",
                 with_error(all, type)};
  if (classes) row.insert(row.end(), {mean(all.balanced_accuracy), mean(all.nmi), mean(all.ari)});
  row.insert(row.end(), {std::to_string(complete.samples), with_error(complete, type)});
  if (classes) row.insert(row.end(), {mean(complete.nmi), mean(complete.ari)});
  return row;
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
  const LabelType type = evaluation.label_type;
  std::vector<Strings> rows = {label_header(type)};
  for (const auto& s : methods) rows.push_back(label_row(s, type));
  std::string text = format_table(rows) + "+- standard error, over samples and folds\n";
  const MethodSummary* without = find(methods, complete_cases, type);
  for (const auto& s : methods)
    if (without != nullptr && s.method != complete_cases &&
        find(methods, s.method, type) != nullptr)
      text += verdict(s, *without, type);
  return text;
}

}  // namespace mkc::app
