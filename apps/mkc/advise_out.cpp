#include "advise_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "analysis_out.hpp"

namespace mkc::app {

namespace {

using Json = nlohmann::ordered_json;
constexpr std::size_t shown_assays = 10;
constexpr std::size_t stored_assays = 10000;  // per list of the JSON file; tables have all

Json point_json(const CurvePoint& point) {
  return {{"assays", point.assays}, {"money", point.money}, {"expected_error", point.error}};
}

Json view_values(const AssayAdvice& advice, const Strings& views) {
  const Vector values = mean_value_by_view(advice, std::ssize(views));
  Json list = Json::object();
  for (std::size_t m = 0; m < views.size(); ++m)
    list[views[m]] = json_number(values(static_cast<Index>(m)));
  return list;
}

std::string unit_of(const AssayAdvice& advice) {
  return advice.of_labels ? "of the label model" : "of completed rows";
}

void print_ranking(const AssayAdvice& advice, const Strings& samples, const Strings& views,
                   Terminal& terminal) {
  std::vector<std::vector<std::string>> rows = {
      {"rank", "sample", "view", "cost", "gain", "own", "same sample", "others"}};
  for (std::size_t k = 0; k < std::min(shown_assays, advice.ranking.size()); ++k) {
    const RankedAssay& one = advice.ranking[k];
    rows.push_back({std::to_string(k + 1), samples[at(one.assay.sample)], views[at(one.assay.view)],
                    fmt::format("{:g}", one.cost), fmt::format("{:.4g}", one.gain),
                    fmt::format("{:.4g}", one.own), fmt::format("{:.4g}", one.same_sample),
                    fmt::format("{:.4g}", one.others)});
  }
  terminal.result(format_table(rows));
}

void print_values(const AssayAdvice& advice, const Strings& views, Terminal& terminal) {
  const Vector values = mean_value_by_view(advice, std::ssize(views));
  std::vector<std::vector<std::string>> rows = {{"view", "mean value of an observed assay"}};
  for (std::size_t m = 0; m < views.size(); ++m) {
    const double value = values(static_cast<Index>(m));
    rows.push_back({views[m], std::isnan(value) ? "-" : fmt::format("{:.4g}", value)});
  }
  terminal.result(format_table(rows));
}

}  // namespace

Vector mean_value_by_view(const AssayAdvice& advice, Index n_views) {
  Vector sums = Vector::Zero(n_views), counts = Vector::Zero(n_views);
  for (const ObservedAssay& one : advice.observed) {
    sums(one.assay.view) += one.value;
    counts(one.assay.view) += 1;
  }
  for (Index m = 0; m < n_views; ++m)
    sums(m) = counts(m) > 0 ? sums(m) / counts(m) : std::numeric_limits<double>::quiet_NaN();
  return sums;
}

Json described(const AssayAdvice& advice, const Strings& samples, const Strings& views) {
  Json ranking = Json::array(), curve = Json::array(), observed = Json::array();
  for (std::size_t k = 0; k < std::min(stored_assays, advice.ranking.size()); ++k) {
    const RankedAssay& one = advice.ranking[k];
    ranking.push_back({{"sample", samples[at(one.assay.sample)]},
                       {"view", views[at(one.assay.view)]},
                       {"cost", one.cost},
                       {"gain", one.gain},
                       {"own", one.own},
                       {"same_sample", one.same_sample},
                       {"others", one.others},
                       {"gain_per_cost", one.gain_per_cost},
                       {"within_budget", one.within_budget}});
  }
  for (std::size_t k = 0; k < std::min(stored_assays + 1, advice.curve.size()); ++k)
    curve.push_back(point_json(advice.curve[k]));
  for (std::size_t k = 0; k < std::min(stored_assays, advice.observed.size()); ++k) {
    const ObservedAssay& one = advice.observed[k];
    observed.push_back({{"sample", samples[at(one.assay.sample)]},
                        {"view", views[at(one.assay.view)]},
                        {"value", one.value},
                        {"value_per_cost", one.value_per_cost}});
  }
  return {{"error_of", advice.of_labels ? "labels" : "completed rows"},
          {"expected_error", advice.error},
          {"missing", advice.missing},
          {"spent", advice.spent},
          {"expected_error_after", advice.error_after},
          {"enough", advice.enough ? point_json(*advice.enough) : Json(nullptr)},
          {"calibration",
           {{"hidden_rows", advice.calibration.rows},
            {"pattern_power", advice.calibration.pattern_power},
            {"sample_rate", advice.calibration.sample_rate}}},
          {"candidates", advice.ranking.size()},
          {"ranking", ranking},
          {"curve", curve},
          {"mean_value_of_observed", view_values(advice, views)},
          {"observed", observed},
          {"notices", advice.notices}};
}

void print_advice(const AssayAdvice& advice, const Strings& samples, const Strings& views,
                  Terminal& terminal) {
  print_ranking(advice, samples, views, terminal);
  Index within = 0;
  for (const RankedAssay& one : advice.ranking) within += one.within_budget;
  terminal.result(fmt::format("expected error {}: {:.4g} now, {:.4g} after {} for {:g}\n",
                              unit_of(advice), advice.error, advice.error_after,
                              counted(within, "assay"), advice.spent));
  terminal.result(
      advice.enough
          ? fmt::format(
                "more assays pay clearly less after {} (money {:g}, expected error {:.4g})\n",
                counted(advice.enough->assays, "assay"), advice.enough->money, advice.enough->error)
          : "no point where more assays pay clearly less: all pay about the same\n");
  print_values(advice, views, terminal);
  for (const auto& notice : advice.notices) terminal.warning(notice);
}

}  // namespace mkc::app
