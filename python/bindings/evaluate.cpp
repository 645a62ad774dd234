// Hiding observed rows, and the trials of an evaluation.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <fstream>
#include <limits>

#include "arrays.hpp"
#include "labels.hpp"
#include "mkc/base/options.hpp"
#include "mkc/evaluate/evaluation.hpp"
#include "mkc/evaluate/trial_store.hpp"
#include "module.hpp"
#include "watch.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;

// An evaluation that Python runs trial by trial.
struct EvaluationRun {
  const Assembled* assembled;
  EvaluatePlan plan;
  std::optional<TypedLabels> labels;
  std::vector<TrialPlan> trials;
  std::vector<std::optional<TrialResult>> results;  // of the finished trials
  // with a folder: finished trials of this run and of earlier ones
  std::string folder;
  std::optional<io::TrialStore> store;
  Strings keys;
  std::shared_ptr<std::atomic<bool>> cancelled = std::make_shared<std::atomic<bool>>(false);

  const Target* known_labels() const { return labels ? &labels->target : nullptr; }
};

EvaluationRun plan_evaluation(const Assembled& assembled, Strings methods,
                              const std::string& mechanism, double fraction, Index views_missing,
                              Index repeats, bool quality, std::uint64_t seed,
                              const std::optional<LabelArguments>& labels,
                              const std::string& weights) {
  EvaluationRun evaluation{&assembled, {}, std::nullopt, {}, {}, {}, std::nullopt, {}};
  evaluation.plan = {
      std::move(methods),
      mechanism_of("mechanism", mechanism),
      fraction,
      views_missing,
      repeats,
      quality,
      seed,
      static_cast<ViewWeighting>(detail::to_choice("weights", weights, view_weighting_names))};
  if (labels) {
    evaluation.labels = typed_labels(*labels, assembled.problem.samples());
    check_target(evaluation.labels->target, assembled.problem.samples());
  }
  evaluation.trials = plan_trials(evaluation.plan, assembled.problem, evaluation.known_labels());
  evaluation.results.resize(evaluation.trials.size());
  hidden_copy(assembled.problem, evaluation.plan, 1);  // throws now if the rows cannot be hidden
  return evaluation;
}

// Finished trials are kept in the folder; those of earlier runs, also of the tool, are found there.
// A folder that holds something else is refused now, not after the work.
void keep_in(EvaluationRun& evaluation, const std::string& folder, bool force) {
  const io::OutputFolder place(folder, "evaluate", force || io::is_result_of("evaluate", folder));
  evaluation.folder = folder;
  evaluation.store.emplace(place.target(), force, [](const std::string& text) {
    return io::parse_trial(text).has_value();
  });
  const std::string digest =
      io::problem_digest(evaluation.assembled->problem, evaluation.assembled->transforms);
  if (!force) io::check_same_data(folder, digest);
  for (const auto& trial : evaluation.trials)
    evaluation.keys.push_back(
        io::trial_key(trial, evaluation.plan, digest, evaluation.known_labels()));
  evaluation.store->start();
}

// The result folder of `mkc evaluate`; all trials must be finished. Returns what the user should
// know about files that were in the folder before.
Strings write(const EvaluationRun& evaluation, int threads, double seconds) {
  io::Evaluation written{evaluation.plan,
                         {},
                         static_cast<Index>(evaluation.trials.size()),
                         evaluation.labels ? "y" : ""};
  if (evaluation.labels) {
    written.label_type = type_of(evaluation.labels->target);
    written.label_evidence = evaluation.labels->evidence;
  }
  for (std::size_t t = 0; t < evaluation.trials.size(); ++t)
    written.trials.push_back({evaluation.trials[t], evaluation.results[t].value()});
  io::RunRecord record;
  record.command_line = "mkc.evaluate (Python)";
  record.threads = threads;
  record.seconds.emplace_back("run", seconds);
  io::OutputFolder folder(evaluation.folder, "evaluate", true);  // checked in keep_in
  io::write_evaluation(folder, written, *evaluation.assembled, record);
  evaluation.store->move_into(folder);
  folder.commit();
  evaluation.store->clear(folder);
  return folder.notices();
}

