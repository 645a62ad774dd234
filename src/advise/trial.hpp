#pragma once

#include <cstdint>

#include "mkc/advise/advise.hpp"

namespace mkc::advice {

constexpr double default_pattern_power = 1.5;
constexpr double default_sample_rate = 0.5;  // the usual rate of statistics, n^-1/2

/// What became of a hidden row once some of the others were shown, and what should explain it: logs
/// of ratios, after over before.
struct ErrorFall {
  double error = 0;
  double open = 0;      // V of the row's pattern
  double leverage = 0;  // 1 + h
  double samples = 0;   // how many samples are observed in the view
};

/// Regresses the falls on what should explain them: error ~ b open + leverage / 2 - a samples.
///
/// Both powers are drawn towards their defaults as far as the rows leave them open (the posterior
/// mean of Bayesian linear regression). The rows of one view in one copy share their luck: together
/// they count as one. `groups`: copies times views.
AdviceCalibration calibrated_on(const std::vector<ErrorFall>& falls, Index groups);

/// Sets the two powers of the expected effects on observed rows.
///
/// In every copy of a subsample some observed rows are hidden and completed (A), then half of them
/// are shown again and the rest is completed once more (B). The rows that both hide are compared
/// with themselves, so that it does not matter how hard they are.
AdviceCalibration calibrate(const Problem& problem, std::uint64_t seed, int threads,
                            const ProgressCallback& progress);

/// Some hundred samples of a completion in factor form as a dense problem, chosen by their names.
Problem part_for_trial(const CompletedFactors& completed);

}  // namespace mkc::advice
