// Completion in factor form: views in memory -> features of all samples.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "mkc/factor/completed_factors.hpp"
#include "mkc/files/factor_model.hpp"
#include "mkc/files/pending_file.hpp"
#include "mkc/files/read_options.hpp"
#include "mkc/files/view_source.hpp"
#include "module.hpp"
#include "new_tables.hpp"
#include "quality.hpp"
#include "views.hpp"
#include "watch.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;
using factor::CompletedFactors;

using Fitted = std::pair<CompletedFactors, io::FactorModel>;

// The views move into the work: they are not kept twice.
Fitted run(Views& views, const OptionValues& options, const std::string& na_features,
           const std::optional<Strings>& samples, bool intersection, std::uint64_t seed,
           int threads, const nb::object& callback) {
  AssembleOptions aligned;
  aligned.na_features = io::read_option_table().parse({{"na_features", na_features}}).na_features;
  if (intersection) aligned.samples.kind = SampleChoice::Kind::in_every_view;
  if (samples) aligned.samples = {SampleChoice::Kind::listed, *samples, "samples"};
  const auto given = std::make_shared<std::vector<View>>(std::move(views.list));
  const auto fitted = std::make_shared<std::optional<Fitted>>();
  RunOptions run;
  run.seed = seed;
  run.threads = threads;
  const factor::FactorOptions chosen = factor::factor_options().parse(options);
  const auto work = [given, fitted, aligned, chosen,
                     run](const ProgressCallback& progress) mutable {
    run.progress = progress;
    const Alignment alignment = align_samples(*given, aligned);
    const Strings shared = check_shared_samples(*given, alignment);
    io::SavedModel about;
    for (const auto& view : *given) about.model.views.push_back({view.name, {}, {}});
    const auto made = io::view_source(std::move(*given), alignment, aligned.na_features);
    about.recipes = made.recipes;
    const factor::Plan plan = factor::make_plan(*made.source, chosen, run);
    const factor::Model model = factor::fit(plan, *made.source, run);
    CompletedFactors completed = factor::complete(plan, model, *made.source, run);
    completed.notices.insert(completed.notices.begin(), shared.begin(), shared.end());
    fitted->emplace(std::move(completed), io::FactorModel{std::move(about), plan, model});
  };
  watched(callback, {work, {owner_of(views)}, {}});
  return std::move(**fitted);
}

void write(const io::FactorModel& model, const std::string& path, bool force) {
  io::PendingFile file(path, force);
  io::write_factor_model(file.path(), model);
  file.commit();
}

// The features leave the result: they are handed over, not copied. One row per sample.
std::vector<Array> take_features(CompletedFactors& completed) {
  std::vector<Array> list;
  for (auto& F : completed.rows.features) list.push_back(to_numpy(std::move(F)));
  completed.rows.features.clear();
  return list;
}

std::vector<nb::dict> summaries(const CompletedFactors& completed) {
  std::vector<nb::dict> list;
  for (const auto& view : completed.views) {
    nb::dict entry;
    entry["name"] = view.name;
    entry["kernel"] = view.kernel;
    entry["observed"] = view.observed;
    entry["rank"] = view.rank;
    entry["landmarks"] = view.landmarks;
    entry["trace_error"] = view.trace_error;
    list.push_back(entry);
  }
  return list;
}

std::optional<nb::dict> quality_of(const CompletedFactors& completed) {
  if (!completed.quality) return std::nullopt;
  nb::dict entry = figures_of(completed.quality->quality);
  entry["error"] = to_numpy(completed.rows.error);
  entry["low"] = to_numpy(completed.rows.low);
  entry["high"] = to_numpy(completed.rows.high);
  return entry;
}

std::vector<nb::dict> experts(const CompletedFactors& completed) {
  std::vector<nb::dict> list;
  if (!completed.quality) return list;
  for (const auto& expert : completed.quality->experts) {
    nb::dict entry;
    entry["method"] = expert.name;
    entry["held_out_errors"] = to_numpy(expert.held_out_errors);
    entry["weights"] = to_numpy(expert.weights);
    list.push_back(entry);
  }
  return list;
}

}  // namespace

void bind_factor(nb::module_& module) {
  nb::class_<io::FactorModel>(module, "FactorModel")
      .def_prop_ro("views",
                   [](const io::FactorModel& model) {
                     Strings names;
                     for (const auto& view : model.views.model.views) names.push_back(view.name);
                     return names;
                   })
      .def_prop_ro("about", [](const io::FactorModel& model) { return model.views.about; })
      .def("write", &write, "path"_a, "force"_a)
      .def(
          "complete",
          [](const io::FactorModel& model, const std::vector<NewTable>& tables) {
            return io::complete_new_samples(model, new_tables(tables));
          },
          "tables"_a);
  module.def("is_factor_model", &io::is_factor_model, "path"_a);
  module.def("read_factor_model", &io::read_factor_model, "path"_a);
  const auto owned = nb::rv_policy::automatic;  // the array keeps its memory alive itself
  nb::class_<CompletedFactors>(module, "CompletedFactors")
      .def("take_features", &take_features)
      .def_ro("samples", &CompletedFactors::samples)
      .def_prop_ro("summaries", &summaries)
      .def_prop_ro(
          "observed", [](const CompletedFactors& c) { return to_numpy(c.rows.observed); }, owned)
      .def_prop_ro(
          "extra", [](const CompletedFactors& c) { return to_numpy(c.rows.extra); }, owned)
      .def_prop_ro(
          "variance", [](const CompletedFactors& c) { return to_numpy(c.rows.variance); }, owned)
      .def_prop_ro("quality", &quality_of)
      .def_prop_ro("experts", &experts)
      .def_prop_ro(
          "parameters",
          [](const CompletedFactors& c) { return factor::factor_options().values(c.options); })
      .def_ro("warnings", &CompletedFactors::warnings)
      .def_ro("notices", &CompletedFactors::notices);
  module.def("complete_factors", &run, "views"_a, "options"_a, "na_features"_a, "samples"_a.none(),
             "intersection"_a, "seed"_a, "threads"_a, "callback"_a.none());
}

}  // namespace mkc::python
