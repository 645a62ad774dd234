#pragma once

#include "experiments/protocol.hpp"
#include "mkc/evaluate/trial.hpp"

namespace mkc {

/// A method whose options are chosen on a tuning set.
struct TunedMethod {
  std::string name;  // in tables
  std::string spec;  // method, and options that are fixed
  /// Options and the values to try, in all combinations. Empty: nothing is tried, and the method
  /// chooses the options that are left open.
  std::vector<std::pair<std::string, Strings>> grid;
  bool fitted = false;  // the method's own matrices, without the observed block put back
};

/// The specs to try; the last option changes fastest.
Strings grid_specs(const TunedMethod& method);

struct TunedResult {
  std::string chosen;         // spec
  Index tried = 0;            // specs compared; 0 = none
  double tuning_error = 0;    // of the chosen one on the tuning set, in percent; NaN = not compared
  double tuning_seconds = 0;  // of the processor, for the comparison
  TrialResult test;           // seconds: of the processor, for the completion of the test task
};

/// Completes the tuning task with every spec and chooses the one with the smallest error (mean over
/// views) on its hidden rows; of equal ones the first. A spec that cannot run is skipped; if none
/// can, the InputError of the last one is thrown. Only `test.interrupted` is set in `test`.
TunedResult tune(const Task& tuning, const TunedMethod& method, Measure measure,
                 const RunOptions& run);

/// Chooses options on the tuning task of a split, completes its test task and scores it. Only the
/// scores use the truth of the test task. If the method cannot run, the result has a `failure`.
TunedResult run_tuned(const Problem& data, const Split& split, const TunedMethod& method,
                      Measure measure, const RunOptions& run,
                      const std::function<double()>& peak_mib = {});

}  // namespace mkc
