#pragma once

#include <cstdint>

#include "mkc/advise/advise.hpp"

namespace mkc::advice {

/// Sets the two powers of the expected effects on observed rows.
///
/// In every copy of a subsample some observed rows are hidden and completed (A), then half of them
/// are shown again and the rest is completed once more (B).
///
///   pattern_power: slope of log error on log V(m | o) within views, over the rows hidden in A,
///   sample_power:  log of (error in B / error in A, the pattern's effect taken out) over the mean
///                  log of (1 + h in B) / (1 + h in A), over the rows hidden in both.
///
/// Both are drawn towards their defaults where hidden rows are few.
AdviceCalibration calibrate(const Problem& problem, std::uint64_t seed, int threads,
                            const ProgressCallback& progress);

/// Some hundred samples of a completion in factor form as a dense problem, chosen by their names.
Problem part_for_trial(const CompletedFactors& completed);

constexpr double default_pattern_power = 1.5;
constexpr double default_sample_power = 1;

}  // namespace mkc::advice
