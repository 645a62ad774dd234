#include "problem/kruskal_wallis.hpp"

#include <algorithm>
#include <limits>

#include "numeric/chi_square.hpp"

namespace mkc {

namespace {

double median_of(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Ranks 1, 2, ...; equal values share the mean of theirs.
Vector ranks_of(const Vector& values) {
  Indices order(at(values.size()));
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = static_cast<Index>(k);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return values(a) < values(b); });
  Vector ranks(values.size());
  for (std::size_t first = 0, next = 0; first < order.size(); first = next) {
    for (next = first; next < order.size() && values(order[next]) == values(order[first]);) ++next;
    for (std::size_t k = first; k < next; ++k)
      ranks(order[k]) = (static_cast<double>(first + next) + 1) / 2;
  }
  return ranks;
}

// Share of the sum of squares that is between groups; 0 where all values are equal.
double share_between(const Vector& values, const Indices& group, Index n_groups) {
  Vector sums = Vector::Zero(n_groups), counts = Vector::Zero(n_groups);
  const Vector centred = values.array() - values.mean();
  for (Index i = 0; i < values.size(); ++i) {
    sums(group[at(i)]) += centred(i);
    counts(group[at(i)]) += 1;
  }
  const double total = centred.squaredNorm();
  return total > 0 ? (sums.array().square() / counts.array().max(1)).sum() / total : 0;
}

}  // namespace

// H = (n - 1) times the share of the variance of the ranks between groups; ties are corrected for
// by this form.
KruskalWallis kruskal_wallis(const Numbers& numbers, const Indices& group, Index n_groups) {
  Indices rows = numbers.labelled();
  std::erase_if(rows, [&](Index i) { return group[at(i)] < 0; });
  KruskalWallis test;
  test.samples.assign(at(n_groups), 0);
  test.median.resize(n_groups);
  std::vector<std::vector<double>> values(at(n_groups));
  Indices group_of_row;
  for (const Index i : rows) {
    values[at(group[at(i)])].push_back(numbers.of_sample(i));
    group_of_row.push_back(group[at(i)]);
  }
  for (Index g = 0; g < n_groups; ++g) {
    test.samples[at(g)] = static_cast<Index>(values[at(g)].size());
    test.median(g) = median_of(values[at(g)]);
    test.degrees += values[at(g)].empty() ? 0 : 1;
  }
  test.degrees = std::max<Index>(test.degrees - 1, 0);
  if (test.degrees == 0) return test;
  const Vector known = numbers.of_sample(rows);
  test.eta2 = share_between(known, group_of_row, n_groups);
  test.statistic =
      static_cast<double>(rows.size() - 1) * share_between(ranks_of(known), group_of_row, n_groups);
  test.p = chi_square_tail(test.statistic, test.degrees);
  return test;
}

}  // namespace mkc
