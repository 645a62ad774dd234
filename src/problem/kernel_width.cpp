#include "problem/kernel_width.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "kernels/distances.hpp"
#include "kernels/functions.hpp"
#include "numeric/blocks.hpp"
#include "numeric/loo_ridge.hpp"

namespace mkc {

namespace {

// Multiples of the median gamma that are tried, wide to narrow.
constexpr std::array<double, 5> factors{1. / 16, 1. / 4, 1, 4, 16};
constexpr std::size_t median_factor = 2;
// Samples that two views are compared on at most: a decomposition takes their third power.
constexpr std::size_t most_samples = 250;
// Coordinates of another view that are predicted.
constexpr Index most_coordinates = 50;
// A view of which less than this share is recovered with every width is not related, and a smaller
// gain does not matter.
constexpr double least_share = 0.02;
// A gain counts if it is larger than this many standard errors.
constexpr double least_errors = 2;
// A width closer to the median is preferred if it has this share of the best gain.
constexpr double nearly_all = 0.75;

// One view (a) compared with another (b) on samples that both have.
struct Comparison {
  std::size_t a, b;
  Indices samples, rows_a, rows_b;              // in the order of the hash of their ids
  Matrix target;                                // (n, k) coordinates of b
  Vector total;                                 // (n) squared errors of the mean of the others
  std::array<Vector, factors.size()> errors{};  // (n) squared errors of the prediction from a

  double recovered(std::size_t f) const { return 1 - errors[f].sum() / total.sum(); }
};

// Row of each sample in the view, or -1.
Indices rows_of_samples(const WidthView& view, std::size_t n_samples) {
  Indices rows(n_samples, -1);
  for (std::size_t i = 0; i < view.samples.size(); ++i)
    rows[at(view.samples[i])] = static_cast<Index>(i);
  return rows;
}

// On samples that both have, at most `most_samples`.
Comparison compared(std::size_t a, std::size_t b, const std::vector<Indices>& rows,
                    const Strings& samples) {
  Indices shared;
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (rows[a][i] >= 0 && rows[b][i] >= 0) shared.push_back(static_cast<Index>(i));
  Comparison pair{a, b, {}, {}, {}, {}, {}, {}};
  for (const Index i : rows_by_hash(samples, shared, most_samples, "kernel width")) {
    const Index sample = shared[at(i)];
    pair.samples.push_back(sample);
    pair.rows_a.push_back(rows[a][at(sample)]);
    pair.rows_b.push_back(rows[b][at(sample)]);
  }
  return pair;
}

// The views of each sample.
std::vector<std::vector<std::size_t>> views_of_samples(const std::vector<WidthView>& views,
                                                       std::size_t n_samples) {
  std::vector<std::vector<std::size_t>> having(n_samples);
  for (std::size_t m = 0; m < views.size(); ++m)
    for (const Index i : views[m].samples) having[at(i)].push_back(m);
  return having;
}

// The other views that share most samples with view a, of equals the first by name.
std::vector<std::size_t> nearest_views(std::size_t a, const std::vector<WidthView>& views,
                                       const std::vector<std::vector<std::size_t>>& having) {
  Indices shared(views.size(), 0);
  for (const Index i : views[a].samples)
    for (const std::size_t b : having[at(i)]) ++shared[b];
  std::vector<std::size_t> others;
  for (std::size_t b = 0; b < views.size(); ++b)
    if (a != b && shared[b] >= fewest_shared_for_width) others.push_back(b);
  const std::size_t count = std::min(others.size(), most_views_for_width);
  std::partial_sort(others.begin(), others.begin() + static_cast<Index>(count), others.end(),
                    [&](std::size_t x, std::size_t y) {
                      return shared[x] != shared[y] ? shared[x] > shared[y]
                                                    : views[x].name < views[y].name;
                    });
  others.resize(count);
  return others;
}

std::vector<Comparison> all_comparisons(const std::vector<WidthView>& views,
                                        const Strings& samples) {
  std::vector<Indices> rows;
  for (const auto& view : views) rows.push_back(rows_of_samples(view, samples.size()));
  const auto having = views_of_samples(views, samples.size());
  std::vector<Comparison> pairs;
  for (std::size_t a = 0; a < views.size(); ++a)
    if (views[a].distances)
      for (const std::size_t b : nearest_views(a, views, having))
        pairs.push_back(compared(a, b, rows, samples));
  return pairs;
}

Matrix kernel_block(const WidthView& view, const Indices& rows, double gamma) {
  if (!view.distances) return submatrix(view.kernel, rows, rows);
  return exponential_of_distances(submatrix(*view.distances, rows, rows), gamma);
}

// What is to be predicted: the other view with the median width. A kernel that is not finite, which
// is refused later, where it can be named, is not related to any view.
void set_target(Comparison& pair, const WidthView& other, double median) {
  Matrix L = kernel_block(other, pair.rows_b, median);
  if (!L.allFinite()) L.setZero();
  pair.target = leading_coordinates(L, std::min(most_coordinates, L.rows() - 1));
  pair.total = loo_mean_errors(pair.target);
}

// Comparisons first, ..., last - 1 of one view on the same samples share a decomposition.
struct Group {
  std::size_t first, last;
};

std::vector<Group> groups_of(std::vector<Comparison>& pairs) {
  std::stable_sort(pairs.begin(), pairs.end(), [](const Comparison& x, const Comparison& y) {
    return std::tie(x.a, x.samples) < std::tie(y.a, y.samples);
  });
  std::vector<Group> groups;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i].a != pairs[i - 1].a || pairs[i].samples != pairs[i - 1].samples)
      groups.push_back({i, i});
    groups.back().last = i + 1;
  }
  return groups;
}

