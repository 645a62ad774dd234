#include "mkc/problem/hiding.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/random.hpp"
#include "mkc/base/error.hpp"
#include "numeric/blocks.hpp"

namespace mkc {

namespace {

constexpr Index fewest_of_view = 10;  // samples that every view keeps in a part of the problem

// Blocks were checked when the problem was made; parts of those that are not PSD may be or not.
ProblemChecks checks_for_part_of(const Problem& problem) {
  ProblemChecks checks;
  checks.psd = problem.indefinite() ? PsdPolicy::ignore : PsdPolicy::unchecked;
  return checks;
}

// Samples in an order that depends on seed and names alone.
Indices shuffled(const Problem& problem, std::uint64_t seed, const char* purpose) {
  std::vector<std::pair<std::uint64_t, Index>> keyed;
  for (Index i = 0; i < problem.n_samples(); ++i)
    keyed.emplace_back(Random(seed, problem.samples()[at(i)], purpose).next(), i);
  std::sort(keyed.begin(), keyed.end());
  Indices order;
  for (const auto& [key, i] : keyed) order.push_back(i);
  return order;
}

// Incomplete samples by name: a pattern drawn from them does not depend on the input's order.
Indices incomplete_by_name(const Problem& problem) {
  Indices rows;
  for (Index i = 0; i < problem.n_samples(); ++i)
    if (!problem.observed().row(i).all()) rows.push_back(i);
  std::sort(rows.begin(), rows.end(),
            [&](Index a, Index b) { return problem.samples()[at(a)] < problem.samples()[at(b)]; });
  return rows;
}

// How many rows a view can lose.
Index spare_rows(const Problem& problem, Index m) {
  const auto n = static_cast<Index>(problem.view(m).rows.size());
  return std::max<Index>(0, n - std::max<Index>(3, (n + 1) / 2));
}

// How many of its rows to hide, whether or not others are missing.
Index share_of_rows(const Problem& problem, Index m, double fraction) {
  const auto n = static_cast<double>(problem.view(m).rows.size());
  const auto share = static_cast<Index>(std::lround(fraction * n));
  return std::min(std::max<Index>(2, share), spare_rows(problem, m));
}

// How many rows of each view to hide.
Indices rows_wanted(const Problem& problem, double fraction) {
  Indices wanted;
  for (Index m = 0; m < problem.n_views(); ++m)
    wanted.push_back(problem.complete(m) ? 0 : share_of_rows(problem, m, fraction));
  return wanted;
}

using Row = Eigen::Array<bool, 1, Eigen::Dynamic>;

// The views that sample i loses when it takes the missing views of a donor in addition to its own.
// Of some random incomplete samples the donor is the one that leaves i closest to it: i's own
// missing views make the row harder than real ones, and overlap with the donor's reduces that.
Row views_to_hide(const Problem& problem, Index i, const Indices& patterns, const Indices& wanted,
                  std::uint64_t seed) {
  const Mask& observed = problem.observed();
  Random random(seed, problem.samples()[at(i)], "pattern");
  Row best = Row::Constant(observed.cols(), false);
  Index fewest = observed.cols();
  for (int attempt = 0; attempt < 20 && fewest > 0; ++attempt) {
    const Index donor = patterns[at(static_cast<Index>(random.below(patterns.size())))];
    Row hidden(observed.cols());
    for (Index m = 0; m < observed.cols(); ++m)
      hidden(m) = observed(i, m) && !observed(donor, m) && wanted[at(m)] > 0;
    const Index kept = observed.row(i).count() - hidden.count();
    const Index excess = (!observed.row(i) && observed.row(donor)).count();
    if (kept > 0 && hidden.any() && excess < fewest) {
      best = hidden;
      fewest = excess;
    }
  }
  return best;
}

Mask choose_hidden(const Problem& problem, double fraction, std::uint64_t seed) {
  const Mask& observed = problem.observed();
  Mask hidden = Mask::Constant(observed.rows(), observed.cols(), false);
  const Indices patterns = incomplete_by_name(problem);
  Indices wanted = rows_wanted(problem, fraction);
  if (patterns.empty()) return hidden;
  for (const Index i : shuffled(problem, seed, "hide")) {
    hidden.row(i) = views_to_hide(problem, i, patterns, wanted, seed);
    for (Index m = 0; m < observed.cols(); ++m) wanted[at(m)] -= hidden(i, m);
    if (std::all_of(wanted.begin(), wanted.end(), [](Index w) { return w <= 0; })) break;
  }
  return hidden;
}

struct Pair {
  std::uint64_t key;
  Index sample, view;
};

// Observed pairs in random order.
std::vector<Pair> shuffled_pairs(const Problem& problem, std::uint64_t seed) {
  std::vector<Pair> pairs;
  for (Index m = 0; m < problem.n_views(); ++m)
    for (const Index i : problem.view(m).rows)
      pairs.push_back(
          {Random(seed, problem.samples()[at(i)], "hide " + problem.view(m).name).next(), i, m});
  std::sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.key < b.key; });
  return pairs;
}

