#include "mkc/evaluate/label_scores.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "analyse/spectral.hpp"
#include "base/names.hpp"
#include "evaluate/svm.hpp"
#include "mkc/base/error.hpp"
#include "mkc/combine.hpp"
#include "mkc/problem/hiding.hpp"
#include "numeric/blocks.hpp"

namespace mkc {

namespace {

constexpr std::size_t fewest_samples = 10;

struct Answer {
  Indices truth, predicted, clusters;
};

Answer ask(const Matrix& K, const Labels& labels, const Strings& samples, std::uint64_t seed) {
  const std::set<Index> present(labels.of_sample.begin(), labels.of_sample.end());
  return {labels.of_sample, cross_validated_svm(K, labels, samples, seed),
          spectral_clusters(K, static_cast<Index>(present.size()), samples, seed)};
}

LabelScores scored(const char* on, const Answer& answer, const Indices& rows) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto count = static_cast<Index>(rows.size());
  if (rows.size() < 2) return {on, count, nan, nan, nan, nan};
  const Indices truth = picked(answer.truth, rows), predicted = picked(answer.predicted, rows),
                clusters = picked(answer.clusters, rows);
  return {on,
          count,
          accuracy(truth, predicted),
          balanced_accuracy(truth, predicted),
          normalized_mutual_information(truth, clusters),
          adjusted_rand_index(truth, clusters)};
}

}  // namespace

std::vector<LabelScores> label_scores(const Problem& problem, const std::vector<Matrix>& kernels,
                                      const Labels& labels, std::uint64_t seed) {
  const Indices rows = labels.labelled();
  const Matrix K =
      combine_kernels(kernels, equal_weights(problem.n_views()), names_of(problem.views()));
  const Answer answer =
      ask(submatrix(K, rows, rows), labels.restricted(rows), picked(problem.samples(), rows), seed);
  Indices all, complete;  // positions among the labelled
  for (Index k = 0; k < static_cast<Index>(rows.size()); ++k) {
    all.push_back(k);
    if (problem.observed().row(rows[at(k)]).all()) complete.push_back(k);
  }
  return {scored("all", answer, all), scored("complete", answer, complete)};
}

std::vector<LabelScores> complete_case_scores(const Problem& problem, const Labels& labels,
                                              std::uint64_t seed) {
  Indices rows;
  for (const Index i : labels.labelled())
    if (problem.observed().row(i).all()) rows.push_back(i);
  const Labels known = labels.restricted(rows);
  const std::set<Index> classes(known.of_sample.begin(), known.of_sample.end());
  if (rows.size() < fewest_samples || classes.size() < 2)
    throw InputError(
        fmt::format("{} labelled samples of {} class{} are observed in every view: too few to "
                    "learn from",
                    rows.size(), classes.size(), classes.size() == 1 ? "" : "es"));
  const Problem cases = restricted(problem, rows);
  std::vector<Matrix> kernels;
  for (const auto& view : cases.views()) kernels.emplace_back(view.block);
  return {label_scores(cases, kernels, known, seed).back()};
}

}  // namespace mkc
