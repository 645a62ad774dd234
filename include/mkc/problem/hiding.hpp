#pragma once

#include <algorithm>
#include <cstdint>

#include "mkc/problem/metrics.hpp"
#include "mkc/problem/problem.hpp"

namespace mkc {

/// A problem with some of its observed rows hidden as well, to measure on them.
struct HeldOut {
  Problem problem;
  std::vector<Indices> hidden;  // per view: the observed samples that were hidden, ascending

  /// Share of the known rows that are hidden, over the views that have some to hide.
  double share_of(const Problem& truth) const;

  bool hides_something() const {
    return std::any_of(hidden.begin(), hidden.end(), [](const Indices& h) { return !h.empty(); });
  }
};

/// Hides observed (sample, view) pairs in the pattern in which real samples miss views: samples in
/// random order lose the views that an incomplete sample misses, in addition to their own (of 20
/// random ones, the one that adds least), until about `fraction` of the observed rows of every
/// incomplete view are hidden (at least 2 where possible). Every sample keeps a view, every view at
/// least half of its samples and 3. A complete view stays complete: it has no rows to complete.
/// Draws are keyed by seed and sample name.
HeldOut hide_rows(const Problem& problem, double fraction, std::uint64_t seed);

/// Hides observed (sample, view) pairs at random, complete views included. Without `views_missing`
/// (0) about `fraction` of the observed rows of every view; else `fraction` of the samples lose
/// `views_missing` of their views each. Every sample keeps a view, every view at least half of its
/// samples and 3. Draws are keyed by seed, sample and view name. Throws OptionError where
/// `views_missing` is not below the number of views.
HeldOut hide_at_random(const Problem& problem, double fraction, Index views_missing,
                       std::uint64_t seed);

/// Hides the pairs of a mask (N, M), true = hidden; missing pairs do not count.
HeldOut hide_pairs(const Problem& problem, const Mask& hidden);

/// Positions of the hidden rows of view m in its observed block of `truth`, ascending.
Indices hidden_positions(const Problem& truth, const HeldOut& held_out, Index m);

/// The average row of view m in the place of each hidden row, (hidden rows, samples that `truth`
/// observes): the mean of the rows that are not hidden, without their diagonal. Its entry for the
/// sample itself is the mean diagonal, its entries for other hidden samples the mean of all
/// entries.
Matrix average_rows(const Problem& truth, const HeldOut& held_out, Index m);

/// Errors of completed kernels on the rows that were hidden, in percent, per view (M): the average
/// relative error (metrics.hpp) of these rows, each over the samples that `truth`
/// observes. NaN where nothing was hidden.
Vector held_out_errors(const Problem& truth, const HeldOut& held_out,
                       const std::vector<Matrix>& kernels, Measure measure = Measure::are);

/// Their mean over the views with hidden rows; NaN where nothing was hidden.
double held_out_error(const Problem& truth, const HeldOut& held_out,
                      const std::vector<Matrix>& kernels, Measure measure = Measure::are);

/// The problem on some of its samples, ascending.
Problem restricted(const Problem& problem, const Indices& samples);

/// The problem on at most `most` of its samples, chosen by the hash of (seed, name); samples of
/// views that would keep fewer than 10 come first. The problem itself where it is not larger, or
/// where `most` samples are too few for that.
Problem subsample(const Problem& problem, Index most, std::uint64_t seed);

}  // namespace mkc
