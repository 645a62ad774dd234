#include "experiments/tuning.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "base/stopwatch.hpp"
#include "mkc/base/error.hpp"
#include "mkc/complete.hpp"

namespace mkc {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

RunOptions for_method(const RunOptions& run, const TunedMethod& method) {
  RunOptions options = run;
  options.fitted = method.fitted;
  return options;
}

}  // namespace

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

TunedResult tune(const Task& tuning, const TunedMethod& method, Measure measure,
                 const RunOptions& run) {
  const Strings specs = grid_specs(method);
  TunedResult result{specs.at(0), 0, nan, 0, {}};
  if (specs.size() < 2) return result;
  const CpuStopwatch watch;
  std::optional<InputError> refused;
  for (const auto& spec : specs) {
    try {
      const Completion completion = complete(tuning.visible.problem, spec, for_method(run, method));
      result.test.interrupted = completion.info.status == Status::interrupted;
      if (result.test.interrupted) return result;
      ++result.tried;
      const double error =
          held_out_error(tuning.truth, tuning.visible, completion.kernels, measure);
      if (!std::isnan(error) && !(error >= result.tuning_error)) {
        result.chosen = spec;
        result.tuning_error = error;
      }
    } catch (const InputError& error) {
      refused = error;
    }
  }
  if (result.tried == 0) throw InputError(*refused);
  if (std::isnan(result.tuning_error))
    throw InputError("no row of the tuning set is hidden: options cannot be chosen on it",
                     "use more samples, or a larger share of samples that lose views");
  result.tuning_seconds = watch.seconds();
  return result;
}

TunedResult run_tuned(const Problem& data, const Split& split, const TunedMethod& method,
                      Measure measure, const RunOptions& run,
                      const std::function<double()>& peak_mib) {
  const Task tuning = tuning_task(data, split), test = test_task(data, split);
  TunedResult result;
  TrialResult scored;
  scored.spec = method.spec;
  scored.peak_mib = nan;
  try {
    result = tune(tuning, method, measure, run);
    if (result.test.interrupted) return result;
    const CpuStopwatch watch;
    const Completion completion =
        complete(test.visible.problem, result.chosen, for_method(run, method));
    scored.seconds = watch.seconds();
    if (peak_mib) scored.peak_mib = peak_mib();
    describe_run(completion.info, scored);
    if (!scored.interrupted) scored.views = score_hidden_rows(test.truth, test.visible, completion);
  } catch (const InputError& error) {
    scored.fail(error.what());
  }
  result.test = std::move(scored);
  return result;
}

}  // namespace mkc
