#include "evaluate/nested.hpp"

#include <algorithm>
#include <numeric>

#include "base/names.hpp"

namespace mkc {

namespace {

constexpr Index inner_folds = 3;

// Splits `rows` by their fold.
void split(const Indices& rows, const Indices& fold, Index left_out, Indices& known,
           Indices& asked) {
  known.clear();
  asked.clear();
  for (std::size_t i = 0; i < rows.size(); ++i)
    (fold[i] == left_out ? asked : known).push_back(rows[i]);
}

double choose_strength(const Learner& learner, const Target& target, const Strings& samples,
                       const Indices& rows, std::uint64_t seed) {
  const Indices fold = folds_of(restricted(target, rows), picked(samples, rows), inner_folds, seed);
  std::vector<double> losses(learner.strengths.size(), 0);
  Indices known, asked;
  for (Index f = 0; f < inner_folds; ++f) {
    split(rows, fold, f, known, asked);
    if (known.empty() || asked.empty()) continue;
    for (std::size_t s = 0; s < losses.size(); ++s)
      losses[s] += learner.loss(known, asked, learner.strengths[s]);
  }
  return learner.strengths[static_cast<std::size_t>(std::min_element(losses.begin(), losses.end()) -
                                                    losses.begin())];
}

// Classes to stratify by: events and censored samples; numbers have none.
Labels strata_of(const Target& target) {
  if (const auto* classes = std::get_if<Labels>(&target)) return *classes;
  Labels strata;
  if (const auto* survival = std::get_if<Survival>(&target)) {
    for (const double event : survival->event)
      strata.of_sample.push_back(static_cast<Index>(event));
    return strata;
  }
  strata.of_sample.assign(at(std::get<Numbers>(target).of_sample.size()), 0);
  return strata;
}

}  // namespace

Indices folds_of(const Target& target, const Strings& samples, Index folds, std::uint64_t seed) {
  return stratified_folds(strata_of(target), samples, folds, seed);
}

NestedPrediction nested_cross_validation(const KernelFor& kernel_for, const Target& target,
                                         const Strings& samples, std::uint64_t seed, Index folds) {
  // by name: the rounding of a model depends on the order of its samples
  Indices rows(samples.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  std::sort(rows.begin(), rows.end(),
            [&](Index a, Index b) { return samples[at(a)] < samples[at(b)]; });
  const Indices fold = folds_of(restricted(target, rows), picked(samples, rows), folds, seed);
  NestedPrediction result{Vector::Constant(static_cast<Index>(samples.size()), -1),
                          Indices(samples.size())};
  for (std::size_t k = 0; k < rows.size(); ++k) result.fold[at(rows[k])] = fold[k];
  Indices known, asked;
  for (Index f = 0; f < folds; ++f) {
    split(rows, fold, f, known, asked);
    if (asked.empty() || known.empty()) continue;
    const Matrix K = kernel_for(known);
    const Learner learner = learner_for(K, target);
    const double strength = choose_strength(learner, target, samples, known, seed);
    result.predicted(asked) = learner.predict(known, asked, strength);
  }
  return result;
}

}  // namespace mkc
