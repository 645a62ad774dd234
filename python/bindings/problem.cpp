// Views in memory -> Assembled: aligned by sample name, features turned into kernels, checked.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "mkc/files/read_options.hpp"
#include "mkc/problem/assemble.hpp"
#include "module.hpp"
#include "views.hpp"
#include "watch.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;

// The views move into the result: they are not kept twice.
Assembled assemble(Views& views, const std::string& psd, double tolerance,
                   const std::string& normalize, bool center, const std::string& na_features,
                   const std::optional<Strings>& samples, bool intersection, bool keep_recipes) {
  AssembleOptions options;
  // "unchecked" is for the package itself, where kernels are only made or shown
  options.checks.psd =
      psd == "unchecked"
          ? PsdPolicy::unchecked
          : static_cast<PsdPolicy>(detail::to_choice("psd", psd, psd_policy_names()));
  options.keep_recipes = keep_recipes;
  options.checks.psd_tolerance = tolerance;
  options.checks.symmetry_tolerance = std::max(tolerance, options.checks.symmetry_tolerance);
  options.transform = kernel_transform_option_table().parse(
      {{"normalize", normalize}, {"center", center ? "yes" : "no"}});
  options.na_features = io::read_option_table().parse({{"na_features", na_features}}).na_features;
  if (intersection) options.samples.kind = SampleChoice::Kind::in_every_view;
  if (samples) options.samples = {SampleChoice::Kind::listed, *samples, "samples"};
  const auto given = std::make_shared<std::vector<View>>(std::move(views.list));
  return watched_result([given, options] { return assemble(std::move(*given), options); },
                        {owner_of(views)});
}

// Name, source and samples of every view, for views whose kernels are not needed yet.
using Named = std::tuple<std::string, std::string, Strings>;

Strings check_features_share_samples(const std::vector<Named>& named) {
  std::vector<View> views;
  for (const auto& [name, source, ids] : named) {
    View& view = views.emplace_back();
    view.name = name;
    view.source = source;
    view.ids = view.all_ids = ids;
  }
  return check_shared_samples(views, align_samples(views, {}));
}

Strings view_names(const Assembled& assembled) {
  Strings names;
  for (const auto& view : assembled.problem.views()) names.push_back(view.name);
  return names;
}

std::vector<nb::dict> summaries(const Assembled& assembled) {
  std::vector<nb::dict> list;
  for (const auto& view : assembled.views) {
    nb::dict entry;
    entry["name"] = view.name;
    entry["kind"] = view_kind_name(view.kind);
    entry["features"] = view.n_features;
    entry["kernel"] = view.kernel;
    entry["options"] = view.kernel_options;
    entry["type"] = view.feature_type;
    entry["evidence"] = view.feature_evidence;
    entry["width"] = view.width_evidence;
    list.push_back(entry);
  }
  return list;
}

// The observed block of a view, as NumPy sees the library's own memory; it is symmetric.
using Block = nb::ndarray<nb::numpy, const double, nb::ndim<2>>;
Block block(nb::handle_t<Assembled> self, Index m) {
  const auto& problem = nb::cast<const Assembled&>(self).problem;
  if (m < 0 || m >= problem.n_views()) throw nb::index_error("there is no such view");
  const SharedMatrix& K = problem.view(m).block;
  const auto n = static_cast<std::size_t>(K.rows());
  return Block(K.data(), {n, n}, self);
}

}  // namespace

void bind_problem(nb::module_& module) {
  const auto owned = nb::rv_policy::automatic;  // the array keeps its memory alive itself
  nb::class_<Views>(module, "Views")
      .def(nb::init<>())
      .def("add", &Views::add, "name"_a, "source"_a, "ids"_a, "features"_a, "table"_a,
           "is_kernel"_a, "observed"_a.none(), "options"_a,
           "categories"_a = std::vector<std::pair<Index, Strings>>{}, "common"_a = OptionValues(),
           nb::call_guard<nb::gil_scoped_release>());
  nb::class_<Assembled>(module, "Assembled")
      .def_prop_ro("samples", [](const Assembled& a) { return a.problem.samples(); })
      .def_prop_ro("views", &view_names)
      .def_prop_ro(
          "observed", [](const Assembled& a) { return to_numpy(a.problem.observed()); }, owned)
      .def_prop_ro("summaries", &summaries)
      .def_ro("notices", &Assembled::notices)
      .def("rows", [](const Assembled& a, Index m) { return a.problem.view(m).rows; })
      .def("block", &block)
      .def("recipe", [](const Assembled& a, std::size_t m) { return a.recipes.at(m); });
  module.def("check_shared_samples", &check_features_share_samples, "views"_a);
  module.def("assemble", &assemble, "views"_a, "psd"_a, "tolerance"_a, "normalize"_a, "center"_a,
             "na_features"_a, "samples"_a.none(), "intersection"_a, "keep_recipes"_a = false);
}

}  // namespace mkc::python
