// Which missing pair to measure next.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "arrays.hpp"
#include "labels.hpp"
#include "mkc/advise/advise.hpp"
#include "module.hpp"
#include "watch.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;
using Pairs = std::vector<std::pair<Index, Index>>;

/// What advise() is given, in memory of its own: the work may be left behind.
struct Given {
  Strings samples, views;
  std::vector<Matrix> tables;  // kernels, or features in factor form
  bool are_factors = false;
  Mask observed;
  Completion completion;  // its estimates
  AdviceOptions options;
  std::optional<LabelArguments> labels;
};

void run(Given& given, AssayAdvice& advice) {
  if (given.labels) given.options.target = typed_labels(*given.labels, given.samples).target;
  if (given.are_factors) {
    const CompletedFactors factors{given.samples, given.views, std::move(given.tables),
                                   given.observed, *given.completion.quality};
    advice = advise(factors, given.options);
  } else {
    const Problem problem = observed_part(given.samples, given.views, given.tables, given.observed);
    advice = advise(problem, given.completion, given.options);
  }
}

// Columns of the table of pairs.
template <class List>
nb::dict pair_columns(const List& list) {
  Indices samples, views;
  for (const auto& one : list) {
    samples.push_back(one.assay.sample);
    views.push_back(one.assay.view);
  }
  nb::dict columns;
  columns["sample"] = samples;
  columns["view"] = views;
  return columns;
}

template <class List, class Value>
Numbers column(const List& list, Value value) {
  Vector values(static_cast<Index>(list.size()));
  for (std::size_t k = 0; k < list.size(); ++k)
    values(static_cast<Index>(k)) = static_cast<double>(value(list[k]));
  return to_numpy(values);
}

nb::dict ranking_columns(const std::vector<RankedAssay>& ranking) {
  nb::dict columns = pair_columns(ranking);
  columns["cost"] = column(ranking, [](const auto& one) { return one.cost; });
  columns["gain"] = column(ranking, [](const auto& one) { return one.gain; });
  columns["own"] = column(ranking, [](const auto& one) { return one.own; });
  columns["same_sample"] = column(ranking, [](const auto& one) { return one.same_sample; });
  columns["others"] = column(ranking, [](const auto& one) { return one.others; });
  columns["gain_per_cost"] = column(ranking, [](const auto& one) { return one.gain_per_cost; });
  columns["within_budget"] = column(ranking, [](const auto& one) { return one.within_budget; });
  return columns;
}

nb::dict curve_columns(const std::vector<CurvePoint>& curve) {
  nb::dict columns;
  columns["assays"] = column(curve, [](const auto& point) { return point.assays; });
  columns["money"] = column(curve, [](const auto& point) { return point.money; });
  columns["expected_error"] = column(curve, [](const auto& point) { return point.error; });
  return columns;
}

nb::dict observed_columns(const std::vector<ObservedAssay>& observed) {
  nb::dict columns = pair_columns(observed);
  columns["value"] = column(observed, [](const auto& one) { return one.value; });
  columns["value_per_cost"] = column(observed, [](const auto& one) { return one.value_per_cost; });
  return columns;
}

nb::dict described(const AssayAdvice& advice) {
  nb::dict result;
  result["of_labels"] = advice.of_labels;
  result["expected_error"] = advice.error;
  result["spent"] = advice.spent;
  result["expected_error_after"] = advice.error_after;
  result["ranking"] = ranking_columns(advice.ranking);
  result["curve"] = curve_columns(advice.curve);
  result["enough"] = advice.enough ? nb::cast(advice.enough->assays) : nb::none();
  result["observed"] = observed_columns(advice.observed);
  result["sample_gains"] = to_numpy(advice.sample_gains);
  result["hidden_rows"] = advice.calibration.rows;
  result["pattern_power"] = advice.calibration.pattern_power;
  result["sample_rate"] = advice.calibration.sample_rate;
  result["notices"] = advice.notices;
  return result;
}

nb::dict advised(const std::vector<Table>& tables, bool are_factors, const Table& observed,
                 Strings views, Strings samples, const Table& error,
                 const std::vector<double>& held_out, const std::vector<double>& costs,
                 double budget, const Pairs& candidates, bool batch,
                 std::optional<LabelArguments> labels, std::uint64_t seed, int threads,
                 const nb::object& callback) {
  const auto given = std::make_shared<Given>();
  given->samples = std::move(samples);
  given->views = std::move(views);
  for (const auto& table : tables) given->tables.emplace_back(mapped(table));
  given->are_factors = are_factors;
  given->observed = mapped(observed).array() != 0;
  Quality& quality = given->completion.quality.emplace();
  quality.error = mapped(error);
  quality.held_out_errors =
      Eigen::Map<const Vector>(held_out.data(), static_cast<Index>(held_out.size()));
  given->options.costs = Eigen::Map<const Vector>(costs.data(), static_cast<Index>(costs.size()));
  given->options.budget = budget;
  for (const auto& [sample, view] : candidates) given->options.candidates.push_back({sample, view});
  given->options.batch = batch;
  given->options.seed = seed;
  given->options.threads = threads;
  given->labels = std::move(labels);
  const auto advice = std::make_shared<AssayAdvice>();
  watched(callback, {[given, advice](const ProgressCallback& progress) {
                       given->options.progress = progress;
                       run(*given, *advice);
                     },
                     {},
                     {}});
  return described(*advice);
}

}  // namespace

void bind_advise(nb::module_& module) {
  module.def("advise", &advised, "tables"_a, "are_factors"_a, "observed"_a, "views"_a, "samples"_a,
             "error"_a, "held_out"_a, "costs"_a, "budget"_a, "candidates"_a, "batch"_a,
             "labels"_a.none(), "seed"_a, "threads"_a, "callback"_a.none());
}

}  // namespace mkc::python
