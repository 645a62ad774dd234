#pragma once

#include <functional>

#include "mkc/assess/masking.hpp"
#include "mkc/run.hpp"

namespace mkc {

/// Held-out copies of a problem on which options are compared: at most 300 samples of it, two
/// copies with 15 % of each view's rows hidden; twelve with 10 % where there are 60 samples or
/// fewer, since a choice made on a handful of rows is a coin toss.
class TuningSet {
 public:
  TuningSet(const Problem& problem, std::uint64_t seed);

  /// Something could be hidden: choices can be made.
  bool usable() const;

  /// Position of the candidate with the smallest mean error over the copies; the first of equals.
  /// complete(problem, candidate) gives completed kernels. Candidates and copies run in parallel.
  std::size_t best(
      std::size_t candidates, int threads,
      const std::function<std::vector<Matrix>(const Problem&, std::size_t)>& complete) const;

 private:
  Problem truth_;
  std::vector<HeldOut> copies_;
};

}  // namespace mkc