// How many views each sample loses at most: `views_missing` for a random `fraction` of the samples.
Indices losses_wanted(const Problem& problem, double fraction, Index views_missing,
                      std::uint64_t seed) {
  Indices wanted(at(problem.n_samples()), 0);
  Indices order = shuffled(problem, seed, "lose");
  order.resize(at(std::lround(fraction * static_cast<double>(problem.n_samples()))));
  for (const Index i : order) wanted[at(i)] = views_missing;
  return wanted;
}

Mask choose_at_random(const Problem& problem, double fraction, Index views_missing,
                      std::uint64_t seed) {
  const Mask& observed = problem.observed();
  Mask hidden = Mask::Constant(observed.rows(), observed.cols(), false);
  Indices of_sample(at(problem.n_samples()), problem.n_views());
  Indices of_view;
  for (Index m = 0; m < problem.n_views(); ++m)
    of_view.push_back(views_missing > 0 ? spare_rows(problem, m)
                                        : share_of_rows(problem, m, fraction));
  if (views_missing > 0) of_sample = losses_wanted(problem, fraction, views_missing, seed);
  for (const auto& [key, i, m] : shuffled_pairs(problem, seed)) {
    const Index kept = observed.row(i).count() - hidden.row(i).count();
    if (of_view[at(m)] == 0 || of_sample[at(i)] == 0 || kept == 1) continue;
    hidden(i, m) = true;
    --of_view[at(m)];
    --of_sample[at(i)];
  }
  return hidden;
}

// The view on those of its rows for which keep(sample) holds; samples renumbered by `renumber`.
template <class Keep, class Renumber>
ObservedKernel part_of(const ObservedKernel& view, Keep keep, Renumber renumber) {
  Indices positions;
  ObservedKernel part{view.name, {}, {}, view.source};
  for (std::size_t i = 0; i < view.rows.size(); ++i)
    if (keep(view.rows[i])) {
      positions.push_back(static_cast<Index>(i));
      part.rows.push_back(renumber(view.rows[i]));
    }
  if (positions.size() == view.rows.size())
    part.block = view.block;
  else
    part.block = submatrix(view.block, positions, positions);
  return part;
}

}  // namespace

// The new problem does not hold the hidden rows, not even as NaN.
HeldOut hide_pairs(const Problem& problem, const Mask& hidden) {
  std::vector<ObservedKernel> views;
  std::vector<Indices> rows(at(problem.n_views()));
  for (Index m = 0; m < problem.n_views(); ++m) {
    views.push_back(part_of(
        problem.view(m), [&](Index i) { return !hidden(i, m); }, [](Index i) { return i; }));
    for (const Index i : problem.view(m).rows)
      if (hidden(i, m)) rows[at(m)].push_back(i);
  }
  return {Problem(problem.samples(), std::move(views), checks_for_part_of(problem)),
          std::move(rows)};
}

HeldOut hide_rows(const Problem& problem, double fraction, std::uint64_t seed) {
  return hide_pairs(problem, choose_hidden(problem, fraction, seed));
}

HeldOut hide_at_random(const Problem& problem, double fraction, Index views_missing,
                       std::uint64_t seed) {
  if (views_missing >= problem.n_views())
    throw OptionError(fmt::format("{} views cannot be missing from samples that have {}",
                                  views_missing, problem.n_views()),
                      "every sample keeps at least one view");
  return hide_pairs(problem, choose_at_random(problem, fraction, views_missing, seed));
}