// Linux can reset the peak of the resident memory of this process.
bool reset_peak_memory() {
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

template <class Scores, class Fields>
void add_scores(const Scores& scores, const Fields& fields, nb::dict& entry) {
  for (const auto& [name, field] : fields) entry[name] = scores.*field;
}

nb::dict as_dict(const EvaluationRun& evaluation, const TrialPlan& plan,
                 const TrialResult& result) {
  nb::dict trial;
  trial["method"] = plan.method;
  trial["repeat"] = plan.repeat;
  trial["spec"] = result.spec;
  trial["status"] = result.status;
  trial["failure"] = result.failure;
  trial["seconds"] = result.seconds;
  trial["peak_mib"] = result.peak_mib;
  trial["interrupted"] = result.interrupted;
  nb::list views, labels;
  for (std::size_t m = 0; m < result.views.size(); ++m) {
    nb::dict entry;
    entry["view"] = evaluation.assembled->problem.views()[m].name;
    entry["hidden_rows"] = result.views[m].hidden_rows;
    add_scores(result.views[m], view_score_fields, entry);
    views.append(entry);
  }
  for (const auto& [repeat, scores] : result.labels) {
    nb::dict entry;
    entry["repeat"] = repeat;
    entry["on"] = scores.on;
    entry["samples"] = scores.samples;
    for (const auto& score : label_score_fields)
      if (score.type == type_of(*evaluation.known_labels()))
        entry[score.name] = scores.*score.field;
    entry["standard_error"] = scores.standard_error;
    labels.append(entry);
  }
  trial["views"] = views;
  trial["labels"] = labels;
  return trial;
}

// `alone`: no other trial runs at the same time, so the peak of the process is that of the trial.
nb::dict run(EvaluationRun& evaluation, std::size_t number, int threads, bool alone,
             const nb::object& callback) {
  const TrialPlan& trial = evaluation.trials.at(number);
  const auto result = std::make_shared<TrialResult>();
  const auto work = [result, &evaluation, &trial, number, threads,
                     alone](const ProgressCallback& progress) {
    if (evaluation.store)
      if (const auto text = evaluation.store->find(evaluation.keys[number])) {
        *result = io::parse_trial(*text)->result;
        return;
      }
    RunOptions options;
    options.threads = threads;
    options.transforms = evaluation.assembled->transforms;
    options.progress = progress;
    const bool measured = alone && reset_peak_memory();
    *result =
        run_trial(evaluation.assembled->problem, trial, evaluation.plan, evaluation.known_labels(),
                  options, measured ? peak_memory_mib : std::function<double()>());
    if (evaluation.store && !result->interrupted)
      evaluation.store->keep(evaluation.keys[number], io::trial_json({trial, *result}));
  };
  watched(callback, {work, {owner_of(evaluation)}, evaluation.cancelled});
  nb::dict described = as_dict(evaluation, trial, *result);
  if (!result->interrupted) evaluation.results[number] = std::move(*result);
  return described;
}

// Which pairs are hidden in addition to the missing ones. (N, M)
Flags hidden_pairs(const Assembled& assembled, const std::string& mechanism, double fraction,
                   Index views_missing, std::uint64_t seed) {
  const Problem& problem = assembled.problem;
  const HeldOut copy = mechanism_of("mechanism", mechanism) == Mechanism::pattern
                           ? hide_rows(problem, fraction, seed)
                           : hide_at_random(problem, fraction, views_missing, seed);
  Mask hidden = Mask::Constant(problem.n_samples(), problem.n_views(), false);
  for (std::size_t m = 0; m < copy.hidden.size(); ++m)
    for (const Index i : copy.hidden[m]) hidden(i, static_cast<Index>(m)) = true;
  return to_numpy(hidden);
}

}  // namespace

void bind_evaluate(nb::module_& module) {
  nb::class_<EvaluationRun>(module, "Evaluation")
      .def_prop_ro("label_evidence",
                   [](const EvaluationRun& e) { return e.labels ? e.labels->evidence : ""; })
      .def_prop_ro("n_trials", [](const EvaluationRun& e) { return e.trials.size(); })
      .def("keep_in", &keep_in, "folder"_a, "force"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("run", &run, "number"_a, "threads"_a, "alone"_a, "callback"_a.none())
      .def("cancel", [](EvaluationRun& e) { *e.cancelled = true; })  // running trials end at once
      .def("write", &write, "threads"_a, "seconds"_a, nb::call_guard<nb::gil_scoped_release>());
  module.def("plan_evaluation", &plan_evaluation, "assembled"_a, "methods"_a, "mechanism"_a,
             "fraction"_a, "views_missing"_a, "repeats"_a, "quality"_a, "seed"_a, "labels"_a.none(),
             "weights"_a, nb::keep_alive<0, 1>());
  module.def("hidden_pairs", &hidden_pairs, "assembled"_a, "mechanism"_a, "fraction"_a,
             "views_missing"_a, "seed"_a);
}

}  // namespace mkc::python
