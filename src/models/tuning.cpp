#include "models/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "mkc/parallel.hpp"

namespace mkc {

namespace {

constexpr Index most_samples = 300;
constexpr Index few_samples = 60;

}  // namespace

TuningSet::TuningSet(const Problem& problem, std::uint64_t seed)
    : truth_(subsample(problem, most_samples, seed)) {
  const bool few = truth_.n_samples() <= few_samples;
  for (std::uint64_t copy = 0; copy < (few ? 12u : 2u); ++copy)
    copies_.push_back(hide_rows(truth_, few ? 0.10 : 0.15, seed + copy));
}

bool TuningSet::usable() const {
  return std::any_of(copies_.begin(), copies_.end(), [](const HeldOut& copy) {
    return std::any_of(copy.hidden.begin(), copy.hidden.end(),
                       [](const Indices& rows) { return !rows.empty(); });
  });
}

std::size_t TuningSet::best(
    std::size_t candidates, int threads,
    const std::function<std::vector<Matrix>(const Problem&, std::size_t)>& complete) const {
  const std::size_t copies = copies_.size();
  std::vector<double> errors(candidates * copies);
  parallel_for(static_cast<Index>(errors.size()), threads, [&](Index k) {
    const std::size_t candidate = static_cast<std::size_t>(k) / copies;
    const HeldOut& copy = copies_[static_cast<std::size_t>(k) % copies];
    errors[static_cast<std::size_t>(k)] =
        held_out_error(truth_, copy, complete(copy.problem, candidate));
  });
  std::size_t best = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < candidates; ++c) {
    double sum = 0;
    for (std::size_t copy = 0; copy < copies; ++copy) {
      const double error = errors[c * copies + copy];
      sum += std::isnan(error) ? 0 : error;
    }
    if (sum < smallest) {
      smallest = sum;
      best = c;
    }
  }
  return best;
}

}  // namespace mkc
