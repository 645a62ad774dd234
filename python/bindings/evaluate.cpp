// Hiding known rows, and cells of an evaluation.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "mkc/evaluate/cell.hpp"
#include "mkc/io/assemble.hpp"
#include "module.hpp"
#include "watch.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;

Mechanism mechanism_of(const std::string& text) {
  return static_cast<Mechanism>(detail::to_choice("mechanism", text, {"pattern", "mcar"}));
}

// Everything an evaluation is, ready to run cell by cell.
struct Evaluation {
  const io::Assembled* assembled;
  EvaluatePlan plan;
  std::optional<Labels> labels;
  std::vector<CellPlan> cells;

  const Labels* known_labels() const { return labels ? &*labels : nullptr; }
};

Evaluation plan_evaluation(const io::Assembled& assembled, Strings methods,
                           const std::string& mechanism, double fraction, Index views_missing,
                           Index repeats, bool quality, std::uint64_t seed,
                           const std::optional<Strings>& labels) {
  Evaluation evaluation{&assembled, {}, std::nullopt, {}};
  evaluation.plan = {
      std::move(methods), mechanism_of(mechanism), fraction, views_missing, repeats, quality, seed};
  if (labels) {
    evaluation.labels = make_labels(*labels);
    check_classes(*evaluation.labels, assembled.problem.samples());
  }
  evaluation.cells = plan_cells(evaluation.plan, assembled.problem, evaluation.known_labels());
  hidden_copy(assembled.problem, evaluation.plan, 1);  // what cannot be hidden is told first
  return evaluation;
}

nb::dict as_dict(const Evaluation& evaluation, const CellPlan& plan, const CellResult& result) {
  nb::dict cell;
  cell["method"] = plan.method;
  cell["repeat"] = plan.repeat;
  cell["spec"] = result.spec;
  cell["status"] = result.status;
  cell["failure"] = result.failure;
  cell["seconds"] = result.seconds;
  cell["interrupted"] = result.interrupted;
  nb::list views, labels;
  for (std::size_t m = 0; m < result.views.size(); ++m) {
    const ViewScores& scores = result.views[m];
    nb::dict entry;
    entry["view"] = evaluation.assembled->problem.views()[m].name;
    entry["hidden_rows"] = scores.hidden_rows;
    entry["are"] = scores.are;
    entry["are_squared"] = scores.are_squared;
    entry["rmse"] = scores.rmse;
    entry["alignment"] = scores.alignment;
    entry["coverage"] = scores.coverage;
    views.append(entry);
  }
  for (const auto& repeated : result.labels) {
    nb::dict entry;
    entry["repeat"] = repeated.repeat;
    entry["on"] = repeated.scores.on;
    entry["samples"] = repeated.scores.samples;
    entry["accuracy"] = repeated.scores.accuracy;
    entry["balanced_accuracy"] = repeated.scores.balanced_accuracy;
    entry["nmi"] = repeated.scores.nmi;
    entry["ari"] = repeated.scores.ari;
    labels.append(entry);
  }
  cell["views"] = views;
  cell["labels"] = labels;
  return cell;
}

nb::dict run(const Evaluation& evaluation, std::size_t number, int threads,
             const nb::object& callback) {
  const CellPlan& cell = evaluation.cells.at(number);
  CellResult result;
  watched(callback, [&](const ProgressCallback& progress) {
    RunOptions options;
    options.threads = threads;
    options.transforms = evaluation.assembled->transforms;
    options.progress = progress;
    result = run_cell(evaluation.assembled->problem, cell, evaluation.plan,
                      evaluation.known_labels(), options);
  });
  return as_dict(evaluation, cell, result);
}

// Which pairs are hidden on top of those that are missing. (N, M)
Flags hidden_pairs(const io::Assembled& assembled, const std::string& mechanism, double fraction,
                   Index views_missing, std::uint64_t seed) {
  const Problem& problem = assembled.problem;
  const HeldOut copy = mechanism_of(mechanism) == Mechanism::pattern
                           ? hide_rows(problem, fraction, seed)
                           : hide_at_random(problem, fraction, views_missing, seed);
  Mask hidden = Mask::Constant(problem.n_samples(), problem.n_views(), false);
  for (std::size_t m = 0; m < copy.hidden.size(); ++m)
    for (const Index i : copy.hidden[m]) hidden(i, static_cast<Index>(m)) = true;
  return to_numpy(hidden);
}

}  // namespace

void bind_evaluate(nb::module_& module) {
  nb::class_<Evaluation>(module, "Evaluation")
      .def_prop_ro("n_cells", [](const Evaluation& e) { return e.cells.size(); })
      .def("run", &run, "number"_a, "threads"_a, "callback"_a.none());
  module.def("plan_evaluation", &plan_evaluation, "assembled"_a, "methods"_a, "mechanism"_a,
             "fraction"_a, "views_missing"_a, "repeats"_a, "quality"_a, "seed"_a, "labels"_a.none(),
             nb::keep_alive<0, 1>());
  module.def("hidden_pairs", &hidden_pairs, "assembled"_a, "mechanism"_a, "fraction"_a,
             "views_missing"_a, "seed"_a);
}

}  // namespace mkc::python
