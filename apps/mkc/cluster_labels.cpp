#include "cluster_labels.hpp"

#include <fmt/format.h>

#include "analysis_out.hpp"
#include "base/text.hpp"
#include "mkc/analyse/matched_accuracy.hpp"
#include "problem/kruskal_wallis.hpp"
#include "problem/survival_curves.hpp"

namespace mkc::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr double enough_expected = 5;  // events per group for the chi-square distribution

Json agreement(const Indices& clusters, const Labels& labels) {
  Indices truth, found;
  for (const Index i : labels.labelled()) {
    truth.push_back(labels.of_sample[at(i)]);
    found.push_back(clusters[at(i)]);
  }
  return {{"classes", labels.classes.size()},
          {"accuracy", matched_accuracy(truth, found)},
          {"nmi", normalized_mutual_information(truth, found)},
          {"ari", adjusted_rand_index(truth, found)}};
}

Json number_differences(const Indices& clusters, Index n_clusters, const Numbers& numbers) {
  const KruskalWallis test = kruskal_wallis(numbers, clusters, n_clusters);
  Json groups = Json::array();
  for (Index c = 0; c < n_clusters; ++c)
    groups.push_back({{"cluster", c + 1},
                      {"samples", test.samples[at(c)]},
                      {"median", json_number(test.median(c))}});
  return {
      {"eta2", test.eta2},
      {"kruskal_wallis", {{"statistic", test.statistic}, {"degrees", test.degrees}, {"p", test.p}}},
      {"groups", groups}};
}

Json survival_differences(const Indices& clusters, Index n_clusters, const Survival& survival) {
  const auto curves = survival_curves(survival, clusters, n_clusters);
  const LogRank test = log_rank(survival, clusters, n_clusters);
  Json groups = Json::array();
  for (Index c = 0; c < n_clusters; ++c)
    groups.push_back({{"cluster", c + 1},
                      {"samples", curves[at(c)].samples},
                      {"events", curves[at(c)].events},
                      {"expected_events", test.expected(c)},
                      {"median", json_number(curves[at(c)].median)}});
  return {{"log_rank", {{"statistic", test.statistic}, {"degrees", test.degrees}, {"p", test.p}}},
          {"groups", groups}};
}

std::string test_text(const char* name, const Json& test) {
  if (test["degrees"] == 0) return fmt::format("{}: one cluster, nothing to compare", name);
  const double p = test["p"];
  return fmt::format("{}: p = {}, chi-square {:.2f} with {} of freedom", name,
                     p < 0.001 ? fmt::format("{:.1e}", p) : fmt::format("{:.3f}", p),
                     test["statistic"].get<double>(),
                     counted(test["degrees"].get<Index>(), "degree"));
}

void print_groups(const Json& comparison, bool survival, Terminal& terminal) {
  std::vector<std::vector<std::string>> rows = {{"cluster", "samples"}};
  if (survival) rows[0].insert(rows[0].end(), {"events", "expected"});
  rows[0].emplace_back(survival ? "median time" : "median");
  for (const auto& group : comparison["groups"]) {
    rows.push_back({std::to_string(group["cluster"].get<Index>()),
                    std::to_string(group["samples"].get<Index>())});
    if (survival) {
      rows.back().push_back(std::to_string(group["events"].get<Index>()));
      rows.back().push_back(fmt::format("{:.1f}", group["expected_events"].get<double>()));
    }
    rows.back().push_back(group["median"].is_number() ? format_number(group["median"])
                          : survival                  ? "not reached"
                                                      : "-");
  }
  terminal.result(format_table(rows));
}

void warn_of_small_groups(const Json& comparison, Terminal& terminal) {
  if (comparison["log_rank"]["degrees"] == 0) return;
  Strings few;
  for (const auto& group : comparison["groups"])
    if (group["samples"] > 0 && group["expected_events"] < enough_expected)
      few.push_back(std::to_string(group["cluster"].get<Index>()));
  if (!few.empty())
    terminal.warning(
        fmt::format("p is approximate: fewer than {} events are expected in cluster{} {}",
                    enough_expected, few.size() == 1 ? "" : "s", join(few, ", ")));
}

}  // namespace

Json compared(const Indices& clusters, Index n_clusters, const Target& target) {
  const auto known = static_cast<Index>(labelled(target).size());
  Json comparison = {{"type", label_type_names[static_cast<std::size_t>(type_of(target))]},
                     {"samples", known},
                     {"without_label", static_cast<Index>(clusters.size()) - known}};
  if (const auto* labels = std::get_if<Labels>(&target))
    comparison.update(agreement(clusters, *labels));
  else if (const auto* numbers = std::get_if<Numbers>(&target))
    comparison.update(number_differences(clusters, n_clusters, *numbers));
  else
    comparison.update(survival_differences(clusters, n_clusters, std::get<Survival>(target)));
  return comparison;
}

void print_comparison(const Json& comparison, Terminal& terminal) {
  const Index known = comparison["samples"], without = comparison["without_label"];
  const bool survival = comparison.contains("log_rank");
  if (without > 0)
    terminal.warning(fmt::format("{} of {} samples have no {} and are left out of the comparison",
                                 without, known + without, survival ? "survival time" : "label"));
  if (comparison.contains("accuracy")) {
    terminal.message(
        fmt::format("beside the labels of {} samples: accuracy {:.3f}, NMI {:.3f}, ARI {:.3f}",
                    known, comparison["accuracy"].get<double>(), comparison["nmi"].get<double>(),
                    comparison["ari"].get<double>()));
    return;
  }
  print_groups(comparison, survival, terminal);
  if (survival) {
    terminal.result("survival of the clusters, " +
                    test_text("log-rank test", comparison["log_rank"]) + "\n");
    warn_of_small_groups(comparison, terminal);
  } else {
    terminal.result(
        fmt::format("numbers in the clusters, {}; {:.1f} % of the variance is between "
                    "clusters (eta^2)\n",
                    test_text("Kruskal-Wallis test", comparison["kruskal_wallis"]),
                    100 * comparison["eta2"].get<double>()));
  }
}

}  // namespace mkc::app
