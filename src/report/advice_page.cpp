#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/compact.hpp"
#include "report/completion_parts.hpp"
#include "report/page.hpp"
#include "report/page_data.hpp"
#include "report/report.hpp"
#include "report/warnings.hpp"

namespace mkc::report {

namespace {

constexpr std::size_t shown_assays = 50;    // of the ranking
constexpr std::size_t shown_observed = 50;  // of those that told least
constexpr std::size_t curve_points = 400;   // of the curve

Json advice_ranking_json(const AssayAdvice& advice, const Strings& samples, const Strings& views) {
  Json rows = Json::array();
  for (std::size_t k = 0; k < std::min(shown_assays, advice.ranking.size()); ++k) {
    const RankedAssay& one = advice.ranking[k];
    rows.push_back({short_name(samples[at(one.assay.sample)]),
                    short_name(views[at(one.assay.view)]), rounded(one.cost), rounded(one.gain),
                    rounded(one.own), rounded(one.same_sample), rounded(one.others),
                    one.within_budget});
  }
  return rows;
}

// Evenly spaced points, with the first and the last.
Json error_curve_json(const std::vector<CurvePoint>& curve) {
  Json assays = Json::array(), money = Json::array(), error = Json::array();
  const std::size_t n = curve.size(), shown = std::min(n, curve_points);
  for (std::size_t p = 0; p < shown; ++p) {
    const CurvePoint& point = curve[shown == n ? p : p * (n - 1) / (shown - 1)];
    assays.push_back(point.assays);
    money.push_back(rounded(point.money, 6));
    error.push_back(rounded(point.error, 6));
  }
  return {{"assays", assays}, {"money", money}, {"error", error}};
}

Json told_least_json(const AssayAdvice& advice, const Strings& samples, const Strings& views) {
  Json rows = Json::array();
  for (std::size_t k = 0; k < std::min(shown_observed, advice.observed.size()); ++k) {
    const ObservedAssay& one = advice.observed[k];
    rows.push_back({short_name(samples[at(one.assay.sample)]),
                    short_name(views[at(one.assay.view)]), rounded(one.value)});
  }
  return rows;
}

// Per view: candidates, how many are within the budget, mean gain, mean value of observed assays.
Json advice_views_json(const AssayAdvice& advice, const Strings& views) {
  const auto M = std::ssize(views);
  Vector candidates = Vector::Zero(M), within = candidates, gain = candidates,
         observed = candidates, value = candidates;
  for (const RankedAssay& one : advice.ranking) {
    candidates(one.assay.view) += 1;
    within(one.assay.view) += one.within_budget;
    gain(one.assay.view) += one.gain;
  }
  for (const ObservedAssay& one : advice.observed) {
    observed(one.assay.view) += 1;
    value(one.assay.view) += one.value;
  }
  const auto mean = [](double sum, double count) {
    return count > 0 ? Json(rounded(sum / count)) : Json(nullptr);
  };
  Json rows = Json::array();
  for (Index m = 0; m < M; ++m)
    rows.push_back({short_name(views[at(m)]), candidates(m), within(m),
                    mean(gain(m), candidates(m)), mean(value(m), observed(m))});
  return rows;
}

// The samples of the map by their largest gain; a sample without a candidate has none.
Json gain_map(const std::vector<Matrix>& kernels, const Mask& observed, const Strings& samples,
              const Strings& views, const Vector& gains) {
  Numbers numbers{gains};
  for (double& gain : numbers.of_sample)
    if (gain == 0) gain = std::nan("");
  const Target target = numbers;
  Json part = sample_map_json(map_samples(kernels, views, samples), observed, samples, &target);
  part["label_name"] = "expected gain";
  part["none_name"] = "nothing to measure";
  return part;
}

}  // namespace

std::string advice_page(const std::filesystem::path& folder, const AssayAdvice& advice,
                        const Strings& samples, const Strings& views, const Mask& observed,
                        const std::vector<Matrix>& kernels, const std::string& title) {
  std::vector<Warning> warnings;
  for (const auto& notice : advice.notices)
    warnings.push_back({Warning::Kind::note, short_name(notice, 400)});
  Json data = {
      {"kind", "advice"},
      {"title", short_name(title.empty() ? fmt::format("mkc: what to measure next, {} views of {} "
                                                       "samples",
                                                       views.size(), samples.size())
                                         : title,
                           200)},
      {"warnings", warnings_json(warnings)},
      {"advice",
       {{"of_labels", advice.of_labels},
        {"error", rounded(advice.error, 6)},
        {"after", rounded(advice.error_after, 6)},
        {"spent", rounded(advice.spent, 6)},
        {"missing", advice.missing},
        {"candidates", advice.ranking.size()},
        {"within", std::count_if(advice.ranking.begin(), advice.ranking.end(),
                                 [](const RankedAssay& one) { return one.within_budget; })},
        {"enough", advice.enough ? Json({{"assays", advice.enough->assays},
                                         {"money", rounded(advice.enough->money, 6)},
                                         {"error", rounded(advice.enough->error, 6)}})
                                 : Json(nullptr)},
        {"hidden_rows", advice.calibration.rows},
        {"ranking", advice_ranking_json(advice, samples, views)},
        {"curve", error_curve_json(advice.curve)},
        {"observed", told_least_json(advice, samples, views)},
        {"views", advice_views_json(advice, views)}}}};
  if (!kernels.empty())
    data["map"] = gain_map(kernels, observed, samples, views, advice.sample_gains);
  data["meta"] = read_meta(folder);
  return assemble_page(data);
}

}  // namespace mkc::report
