// New samples: kernels of their features, and the views they lack.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "mkc/problem/view_recipe.hpp"
#include "module.hpp"
#include "prediction.hpp"
#include "watch.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;

// Features without NaN, and the columns that are left.
std::pair<Array, Indices> resolve(const Table& X, const std::string& policy, const Strings& names) {
  const auto chosen =
      static_cast<NaPolicy>(detail::to_choice("na_features", policy, {"error", "mean", "drop"}));
  ResolvedFeatures resolved = resolve_missing_cells(Matrix(mapped(X)), chosen, {}, names);
  return {to_numpy(std::move(resolved.features)), std::move(resolved.kept_columns)};
}

std::pair<Array, Numbers> of_new(const TrainedKernel& kernel, const Table& X,
                                 const Strings& names) {
  KernelOfNew found = watched_result([&kernel, features = Matrix(mapped(X)),
                                      names] { return kernel_of_new(kernel, features, names); },
                                     {owner_of(kernel)});
  return {to_numpy(std::move(found.rows)), to_numpy(found.diagonal)};
}

// A trained kernel as plain values, for pickling: options, transform (kind, library, learnt), mean
// and deviation of the columns, directions, points, categories, words.
template <class Matrices, class Vectors>
using KernelState =
    std::tuple<OptionValues, std::tuple<std::string, double, Matrices>,
               std::optional<std::pair<Vectors, Vectors>>, Matrices, Matrices, Indices, Matrices>;

KernelState<Array, Numbers> state_of(const TrainedKernel& kernel) {
  std::optional<std::pair<Numbers, Numbers>> scaling;
  if (kernel.scaling)
    scaling.emplace(to_numpy(kernel.scaling->mean), to_numpy(kernel.scaling->deviation));
  const FeatureTransform& transform = kernel.transform;
  return {kernel_option_table().values(kernel.options),
          {transform_name(transform.kind), transform.library, to_numpy(transform.learnt)},
          std::move(scaling),
          to_numpy(kernel.directions),
          to_numpy(kernel.points),
          kernel.categories,
          to_numpy(kernel.words)};
}

void restore(TrainedKernel& kernel, const KernelState<Table, NumbersIn>& state) {
  const auto& [options, transform, scaling, directions, points, categories, words] = state;
  const auto& [kind, library, learnt] = transform;
  new (&kernel) TrainedKernel{
      kernel_option_table().parse(options),
      {static_cast<Transform>(detail::to_choice("transform", kind, transform_names())), library,
       Matrix(mapped(learnt))},
      std::nullopt,
      Matrix(mapped(directions)),
      Matrix(mapped(points)),
      categories,
      Matrix(mapped(words))};
  if (scaling)
    kernel.scaling = ColumnScaling{vector_of(scaling->first), vector_of(scaling->second)};
}

// How new samples of a view become kernel rows, as plain values: kind, samples_in, columns, kept
// columns, names, fill, kernel, and per column of words its place and words.
template <class Values>
using RecipeState =
    std::tuple<int, int, Index, Indices, Strings, Values, std::optional<TrainedKernel>,
               std::vector<std::pair<Index, Strings>>>;

RecipeState<Numbers> recipe_state(const ViewRecipe& recipe) {
  std::vector<std::pair<Index, Strings>> categories;
  for (const auto& [column, words] : recipe.categories) categories.emplace_back(column, words);
  return {static_cast<int>(recipe.kind),
          static_cast<int>(recipe.samples_in),
          recipe.columns,
          recipe.kept_columns,
          recipe.feature_names,
          to_numpy(recipe.fill),
          recipe.kernel,
          std::move(categories)};
}

void restore_recipe(ViewRecipe& recipe, const RecipeState<NumbersIn>& state) {
  const auto& [kind, samples_in, columns, kept, names, fill, kernel, categories] = state;
  new (&recipe) ViewRecipe{static_cast<ViewKind>(kind),
                           static_cast<SamplesIn>(samples_in),
                           columns,
                           kept,
                           names,
                           vector_of(fill),
                           kernel,
                           {}};
  for (const auto& [column, words] : categories) recipe.categories.push_back({column, words});
}

std::optional<Numbers> fill_of(const ViewRecipe& recipe) {
  if (recipe.fill.size() == 0) return std::nullopt;
  return to_numpy(recipe.fill);
}

using TrainedInput = std::tuple<std::string, Indices, Table>;  // name, observed samples, kernel
using NewInput = std::tuple<Indices, Table, NumbersIn>;        // which, rows, diagonal

nb::dict predict_new(const Strings& samples, const std::vector<TrainedInput>& trained,
                     const Strings& new_samples, const std::vector<NewInput>& views, int threads) {
  const auto model = std::make_shared<TrainedModel>(TrainedModel{samples, {}});
  for (const auto& [name, rows, kernel] : trained)
    model->views.push_back({name, rows, Matrix(mapped(kernel))});
  std::vector<NewView> given;
  for (const auto& [which, rows, diagonal] : views)
    given.push_back({which, Matrix(mapped(rows)), vector_of(diagonal)});
  return predicted(model, new_samples, std::move(given), threads);
}

}  // namespace

nb::dict predicted(const std::shared_ptr<const TrainedModel>& model, const Strings& new_samples,
                   std::vector<NewView> views, int threads, std::vector<nb::object> used) {
  PredictOptions options;
  options.threads = threads;
  Prediction found =
      watched_result([model, new_samples, views = std::move(views),
                      options] { return predict(*model, new_samples, views, options); },
                     std::move(used));
  nb::dict result;
  std::vector<Array> rows;
  for (auto& values : found.rows) rows.push_back(to_numpy(std::move(values)));
  result["rows"] = rows;
  result["observed"] = to_numpy(found.observed);
  result["diagonals"] = to_numpy(std::move(found.diagonals));
  result["error"] = to_numpy(std::move(found.quality.error));
  result["low"] = to_numpy(std::move(found.quality.low));
  result["high"] = to_numpy(std::move(found.quality.high));
  result["notices"] = found.notices;
  return result;
}

void bind_predict(nb::module_& module) {
  nb::class_<TrainedKernel>(module, "TrainedKernel")
      .def("__getstate__", &state_of)
      .def("__setstate__", &restore);
  nb::class_<ViewRecipe>(module, "ViewRecipe")
      .def_prop_ro("kernel", [](const ViewRecipe& recipe) { return recipe.kernel.value(); })
      .def_ro("columns", &ViewRecipe::kept_columns)
      .def_prop_ro("fill", &fill_of, nb::rv_policy::automatic)  // the array owns its memory
      .def("__getstate__", &recipe_state)
      .def("__setstate__", &restore_recipe);
  module.def("resolve_missing_cells", &resolve, "features"_a, "policy"_a, "names"_a);
  module.def("kernel_of_new", &of_new, "kernel"_a, "features"_a, "names"_a);
  module.def("predict", &predict_new, "samples"_a, "trained"_a, "new_samples"_a, "views"_a,
             "threads"_a);
}

}  // namespace mkc::python
