#pragma once

#include "mkc/problem/hiding.hpp"

namespace mkc {

/// How the paper measures. The samples are split at random into a tuning set, on which options are
/// chosen, and a test set, which gives the errors. Samples of both lose views at random. The paper
/// does not state how many; in the authors' released splits all samples do, except for a tenth of
/// them (a fifth for DREAM) that stay whole and belong to both tasks.
struct Protocol {
  double tuning = 0.4;               // share of the samples; the others are the test set
  double whole = 0.1;                // share of all samples, of the tuning set, that lose nothing
  double losing = 1;                 // share of the other samples that lose views
  Index views_missing = 1;           // views each of them loses
  bool first_view_complete = false;  // no sample loses the first view: `em` needs it
  Index most_tuning = 0;  // largest number of tuning samples, without the whole ones; 0: all
};

/// Disjoint sets of samples, ascending. Without `most_tuning` they are all samples.
struct Partition {
  Indices whole, tuning, test;
};

/// The partition of this number. The draw depends on seed, number and names only. OptionError
/// where fewer than 3 samples stay whole or a set is empty.
Partition draw_partition(const Problem& data, const Protocol& protocol, std::uint64_t seed,
                         Index number);

/// A partition, and which (sample, view) pairs are hidden (N, M).
struct Split {
  Partition partition;
  Mask hidden;
};

/// Losses for a partition: keyed by seed, number, sample and view. OptionError where a sample would
/// lose all of its views.
Split draw_losses(const Problem& data, Partition partition, const Protocol& protocol,
                  std::uint64_t seed, Index number);

/// Some samples of the data: the truth, and what a method sees.
struct Task {
  Problem truth;
  HeldOut visible;
};

/// The tasks of a split share the whole samples and nothing else: no kernel row of a test sample is
/// in the tuning task.
Task tuning_task(const Problem& data, const Split& split);
Task test_task(const Problem& data, const Split& split);

}  // namespace mkc
