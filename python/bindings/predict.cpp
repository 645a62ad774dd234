// New samples: kernels of their features, and the views they lack.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "mkc/kernels/trained_kernel.hpp"
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

std::pair<Array, TrainedKernel> train(const Table& X, const OptionValues& options,
                                      const Strings& names) {
  const KernelOptions chosen = kernel_option_table().parse(options);
  auto [computed, trained] = watched_result([features = Matrix(mapped(X)), chosen, names] {
    ComputedKernel kernel = compute_kernel(features, chosen, names);
    TrainedKernel of_new = train_kernel(features, chosen, kernel.gamma);
    return std::pair(std::move(kernel), std::move(of_new));
  });
  return {symmetric_to_numpy(std::move(computed.kernel)), std::move(trained)};
}

std::pair<Array, Numbers> of_new(const TrainedKernel& kernel, const Table& X,
                                 const Strings& names) {
  KernelOfNew found = watched_result([&kernel, features = Matrix(mapped(X)),
                                      names] { return kernel_of_new(kernel, features, names); },
                                     {owner_of(kernel)});
  return {to_numpy(std::move(found.rows)), to_numpy(found.diagonal)};
}

// A trained kernel as plain values, for pickling.
using KernelState =
    std::tuple<OptionValues, std::optional<std::pair<Numbers, Numbers>>, Array, Array>;

KernelState state_of(const TrainedKernel& kernel) {
  std::optional<std::pair<Numbers, Numbers>> scaling;
  if (kernel.scaling)
    scaling.emplace(to_numpy(kernel.scaling->mean), to_numpy(kernel.scaling->deviation));
  return {kernel_option_table().values(kernel.options), std::move(scaling),
          to_numpy(kernel.directions), to_numpy(kernel.points)};
}

using KernelStateIn =
    std::tuple<OptionValues, std::optional<std::pair<NumbersIn, NumbersIn>>, Table, Table>;

void restore(TrainedKernel& kernel, const KernelStateIn& state) {
  const auto& [options, scaling, directions, points] = state;
  new (&kernel) TrainedKernel{kernel_option_table().parse(options), std::nullopt,
                              Matrix(mapped(directions)), Matrix(mapped(points))};
  if (scaling)
    kernel.scaling = ColumnScaling{vector_of(scaling->first), vector_of(scaling->second)};
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
  module.def("resolve_missing_cells", &resolve, "features"_a, "policy"_a, "names"_a);
  module.def("train_kernel", &train, "features"_a, "options"_a, "names"_a);
  module.def("kernel_of_new", &of_new, "kernel"_a, "features"_a, "names"_a);
  module.def("predict", &predict_new, "samples"_a, "trained"_a, "new_samples"_a, "views"_a,
             "threads"_a);
}

}  // namespace mkc::python
