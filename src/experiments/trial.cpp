#include "experiments/trial.hpp"

#include <cmath>
#include <limits>

#include "mkc/complete.hpp"
#include "mkc/base/error.hpp"
#include "base/stopwatch.hpp"

namespace mkc {

Strings grid_specs(const TunedMethod& method) {
  Strings specs = {method.spec};
  for (const auto& [option, values] : method.grid) {
    Strings longer;
    for (const auto& spec : specs)
      for (const auto& value : values) longer.push_back(spec + "," + option + "=" + value);
    specs = std::move(longer);
  }
  return specs;
}

TunedChoice choose_on(const Exercise& tuning, const TunedMethod& method, Measure measure,
                      const RunOptions& run) {
  TunedChoice choice{method.spec, 0, std::numeric_limits<double>::quiet_NaN(), 0, false};
  const Strings specs = grid_specs(method);
  if (specs.size() < 2) {
    choice.spec = specs.at(0);
    return choice;
  }
  const CpuStopwatch watch;
  std::optional<InputError> refused;
  for (const auto& spec : specs) {
    try {
      const Completion completion = complete(tuning.visible.problem, spec, run);
      if (completion.info.status == Status::interrupted) {
        choice.interrupted = true;
        return choice;
      }
      ++choice.tried;
      const double error =
          held_out_error(tuning.truth, tuning.visible, completion.kernels, measure);
      if (!std::isnan(error) && !(error >= choice.error)) {
        choice.spec = spec;
        choice.error = error;
      }
    } catch (const InputError& error) {
      refused = error;
    }
  }
  if (choice.tried == 0) throw InputError(*refused);
  if (std::isnan(choice.error))
    throw InputError("no row of the tuning set is hidden: options cannot be chosen on it",
                     "more samples, or a larger share that loses views");
  choice.seconds = watch.seconds();
  return choice;
}

TrialResult run_trial(const Trial& trial, const TunedMethod& method, Measure measure,
                      const RunOptions& run, const std::function<double()>& peak_mib) {
  TrialResult result;
  CellResult& test = result.test;
  test.spec = method.spec;
  test.peak_mib = std::numeric_limits<double>::quiet_NaN();
  try {
    result.choice = choose_on(trial.tuning, method, measure, run);
    test.interrupted = result.choice.interrupted;
    if (test.interrupted) return result;
    const CpuStopwatch watch;
    const Completion completion = complete(trial.test.visible.problem, result.choice.spec, run);
    test.seconds = watch.seconds();
    if (peak_mib) test.peak_mib = peak_mib();
    describe_run(completion.info, test);
    if (!test.interrupted)
      test.views = score_hidden_rows(trial.test.truth, trial.test.visible, completion);
  } catch (const InputError& error) {
    test.failure = error.what();
    test.status = "failed";
  }
  return result;
}

}  // namespace mkc
