#include "mkc/evaluate/label_scores.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "analyse/spectral.hpp"
#include "base/names.hpp"
#include "evaluate/nested.hpp"
#include "evaluate/prediction_scores.hpp"
#include "mkc/base/error.hpp"
#include "mkc/combine.hpp"
#include "mkc/problem/hiding.hpp"
#include "numeric/blocks.hpp"

namespace mkc {

namespace {

constexpr std::size_t fewest_samples = 10;

std::size_t class_count(const Labels& labels) {
  return std::set<Index>(labels.of_sample.begin(), labels.of_sample.end()).size();
}

// Weights that the labels of the samples `known` give; equal ones where no view is aligned.
Vector learnt_weights(const std::vector<Matrix>& kernels, const Target& target,
                      const Indices& known, ViewWeighting weighting) {
  std::vector<Matrix> blocks;
  for (const auto& K : kernels) blocks.push_back(submatrix(K, known, known));
  const Target labels = restricted(target, known);
  try {
    return weighting == ViewWeighting::alignment ? alignment_weights(blocks, labels)
                                                 : alignf_weights(blocks, labels, false);
  } catch (const InputError&) {
    return equal_weights(static_cast<Index>(kernels.size()));
  }
}

// What is predicted for the labelled samples, and their clusters.
struct Answer {
  Target truth;
  NestedPrediction prediction;
  Indices clusters;  // where the labels are classes
};

Answer ask(const std::vector<Matrix>& kernels, const Strings& views, const Target& target,
           const Strings& samples, std::uint64_t seed, ViewWeighting weighting) {
  const Indices rows = labelled(target);
  Answer answer{restricted(target, rows), {}, {}};
  const Strings names = picked(samples, rows);
  const Vector equal = equal_weights(static_cast<Index>(views.size()));
  const Vector factors = kernel_factors(kernels, equal, views);
  const Matrix mean = submatrix(weighted_sum(kernels, factors), rows, rows);
  std::vector<Matrix> scaled;  // each of variance one, of the labelled samples
  if (weighting != ViewWeighting::mean)
    for (std::size_t m = 0; m < kernels.size(); ++m)
      scaled.push_back(submatrix(kernels[m], rows, rows) * factors(static_cast<Index>(m)) /
                       equal(static_cast<Index>(m)));
  const KernelFor kernel_for = [&](const Indices& known) {
    return weighting == ViewWeighting::mean
               ? mean
               : weighted_sum(scaled, learnt_weights(scaled, answer.truth, known, weighting));
  };
  answer.prediction = nested_cross_validation(kernel_for, answer.truth, names, seed);
  if (const auto* labels = std::get_if<Labels>(&answer.truth))
    answer.clusters =
        spectral_clusters(mean, static_cast<Index>(class_count(*labels)), names, seed);
  return answer;
}

Indices as_classes(const Vector& predicted) {
  Indices classes;
  for (const double value : predicted) classes.push_back(static_cast<Index>(value));
  return classes;
}

// `rows` are positions among the labelled samples.
LabelScores scored(const char* on, const Answer& answer, const Indices& rows) {
  LabelScores scores{on,       static_cast<Index>(rows.size()),
                     no_score, no_score,
                     no_score, no_score,
                     no_score, no_score,
                     no_score};
  if (rows.size() < 2) return scores;
  const Target truth = restricted(answer.truth, rows);
  const Vector predicted = answer.prediction.predicted(rows);
  Estimate main{};
  if (const auto* labels = std::get_if<Labels>(&truth)) {
    const Indices classes = as_classes(predicted), clusters = picked(answer.clusters, rows);
    main = share_right(labels->of_sample, classes);
    scores.accuracy = main.value;
    scores.balanced_accuracy = balanced_accuracy(labels->of_sample, classes);
    scores.nmi = normalized_mutual_information(labels->of_sample, clusters);
    scores.ari = adjusted_rand_index(labels->of_sample, clusters);
  } else if (const auto* numbers = std::get_if<Numbers>(&truth)) {
    main = r_squared(numbers->of_sample, predicted);
    scores.r2 = main.value;
  } else {
    main = concordance_within(std::get<Survival>(truth), predicted,
                              picked(answer.prediction.fold, rows));
    scores.concordance = main.value;
  }
  scores.standard_error = main.error;
  return scores;
}

void check_enough(const Target& known) {
  const Indices rows = labelled(known);
  if (const auto* labels = std::get_if<Labels>(&known)) {
    const std::size_t classes = class_count(*labels);
    if (rows.size() < fewest_samples || classes < 2)
      throw InputError(
          fmt::format("{} labelled samples of {} class{} are observed in every view: too few to "
                      "learn from",
                      rows.size(), classes, classes == 1 ? "" : "es"));
    return;
  }
  try {
    check_target(known, Strings(rows.size()));
  } catch (const InputError& error) {
    throw InputError(fmt::format("of the samples observed in every view: {}", error.what()));
  }
}

}  // namespace

std::vector<LabelScores> label_scores(const Problem& problem, const std::vector<Matrix>& kernels,
                                      const Target& target, std::uint64_t seed,
                                      ViewWeighting weighting) {
  const Indices rows = labelled(target);
  const Answer answer =
      ask(kernels, names_of(problem.views()), target, problem.samples(), seed, weighting);
  Indices all, complete;  // positions among the labelled
  for (Index k = 0; k < static_cast<Index>(rows.size()); ++k) {
    all.push_back(k);
    if (problem.observed().row(rows[at(k)]).all()) complete.push_back(k);
  }
  return {scored("all", answer, all), scored("complete", answer, complete)};
}

std::vector<LabelScores> complete_case_scores(const Problem& problem, const Target& target,
                                              std::uint64_t seed, ViewWeighting weighting) {
  Indices rows;
  for (const Index i : labelled(target))
    if (problem.observed().row(i).all()) rows.push_back(i);
  const Target known = restricted(target, rows);
  check_enough(known);
  const Problem cases = restricted(problem, rows);
  std::vector<Matrix> kernels;
  for (const auto& view : cases.views()) kernels.emplace_back(view.block);
  return {label_scores(cases, kernels, known, seed, weighting).back()};
}

}  // namespace mkc
