#include "evaluate/prediction_scores.hpp"

#include <cmath>

namespace mkc {

namespace {

// sqrt((n - 1) / n sum_i (s_i - mean)^2) of the scores s_i without sample i.
double jackknife(const Vector& without) {
  const auto n = static_cast<double>(without.size());
  return n < 2 ? no_score
               : std::sqrt((n - 1) / n * (without.array() - without.mean()).square().sum());
}

double ratio(double part, double whole) { return whole > 0 ? part / whole : no_score; }

}  // namespace

double error_of_share(double share, Index n) {
  return n < 2 ? no_score : std::sqrt(share * (1 - share) / static_cast<double>(n - 1));
}

Estimate share_right(const Indices& truth, const Indices& predicted) {
  const double share = accuracy(truth, predicted);
  return {share, error_of_share(share, static_cast<Index>(truth.size()))};
}

Estimate r_squared(const Vector& truth, const Vector& predicted) {
  const auto n = static_cast<double>(truth.size());
  const Vector errors = (truth - predicted).array().square(),
               from_mean = truth.array() - truth.mean();
  const double left = errors.sum(), all = from_mean.squaredNorm();
  Vector without(truth.size());
  for (Index i = 0; i < truth.size(); ++i)  // the mean moves when i is left out
    without(i) = 1 - ratio(left - errors(i), all - from_mean(i) * from_mean(i) * n / (n - 1));
  return {1 - ratio(left, all), jackknife(without)};
}

Estimate concordance_within(const Survival& truth, const Vector& risk, const Indices& fold) {
  const Index n = risk.size();
  Vector right = Vector::Zero(n), pairs = Vector::Zero(n);  // that a sample is part of
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      if (fold[at(i)] != fold[at(j)] || !comes_first(truth, i, j)) continue;
      const double score = ordered_rightly(risk(i), risk(j));
      for (const Index k : {i, j}) {
        right(k) += score;
        pairs(k) += 1;
      }
    }
  const double all_right = right.sum() / 2, all_pairs = pairs.sum() / 2;
  Vector without(n);
  for (Index i = 0; i < n; ++i) without(i) = ratio(all_right - right(i), all_pairs - pairs(i));
  return {ratio(all_right, all_pairs), jackknife(without)};
}

}  // namespace mkc
