#pragma once

#include <cstdint>

#include "mkc/base/types.hpp"

namespace mkc {

/// One partition from several of the same samples, and how well each sample is placed in it.
struct Consensus {
  Indices of_sample;     // 0 ... k - 1, the largest cluster first
  Vector strength;       // (n)
  Indices next;          // (n) -1 where k = 1
  Vector next_strength;  // (n)
};

/// Spectral clustering of the co-association matrix M, m_ij the share of the partitions in which i
/// and j are in one cluster. With p(i, c) the mean of m_ij over the other samples j of cluster c,
/// the strength of i is p(i, own cluster), and `next` is the other cluster with the largest p.
Consensus consensus_of(const std::vector<Indices>& partitions, Index k, const Strings& samples,
                       std::uint64_t seed);

}  // namespace mkc