void predict_all(std::vector<Comparison>& pairs, const std::vector<WidthView>& views,
                 const std::vector<WidthChoice>& choices, int threads) {
  parallel_for(std::ssize(pairs), threads, [&](Index i) {
    Comparison& pair = pairs[at(i)];
    set_target(pair, views[pair.b], choices[pair.b].median);
  });
  const std::vector<Group> groups = groups_of(pairs);
  parallel_for(std::ssize(groups) * std::ssize(factors), threads, [&](Index task) {
    const Group& group = groups[at(task) / factors.size()];
    const std::size_t f = at(task) % factors.size();
    const Comparison& any = pairs[group.first];
    const double gamma = factors[f] * choices[any.a].median;
    Matrix K = kernel_block(views[any.a], any.rows_a, gamma);
    if (!K.allFinite()) K.setZero();  // recovers nothing
    const LooRidge ridge(K);
    for (std::size_t i = group.first; i < group.last; ++i)
      pairs[i].errors[f] = ridge.errors(pairs[i].target);
  });
}

bool is_related(const Comparison& pair) {
  if (!(pair.total.sum() > 0)) return false;
  double best = 0;
  for (std::size_t f = 0; f < factors.size(); ++f) best = std::max(best, pair.recovered(f));
  return best >= least_share;
}

using Related = std::vector<const Comparison*>;

double mean_recovered(const Related& pairs, std::size_t f) {
  double sum = 0;
  for (const auto* pair : pairs) sum += pair->recovered(f);
  return sum / static_cast<double>(pairs.size());
}

struct Spread {
  Index samples;
  double standard_error;
};

// Standard error of the difference to the median, a mean of ratios A/B of sums over samples s. A
// sample adds u_s = (A_s - (A/B) B_s) / B in each pair it is part of; then
// sqrt(S / (S - 1) sum_s u_s^2) over the S samples.
Spread spread_of_gain(const Related& pairs, std::size_t f, std::size_t n_samples) {
  std::vector<double> u(n_samples, 0);
  std::vector<bool> part(n_samples, false);
  for (const auto* pair : pairs) {
    const Vector gained = pair->errors[median_factor] - pair->errors[f];
    const double total = pair->total.sum(), ratio = gained.sum() / total;
    for (std::size_t i = 0; i < pair->samples.size(); ++i) {
      const Index k = static_cast<Index>(i);
      u[at(pair->samples[i])] += (gained(k) - ratio * pair->total(k)) / total;
      part[at(pair->samples[i])] = true;
    }
  }
  double squares = 0;
  for (const double x : u) squares += x * x;
  const double S = static_cast<double>(std::count(part.begin(), part.end(), true));
  return {static_cast<Index>(S),
          std::sqrt(S / (S - 1) * squares) / static_cast<double>(pairs.size())};
}

// The best width, or one closer to the median that is nearly as good.
std::size_t best_factor(const std::array<double, factors.size()>& recovered) {
  const auto gain = [&](std::size_t f) { return recovered[f] - recovered[median_factor]; };
  std::size_t best = median_factor;
  for (std::size_t f = 0; f < factors.size(); ++f)
    if (gain(f) > gain(best)) best = f;
  const double enough = nearly_all * gain(best);
  while (best != median_factor) {
    const std::size_t closer = best < median_factor ? best + 1 : best - 1;
    if (closer == median_factor || gain(closer) < enough) break;
    best = closer;
  }
  return best;
}

void decide(const Related& pairs, std::size_t n_samples, WidthChoice& choice) {
  choice.views = std::ssize(pairs);
  if (pairs.empty()) return;
  std::array<double, factors.size()> recovered{};
  for (std::size_t f = 0; f < factors.size(); ++f) recovered[f] = mean_recovered(pairs, f);
  const std::size_t f = best_factor(recovered);
  const Spread spread = spread_of_gain(pairs, f, n_samples);
  choice.samples = spread.samples;
  choice.at_median = choice.agreement = recovered[median_factor];
  const double gain = recovered[f] - recovered[median_factor];
  if (gain <= std::max(least_share, least_errors * spread.standard_error)) return;
  choice.chosen = true;
  choice.gamma = factors[f] * choice.median;
  choice.agreement = recovered[f];
  choice.standard_error = spread.standard_error;
}

}  // namespace

std::vector<WidthChoice> choose_widths(const std::vector<WidthView>& views, const Strings& samples,
                                       int threads) {
  std::vector<WidthChoice> choices(views.size());
  parallel_for(std::ssize(views), threads, [&](Index m) {
    WidthChoice& choice = choices[at(m)];
    if (const Matrix* D = views[at(m)].distances) choice.gamma = choice.median = median_gamma(*D);
  });
  std::vector<Comparison> pairs = all_comparisons(views, samples);
  predict_all(pairs, views, choices, threads);
  std::vector<Related> related(views.size());
  for (const auto& pair : pairs)
    if (is_related(pair)) related[pair.a].push_back(&pair);
  for (std::size_t m = 0; m < views.size(); ++m) decide(related[m], samples.size(), choices[m]);
  return choices;
}

}  // namespace mkc