Indices hidden_positions(const Problem& truth, const HeldOut& held_out, Index m) {
  const Indices& rows = truth.view(m).rows;
  const Indices& hidden = held_out.hidden[at(m)];
  Indices positions;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (std::binary_search(hidden.begin(), hidden.end(), rows[i]))
      positions.push_back(static_cast<Index>(i));
  return positions;
}

Matrix average_rows(const Problem& truth, const HeldOut& held_out, Index m) {
  const ObservedKernel& shown = held_out.problem.view(m);
  const Indices& rows = truth.view(m).rows;
  const Indices hidden = hidden_positions(truth, held_out, m);
  const auto others = std::max<double>(1, static_cast<double>(shown.rows.size()) - 1);
  const Vector means = (shown.block.colwise().sum().transpose() - shown.block.diagonal()) / others;
  Vector average = Vector::Constant(static_cast<Index>(rows.size()), means.mean());
  for (std::size_t j = 0; j < shown.rows.size(); ++j) {
    const auto place = std::lower_bound(rows.begin(), rows.end(), shown.rows[j]);
    average(place - rows.begin()) = means(static_cast<Index>(j));
  }
  Matrix result = average.transpose().replicate(static_cast<Index>(hidden.size()), 1);
  for (std::size_t k = 0; k < hidden.size(); ++k)
    result(static_cast<Index>(k), hidden[k]) = shown.block.diagonal().mean();
  return result;
}

Vector held_out_errors(const Problem& truth, const HeldOut& held_out,
                       const std::vector<Matrix>& kernels, Measure measure) {
  const auto error_of =
      measure == Measure::are ? average_relative_error : average_relative_error_squared;
  Vector errors(truth.n_views());
  for (Index m = 0; m < truth.n_views(); ++m) {
    const ObservedKernel& view = truth.view(m);
    errors(m) = error_of(view.block, submatrix(kernels[at(m)], view.rows, view.rows),
                         hidden_positions(truth, held_out, m));
  }
  return errors;
}

double held_out_error(const Problem& truth, const HeldOut& held_out,
                      const std::vector<Matrix>& kernels, Measure measure) {
  return mean_of_known(held_out_errors(truth, held_out, kernels, measure));
}

double HeldOut::share_of(const Problem& truth) const {
  double known = 0, hidden_rows = 0;
  for (std::size_t m = 0; m < hidden.size(); ++m)
    if (!hidden[m].empty()) {
      known += static_cast<double>(truth.views()[m].rows.size());
      hidden_rows += static_cast<double>(hidden[m].size());
    }
  return known > 0 ? hidden_rows / known : 0;
}

Problem restricted(const Problem& problem, const Indices& samples) {
  Indices place(at(problem.n_samples()), -1);
  Strings names;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    place[at(samples[i])] = static_cast<Index>(i);
    names.push_back(problem.samples()[at(samples[i])]);
  }
  std::vector<ObservedKernel> views;
  for (const auto& view : problem.views())
    views.push_back(part_of(
        view, [&](Index i) { return place[at(i)] >= 0; }, [&](Index i) { return place[at(i)]; }));
  return Problem(std::move(names), std::move(views), checks_for_part_of(problem));
}

Problem subsample(const Problem& problem, Index most, std::uint64_t seed) {
  if (problem.n_samples() <= most) return problem;
  Indices order = shuffled(problem, seed, "subsample");
  const Mask& observed = problem.observed();
  const auto wanted = [&](Index m) {
    return std::min<Index>(fewest_of_view, std::ssize(problem.view(m).rows));
  };
  const auto kept = [&](Index m) {
    return std::count_if(order.begin(), order.begin() + most,
                         [&](Index i) { return observed(i, m); });
  };
  std::vector<bool> needed(at(problem.n_samples()), false);
  for (Index m = 0; m < problem.n_views(); ++m) {
    Index lacking = kept(m) < wanted(m) ? wanted(m) : 0;
    for (const Index i : order)
      if (lacking > 0 && observed(i, m)) {
        needed[at(i)] = true;
        --lacking;
      }
  }
  std::stable_partition(order.begin(), order.end(), [&](Index i) { return needed[at(i)]; });
  for (Index m = 0; m < problem.n_views(); ++m)
    if (kept(m) < wanted(m)) return problem;
  order.resize(at(most));
  std::sort(order.begin(), order.end());
  return restricted(problem, order);
}

}  // namespace mkc
