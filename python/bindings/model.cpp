// Model files: what `mkc complete --save-model` writes and `mkc predict` reads.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "mkc/files/model_file.hpp"
#include "mkc/files/pending_file.hpp"
#include "module.hpp"
#include "new_tables.hpp"
#include "prediction.hpp"
#include "watch.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;

void add_view(io::SavedModel& saved, const std::string& name, Indices rows, const Table& kernel) {
  saved.model.views.push_back({name, std::move(rows), Matrix(mapped(kernel))});
  saved.recipes.emplace_back();
}

// The last view was made from features: how new samples get their kernel rows. `names`: of the
// used features; none where they are matched by position.
void of_features(io::SavedModel& saved, const ViewRecipe& recipe, Strings names) {
  saved.recipes.back() = recipe;
  saved.recipes.back().feature_names = std::move(names);
}

void write(const io::SavedModel& saved, const std::string& path, bool force) {
  io::PendingFile file(path, force);
  io::write_model(file.path(), saved);
  file.commit();
}

std::vector<std::tuple<std::string, Indices, Array>> views(const io::SavedModel& saved) {
  std::vector<std::tuple<std::string, Indices, Array>> list;
  for (const auto& view : saved.model.views)
    list.emplace_back(view.name, view.rows, symmetric_to_numpy(view.kernel));
  return list;
}

Strings kinds(const io::SavedModel& saved) {
  Strings list;
  for (const auto& recipe : saved.recipes) list.push_back(view_kind_name(recipe.kind));
  return list;
}

// A model as plain values, for pickling: samples, about, and per view its name, rows, kernel and
// the recipe of new samples.
template <class Kernel>
using ModelState = std::tuple<Strings, std::string,
                              std::vector<std::tuple<std::string, Indices, Kernel, ViewRecipe>>>;

ModelState<Array> state_of(const io::SavedModel& saved) {
  ModelState<Array> state{saved.model.samples, saved.about, {}};
  for (std::size_t m = 0; m < saved.model.views.size(); ++m) {
    const TrainedView& view = saved.model.views[m];
    std::get<2>(state).emplace_back(view.name, view.rows, symmetric_to_numpy(view.kernel),
                                    saved.recipes[m]);
  }
  return state;
}

void restore(io::SavedModel& saved, const ModelState<Table>& state) {
  const auto& [samples, about, views] = state;
  new (&saved) io::SavedModel{{samples, {}}, {}, about};
  for (const auto& [name, rows, kernel, recipe] : views) {
    add_view(saved, name, rows, kernel);
    saved.recipes.back() = recipe;
  }
}

nb::dict predict_from(const io::SavedModel& saved, const std::vector<NewTable>& tables,
                      int threads) {
  const std::vector<io::NewTable> given = new_tables(tables);
  io::NewSamples matched = io::match_new_samples(saved, given);
  const std::shared_ptr<const TrainedModel> model(&saved.model, [](const TrainedModel*) {});
  return predicted(model, matched.samples, std::move(matched.views), threads, {owner_of(saved)});
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<io::SavedModel>(module, "SavedModel")
      .def(
          "__init__",
          [](io::SavedModel* self, Strings samples, std::string about) {
            new (self) io::SavedModel{{std::move(samples), {}}, {}, std::move(about)};
          },
          "samples"_a, "about"_a)
      .def("add_view", &add_view, "name"_a, "rows"_a, "kernel"_a)
      .def("of_features", &of_features, "recipe"_a, "names"_a)
      .def("write", &write, "path"_a, "force"_a)
      .def_prop_ro("samples", [](const io::SavedModel& saved) { return saved.model.samples; })
      .def_ro("about", &io::SavedModel::about)
      .def_prop_ro("kinds", &kinds)
      .def("views", &views)
      .def("__getstate__", &state_of)
      .def("__setstate__", &restore)
      .def("predict", &predict_from, "tables"_a, "threads"_a);
  module.def("read_model", &io::read_model, "path"_a);
}

}  // namespace mkc::python
