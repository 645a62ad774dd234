#include "report/cluster_parts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "problem/kruskal_wallis.hpp"
#include "problem/survival_curves.hpp"
#include "report/compact.hpp"

namespace mkc::report {

namespace {

Json list_of(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(rounded(value, 6));
  return list;
}

Json known(double value) { return std::isnan(value) ? Json(nullptr) : Json(rounded(value, 6)); }

// How many samples of each class a cluster has.
void add_classes(Json& part, const Labels& clusters, const Labels& labels) {
  const auto n_classes = static_cast<Index>(labels.classes.size());
  Matrix counts = Matrix::Zero(static_cast<Index>(clusters.classes.size()), n_classes);
  Indices cluster, label;
  for (const Index i : labels.labelled()) {
    if (clusters.of_sample[at(i)] < 0) continue;
    cluster.push_back(clusters.of_sample[at(i)]);
    label.push_back(labels.of_sample[at(i)]);
    counts(cluster.back(), label.back()) += 1;
  }
  Json classes = Json::array();
  for (const auto& name : labels.classes) classes.push_back(short_name(name));
  part["classes"] = std::move(classes);
  for (Index c = 0; c < counts.rows(); ++c)
    part["groups"][at(c)]["counts"] =
        std::vector<double>(counts.row(c).begin(), counts.row(c).end());
  part["nmi"] = rounded(normalized_mutual_information(cluster, label));
  part["ari"] = rounded(adjusted_rand_index(cluster, label));
}

void add_numbers(Json& part, const Labels& clusters, const Numbers& numbers) {
  const KruskalWallis test =
      kruskal_wallis(numbers, clusters.of_sample, static_cast<Index>(clusters.classes.size()));
  for (std::size_t c = 0; c < clusters.classes.size(); ++c) {
    part["groups"][c]["with_number"] = test.samples[c];
    part["groups"][c]["median"] = known(test.median(static_cast<Index>(c)));
  }
  part["eta2"] = rounded(test.eta2);
  part["kruskal_wallis"] = {
      {"statistic", rounded(test.statistic)}, {"degrees", test.degrees}, {"p", rounded(test.p)}};
}

// Mean and smallest strength of the samples of each cluster.
void add_strengths(Json& groups, const Labels& clusters, const Vector& strength) {
  for (std::size_t c = 0; c < clusters.classes.size(); ++c) {
    double sum = 0, weakest = std::numeric_limits<double>::infinity();
    Index count = 0;
    for (Index i = 0; i < strength.size(); ++i)
      if (clusters.of_sample[at(i)] == static_cast<Index>(c) && !std::isnan(strength(i))) {
        sum += strength(i);
        weakest = std::min(weakest, strength(i));
        ++count;
      }
    if (count == 0) continue;
    groups[c]["strength"] = rounded(sum / static_cast<double>(count));
    groups[c]["weakest"] = rounded(weakest);
  }
}

}  // namespace

Json clusters_json(const Labels& clusters, const ClusterEvidence& evidence, const Target* labels,
                   const std::string& label_name) {
  Json groups = Json::array();
  for (std::size_t c = 0; c < clusters.classes.size(); ++c)
    groups.push_back({{"name", short_name(clusters.classes[c])},
                      {"samples", std::count(clusters.of_sample.begin(), clusters.of_sample.end(),
                                             static_cast<Index>(c))}});
  add_strengths(groups, clusters, evidence.strength);
  Json part = {{"groups", groups}, {"label_name", short_name(label_name)}};
  if (!evidence.graph.empty()) {
    part["graph"] = short_name(evidence.graph);
    part["stability"] = known(evidence.stability);
    part["reference"] = known(evidence.reference);
  }
  part["notices"] = Json::array();
  for (const auto& notice : evidence.notices) part["notices"].push_back(short_name(notice, 400));
  if (labels == nullptr) return part;
  if (const auto* classes = std::get_if<Labels>(labels)) add_classes(part, clusters, *classes);
  if (const auto* numbers = std::get_if<Numbers>(labels)) add_numbers(part, clusters, *numbers);
  return part;
}

Json survival_json(const Survival& survival, const Labels* clusters, const std::string& time_name) {
  const Labels all{{"all samples"}, Indices(at(survival.time.size()), 0)};
  const Labels& groups = clusters ? *clusters : all;
  const auto n_groups = static_cast<Index>(groups.classes.size());
  const auto curves = survival_curves(survival, groups.of_sample, n_groups);
  const LogRank test = log_rank(survival, groups.of_sample, n_groups);
  std::vector<std::vector<double>> ends(curves.size());  // of the follow-up of every sample
  Index shown = 0;
  for (const Index i : survival.labelled())
    if (const Index g = groups.of_sample[at(i)]; g >= 0) {
      ends[at(g)].push_back(survival.time(i));
      ++shown;
    }
  Json list = Json::array();
  for (std::size_t g = 0; g < curves.size(); ++g) {
    std::sort(ends[g].begin(), ends[g].end());
    list.push_back({{"name", short_name(groups.classes[g])},
                    {"samples", curves[g].samples},
                    {"events", curves[g].events},
                    {"expected_events", rounded(test.expected(static_cast<Index>(g)))},
                    {"median", known(curves[g].median)},
                    {"times", list_of(curves[g].times)},
                    {"share", list_of(curves[g].share)},
                    {"censored", list_of(curves[g].censored)},
                    {"ends", list_of(ends[g])}});
  }
  return {
      {"groups", list},
      {"log_rank",
       {{"statistic", rounded(test.statistic)}, {"degrees", test.degrees}, {"p", rounded(test.p)}}},
      {"unit", short_name(time_name)},
      {"left_out", survival.time.size() - shown}};
}

}  // namespace mkc::report
