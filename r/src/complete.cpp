#include "mkc/complete.hpp"

#include "functions.hpp"
#include "model.hpp"
#include "problem.hpp"
#include "values.hpp"
#include "watch.hpp"

namespace mkc::r {

namespace {

cpp11::sexp kernels_of(Completion& completion) {
  cpp11::writable::list kernels;
  for (auto& K : completion.kernels) {
    kernels.push_back(static_cast<SEXP>(to_r(K)));
    K.resize(0, 0);  // not kept twice
  }
  return static_cast<SEXP>(kernels);
}

template <class Value>
cpp11::sexp given(const std::optional<Value>& value) {
  return value ? to_r(*value) : cpp11::sexp(R_NilValue);
}

cpp11::sexp quality_of(const Completion& completion) {
  if (!completion.quality) return R_NilValue;
  const Quality& q = *completion.quality;
  List list;
  list.add("error", q.error)
      .add("low", q.low)
      .add("high", q.high)
      .add("coverage", q.coverage)
      .add("held_out_error", q.held_out_errors)
      .add("average_row_error", q.average_row_errors)
      .add("mean_of_others_error", q.mean_of_others_errors)
      .add("recovered", q.recovered)
      .add("recovered_standard_error", q.recovered_deviations)
      .add("hidden_samples", q.hidden_samples_of_view)
      .add("verdict", column(q.verdicts, [](Verdict v) { return std::string(verdict_name(v)); }));
  return static_cast<SEXP>(list);
}

cpp11::sexp candidates_of(const Completion& completion) {
  cpp11::writable::list list;
  for (const auto& candidate : completion.candidates) {
    List entry;
    entry.add("candidate", candidate.spec)
        .add("held_out_errors", candidate.held_out_errors)
        .add("weights", candidate.weights)
        .add("seconds", candidate.seconds)
        .add("skipped", candidate.skipped);
    list.push_back(static_cast<SEXP>(entry));
  }
  return static_cast<SEXP>(list);
}

}  // namespace

SEXP complete_problem(SEXP pointer, SEXP method_text, SEXP run, SEXP callback) {
  const Assembled& assembled = problem_of(pointer);
  const cpp11::list given_run(run);
  const std::string method = text_of(method_text);
  const bool with_quality = flag_of(given_run["quality"]);
  RunOptions options;
  options.seed = seed_of(given_run["seed"]);
  options.threads = cpp11::as_cpp<int>(given_run["threads"]);
  options.fitted = flag_of(given_run["fitted"]);
  options.transforms = assembled.transforms;
  Completion completion;
  watched(callback, [&](const ProgressCallback& progress) {
    options.progress = progress;
    completion = with_quality ? complete_with_quality(assembled.problem, method, options)
                              : complete(assembled.problem, method, options);
  });
  const Info& info = completion.info;
  List result;
  result.add("method", info.method)
      .add("parameters", info.parameters)
      .add("status", status_name(info.status))
      .add("iterations", info.iterations)
      .add("objective", column(info.objective, [](double value) { return value; }))
      .add("residual", info.residual)
      .add("relations", given(completion.relations))
      .add("uncertainty", given(completion.uncertainty))
      .add("quality", quality_of(completion))
      .add("candidates", candidates_of(completion))
      .add("seconds", info.seconds)
      .add("warnings", info.warnings)
      .add("notices", info.notices)
      .add("model", model_of(assembled))
      .add("kernels", kernels_of(completion));
  return result;
}

}  // namespace mkc::r
