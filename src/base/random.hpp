#pragma once

#include <cstdint>
#include <string_view>

#include "mkc/base/types.hpp"

namespace mkc {

/// Random numbers that depend on a key and nothing else: the same on every platform, in any order
/// of calls elsewhere. A draw keyed by (seed, sample id, view name) follows its sample when the
/// input is permuted. SplitMix64 of Steele, Lea and Flood (2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  Random(std::uint64_t seed, std::string_view key) : Random(seed, key, {}) {}
  Random(std::uint64_t seed, std::string_view key_a, std::string_view key_b);

  std::uint64_t next();
  double uniform();                          // [0, 1)
  double uniform(double low, double high);   // [low, high)
  double normal();                           // mean 0, variance 1
  std::uint64_t below(std::uint64_t bound);  // 0 .. bound - 1, unbiased

 private:
  std::uint64_t state_;
};

/// Positions in `rows` of the (at most) `most` samples whose names have the smallest hash, in its
/// order: a permuted problem chooses the same samples.
Indices rows_by_hash(const Strings& samples, const Indices& rows, std::size_t most,
                     std::string_view key);

}  // namespace mkc
