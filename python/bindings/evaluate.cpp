// Hiding known rows, and cells of an evaluation.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <fstream>
#include <limits>

#include "arrays.hpp"
#include "mkc/evaluate/cell_store.hpp"
#include "mkc/evaluate/evaluation.hpp"
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
  const Assembled* assembled;
  EvaluatePlan plan;
  std::optional<Labels> labels;
  std::vector<CellPlan> cells;
  std::vector<std::optional<CellResult>> results;  // of the cells that are finished
  // where it has a folder: finished cells of this run and of earlier ones
  std::string folder;
  std::optional<io::CellStore> store;
  Strings keys;
  bool replace = false;  // all of the folder, not only the files of an evaluation

  const Labels* known_labels() const { return labels ? &*labels : nullptr; }
};

Evaluation plan_evaluation(const Assembled& assembled, Strings methods,
                           const std::string& mechanism, double fraction, Index views_missing,
                           Index repeats, bool quality, std::uint64_t seed,
                           const std::optional<Strings>& labels) {
  Evaluation evaluation{&assembled, {}, std::nullopt, {}, {}, {}, std::nullopt, {}};
  evaluation.plan = {
      std::move(methods), mechanism_of(mechanism), fraction, views_missing, repeats, quality, seed};
  if (labels) {
    evaluation.labels = make_labels(*labels);
    check_classes(*evaluation.labels, assembled.problem.samples());
  }
  evaluation.cells = plan_cells(evaluation.plan, assembled.problem, evaluation.known_labels());
  evaluation.results.resize(evaluation.cells.size());
  hidden_copy(assembled.problem, evaluation.plan, 1);  // what cannot be hidden is told first
  return evaluation;
}

bool may_replace(const std::string& folder, bool force) {
  return force || io::is_result_of("evaluate", folder);
}

// Finished cells are kept, and those of an earlier run of this or of the tool are found. A folder
// that holds something else is refused now, not after the work.
void keep_in(Evaluation& evaluation, const std::string& folder, bool force) {
  const io::OutputFolder place(folder, may_replace(folder, force));
  evaluation.folder = folder;
  evaluation.replace = force;
  evaluation.store.emplace(place.target(), force, [](const std::string& text) {
    return io::parse_cell(text).has_value();
  });
  const std::string digest =
      io::problem_digest(evaluation.assembled->problem, evaluation.assembled->transforms);
  if (!force) io::check_same_data(folder, digest);
  for (const auto& cell : evaluation.cells)
    evaluation.keys.push_back(
        io::cell_key(cell, evaluation.plan, digest, evaluation.known_labels()));
  evaluation.store->start();
}

// The result folder of `mkc evaluate`; all cells must be finished.
void write(const Evaluation& evaluation, int threads, double seconds) {
  io::Evaluation written{evaluation.plan,
                         {},
                         static_cast<Index>(evaluation.cells.size()),
                         evaluation.labels ? "y" : ""};
  for (std::size_t c = 0; c < evaluation.cells.size(); ++c)
    written.cells.push_back({evaluation.cells[c], evaluation.results[c].value()});
  io::RunRecord record;
  record.command_line = "mkc.evaluate (Python)";
  record.threads = threads;
  record.seconds.emplace_back("run", seconds);
  io::OutputFolder folder(evaluation.folder, true);  // asked for, and refused, in keep_in
  if (!evaluation.replace) folder.keep_others(io::is_name_of_run);
  io::write_evaluation(folder, written, *evaluation.assembled, record);
  evaluation.store->move_into(folder);
  folder.commit();
  evaluation.store->clear();
}

// The peak of the resident memory of this process can be forgotten on Linux, and then be asked for.
bool forget_peak_memory() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

double peak_memory_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (double kib = 0; word == "VmHWM:" && status >> kib) return kib / 1024;
  return std::numeric_limits<double>::quiet_NaN();
}

nb::dict as_dict(const Evaluation& evaluation, const CellPlan& plan, const CellResult& result) {
  nb::dict cell;
  cell["method"] = plan.method;
  cell["repeat"] = plan.repeat;
  cell["spec"] = result.spec;
  cell["status"] = result.status;
  cell["failure"] = result.failure;
  cell["seconds"] = result.seconds;
  cell["peak_mib"] = result.peak_mib;
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

// `alone`: no other cell runs meanwhile, so that the peak of the process is that of the cell.
nb::dict run(Evaluation& evaluation, std::size_t number, int threads, bool alone,
             const nb::object& callback) {
  const CellPlan& cell = evaluation.cells.at(number);
  CellResult result;
  watched(callback, [&](const ProgressCallback& progress) {
    if (evaluation.store)
      if (const auto text = evaluation.store->find(evaluation.keys[number])) {
        result = io::parse_cell(*text)->result;
        return;
      }
    RunOptions options;
    options.threads = threads;
    options.transforms = evaluation.assembled->transforms;
    options.progress = progress;
    const bool measured = alone && forget_peak_memory();
    result =
        run_cell(evaluation.assembled->problem, cell, evaluation.plan, evaluation.known_labels(),
                 options, measured ? peak_memory_mib : std::function<double()>());
    if (evaluation.store && !result.interrupted)
      evaluation.store->keep(evaluation.keys[number], io::cell_json({cell, result}));
  });
  nb::dict described = as_dict(evaluation, cell, result);
  if (!result.interrupted) evaluation.results[number] = std::move(result);
  return described;
}

// Which pairs are hidden on top of those that are missing. (N, M)
Flags hidden_pairs(const Assembled& assembled, const std::string& mechanism, double fraction,
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
      .def("keep_in", &keep_in, "folder"_a, "force"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("run", &run, "number"_a, "threads"_a, "alone"_a, "callback"_a.none())
      .def("write", &write, "threads"_a, "seconds"_a, nb::call_guard<nb::gil_scoped_release>());
  module.def("plan_evaluation", &plan_evaluation, "assembled"_a, "methods"_a, "mechanism"_a,
             "fraction"_a, "views_missing"_a, "repeats"_a, "quality"_a, "seed"_a, "labels"_a.none(),
             nb::keep_alive<0, 1>());
  module.def("hidden_pairs", &hidden_pairs, "assembled"_a, "mechanism"_a, "fraction"_a,
             "views_missing"_a, "seed"_a);
}

}  // namespace mkc::python
