#include "model.hpp"

#include "values.hpp"

namespace mkc::r {

namespace {

cpp11::sexp kernel_state(const TrainedKernel& kernel) {
  const FeatureTransform& transform = kernel.transform;
  List list;
  list.add("options", kernel_option_table().values(kernel.options))
      .add("transform", transform_name(transform.kind))
      .add("library", transform.library)
      .add("learnt", transform.learnt)
      .add("directions", kernel.directions)
      .add("points", kernel.points)
      .add("categories", kernel.categories)
      .add("words", kernel.words)
      .add("mean", kernel.scaling ? kernel.scaling->mean : Vector())
      .add("deviation", kernel.scaling ? kernel.scaling->deviation : Vector());
  return static_cast<SEXP>(list);
}

TrainedKernel kernel_from(const cpp11::list& state) {
  TrainedKernel kernel{kernel_option_table().parse(options_of(state["options"])),
                       {static_cast<Transform>(detail::to_choice(
                            "transform", text_of(state["transform"]), transform_names())),
                        cpp11::as_cpp<double>(state["library"]), matrix_of(state["learnt"])},
                       std::nullopt,
                       matrix_of(state["directions"]),
                       matrix_of(state["points"]),
                       indices_of(state["categories"]),
                       matrix_of(state["words"])};
  if (Rf_length(state["mean"]) > 0)
    kernel.scaling = ColumnScaling{vector_of(state["mean"]), vector_of(state["deviation"])};
  return kernel;
}

cpp11::sexp categories_state(const std::vector<CategoryColumn>& categories) {
  cpp11::writable::list list;
  for (const auto& category : categories) {
    List entry;
    entry.add("column", category.column).add("levels", category.levels);
    list.push_back(static_cast<SEXP>(entry));
  }
  return static_cast<SEXP>(list);
}

cpp11::sexp view_state(const ObservedKernel& view, const ViewRecipe& recipe) {
  List list;
  list.add("rows", view.rows)
      .add("kind", view_kind_name(recipe.kind))
      .add("samples_in", samples_in_name(recipe.samples_in))
      .add("columns", recipe.columns)
      .add("kept", recipe.kept_columns)
      .add("names", recipe.feature_names)
      .add("fill", recipe.fill)
      .add("categories", categories_state(recipe.categories))
      .add("kernel", recipe.kernel ? kernel_state(*recipe.kernel) : cpp11::sexp(R_NilValue));
  return static_cast<SEXP>(list);
}

ViewRecipe recipe_from(const cpp11::list& state) {
  ViewRecipe recipe;
  recipe.kind =
      static_cast<ViewKind>(detail::to_choice("kind", text_of(state["kind"]), view_kind_names()));
  recipe.samples_in = static_cast<SamplesIn>(
      detail::to_choice("samples_in", text_of(state["samples_in"]), samples_in_names()));
  recipe.columns = cpp11::as_cpp<int>(state["columns"]);
  recipe.kept_columns = indices_of(state["kept"]);
  recipe.feature_names = strings_of(state["names"]);
  recipe.fill = vector_of(state["fill"]);
  for (const SEXP item : list_of(state["categories"])) {
    const cpp11::list category(item);
    recipe.categories.push_back(
        {cpp11::as_cpp<int>(category["column"]), strings_of(category["levels"])});
  }
  if (!Rf_isNull(state["kernel"])) recipe.kernel = kernel_from(cpp11::list(state["kernel"]));
  return recipe;
}

}  // namespace

cpp11::sexp model_of(const Assembled& assembled) {
  if (assembled.recipes.empty()) return R_NilValue;
  cpp11::writable::list views;
  for (std::size_t m = 0; m < assembled.recipes.size(); ++m)
    views.push_back(static_cast<SEXP>(
        view_state(assembled.problem.view(static_cast<Index>(m)), assembled.recipes[m])));
  return static_cast<SEXP>(views);
}

io::SavedModel saved_model_of(const cpp11::list& result) {
  io::SavedModel saved;
  saved.model.samples = strings_of(result["samples"]);
  const Strings names = strings_of(result["views"]);
  const cpp11::list states(result["model"]), kernels(result["kernels"]);
  for (std::size_t m = 0; m < names.size(); ++m) {
    const auto place = static_cast<R_xlen_t>(m);
    const cpp11::list state(states[place]);
    saved.model.views.push_back({names[m], indices_of(state["rows"]), matrix_of(kernels[place])});
    saved.recipes.push_back(recipe_from(state));
  }
  return saved;
}

}  // namespace mkc::r
