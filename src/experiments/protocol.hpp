#pragma once

#include "mkc/problem/hiding.hpp"

namespace mkc {

/// How the paper measures. The samples are split at random into a tuning set, on which options are
/// chosen, and a test set, which gives the figures. Samples of both lose views at random. The text
/// does not say how many; in the authors' released splits every sample does, except for a tenth of
/// all samples (a fifth for DREAM) that stay whole and belong to both problems.
struct Protocol {
  double tuning = 0.4;               // share of the samples; the others are the test set
  double whole = 0.1;                // share of all samples, of the tuning set, that lose nothing
  double losing = 1;                 // share of the other samples that lose views
  Index views_missing = 1;           // views each of them loses
  bool first_view_complete = false;  // nobody loses the first view: what `em` needs
  Index most_tuning = 0;             // tuning samples beside the whole ones at most; 0: all
};

/// Disjoint sets of samples, ascending. Without `most_tuning` they are all samples.
struct Partition {
  Indices whole, tuning, test;
};

/// The partition of this number. The draw depends on seed, number and names alone. OptionError
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

/// Some samples of the data: what is true, and what a method is shown.
struct Exercise {
  Problem truth;
  HeldOut visible;
};

/// Two problems that have the whole samples in common and nothing else: no kernel row of a test
/// sample is in the tuning problem.
struct Trial {
  Exercise tuning, test;
};

Trial make_trial(const Problem& data, const Split& split);

}  // namespace mkc
