#pragma once

#include "mkc/evaluate/cell.hpp"
#include "experiments/protocol.hpp"

namespace mkc {

/// A method whose options are chosen on a tuning set.
struct TunedMethod {
  std::string name;  // as tables call it
  std::string spec;  // method, and options that stay as they are
  /// Options and the values to try, every one with every other. Empty: nothing is tried, and
  /// options left open are the method's own business.
  std::vector<std::pair<std::string, Strings>> grid;
};

/// The specs to try, the last option fastest.
Strings grid_specs(const TunedMethod& method);

/// What was chosen on a tuning set.
struct TunedChoice {
  std::string spec;
  Index tried = 0;     // specs compared; 0 = none
  double error = 0;    // of the chosen one on the tuning set, in percent; NaN = not compared
  double seconds = 0;  // of the processor, for the comparison
  bool interrupted = false;
};

/// Completes the tuning problem with every spec and keeps that with the smallest error (mean over
/// views) on its hidden rows; the first of equals. A spec that cannot run is passed over; where
/// none can, the last one's InputError is thrown.
TunedChoice choose_on(const Exercise& tuning, const TunedMethod& method, Measure measure,
                      const RunOptions& run);

struct TrialResult {
  TunedChoice choice;
  CellResult test;  // on the test problem; seconds: of the processor, for the one completion
};

/// Chooses on the tuning problem, completes the test problem, scores it. The truth of the test
/// problem is for the scores alone. A method that cannot run is a result with a `failure`.
TrialResult run_trial(const Trial& trial, const TunedMethod& method, Measure measure,
                      const RunOptions& run, const std::function<double()>& peak_mib = {});

}  // namespace mkc
