#include "mkc/files/factor_model.hpp"

#include <fmt/format.h>

#include "base/names.hpp"
#include "factor/archive.hpp"
#include "files/arrays_file.hpp"
#include "files/joint_source.hpp"
#include "formats/npz.hpp"
#include "mkc/base/error.hpp"
#include "mkc/version.hpp"

namespace mkc::io {

namespace {

constexpr const char* kind = "views";

struct StoredView {
  std::string name;
  ViewRecipe recipe;
};

}  // namespace

}  // namespace mkc::io

namespace mkc::factor {

template <class Archive>
void fields(Archive& archive, CategoryColumn& category) {
  archive("column", category.column);
  archive("levels", category.levels);
}

template <class Archive>
void fields(Archive& archive, io::StoredView& view) {
  auto kind_of_view = static_cast<Index>(view.recipe.kind),
       side = static_cast<Index>(view.recipe.samples_in);
  archive("name", view.name);
  archive("kind", kind_of_view);
  archive("samples_in", side);
  view.recipe.kind = static_cast<ViewKind>(kind_of_view);
  view.recipe.samples_in = static_cast<SamplesIn>(side);
  archive("columns", view.recipe.columns);
  archive("kept_columns", view.recipe.kept_columns);
  archive("feature_names", view.recipe.feature_names);
  archive("categories", view.recipe.categories);
}

}  // namespace mkc::factor

namespace mkc::io {

namespace {

factor::Arrays to_arrays(const SavedModel& saved) {
  factor::Arrays arrays{kind, {}, {}};
  factor::Writer writer(arrays);
  std::vector<StoredView> views;
  for (std::size_t m = 0; m < saved.recipes.size(); ++m)
    views.push_back({saved.model.views[m].name, saved.recipes[m]});
  writer("mkc", std::string(version));
  writer("about", saved.about);
  writer("views", views);
  writer("id", factor::content_id(arrays));
  return arrays;
}

SavedModel from_arrays(const factor::Arrays& arrays) {
  factor::check_content(arrays, kind);
  factor::Reader reader(arrays);
  std::string made_by;
  reader("mkc", made_by);
  if (made_by != version)
    throw InputError(fmt::format("mkc {} made this model, this is {}", made_by, version),
                     "complete once more with --save-model");
  SavedModel saved;
  std::vector<StoredView> views;
  reader("about", saved.about);
  reader("views", views);
  for (auto& view : views) {
    saved.model.views.push_back({std::move(view.name), {}, {}});
    saved.recipes.push_back(std::move(view.recipe));
  }
  return saved;
}

const factor::Arrays& of_kind(const std::vector<factor::Arrays>& objects,
                              const std::string& wanted) {
  for (const auto& object : objects)
    if (object.kind == wanted) return object;
  throw InputError(fmt::format("it has no {}", wanted), "complete once more with --save-model");
}

/// The tables of new samples as views of the plan; a view that is not given has no rows.
JointTables tables_of(const FactorModel& model, const std::vector<NewTable>& given,
                      Strings& notices) {
  const auto& views = model.views.model.views;
  JointTables tables;
  tables.samples =
      union_of(given, [](const NewTable& table) -> const Strings& { return table.view.all_ids; });
  const Places place = places_of(tables.samples);
  Matrix index = Matrix::Constant(std::ssize(views), std::ssize(tables.samples), -1);
  for (std::size_t m = 0; m < views.size(); ++m) {
    const ViewRecipe& recipe = model.views.recipes[m];
    factor::SourceView described;
    described.name = views[m].name;
    described.columns = std::ssize(recipe.kept_columns);
    tables.views.push_back(std::move(described));
    Matrix values(0, std::ssize(recipe.kept_columns));
    for (const NewTable& table : given) {
      if (table.view.name != views[m].name) continue;
      if (table.kernel_rows || recipe.kind == ViewKind::kernel)
        throw InputError(
            fmt::format("{}: a model in factor form completes new samples from features only",
                        place_of(table.view)),
            "leave the view out; the others complete it");
      if (index.row(static_cast<Index>(m)).maxCoeff() >= 0)
        throw InputError(fmt::format("view '{}' is given twice", views[m].name));
      values = columns_as_in_training(recipe, table.view, notices);
      for (std::size_t i = 0; i < table.view.ids.size(); ++i)
        index(static_cast<Index>(m), place.at(table.view.ids[i])) = static_cast<double>(i);
    }
    tables.rows.push_back({std::make_shared<MatrixRows>(std::move(values)), recipe.kind, {}, {}});
  }
  for (std::size_t i = 0; i < tables.samples.size(); ++i)
    if (index.col(static_cast<Index>(i)).maxCoeff() < 0)
      throw InputError(
          fmt::format("new sample '{}' has none of the model's views", tables.samples[i]),
          "leave it out: a prediction needs at least one view");
  tables.index = std::make_shared<MatrixRows>(std::move(index));
  return tables;
}

}  // namespace

void write_factor_model(const std::string& path, const FactorModel& model) {
  write_arrays(path, {to_arrays(model.views), model.plan.arrays(), model.model.arrays()});
}

bool is_factor_model(const std::string& path) {
  try {
    return NpzReader(path).has("kinds");
  } catch (const InputError&) {
    return false;  // reading it as a dense model says what is wrong
  }
}

FactorModel read_factor_model(const std::string& path) {
  try {
    const std::vector<factor::Arrays> objects = read_arrays(path);
    SavedModel views = from_arrays(of_kind(objects, kind));
    const factor::Plan plan = factor::Plan::from(of_kind(objects, "plan"));
    factor::Model model = factor::Model::from(plan, of_kind(objects, "model"));
    if (!model.finished() || std::ssize(views.recipes) != plan.n_views())
      throw InputError("its parts do not belong together", "complete once more with --save-model");
    return {std::move(views), plan, std::move(model)};
  } catch (const InputError& error) {
    throw InputError(fmt::format("'{}': {}", path, error.what()), error.hint());
  }
}

factor::CompletedFactors complete_new_samples(const FactorModel& model,
                                              const std::vector<NewTable>& tables) {
  for (const auto& table : tables) view_position(model.views, table.view.name);
  factor::CompletedFactors completed;
  const JointSource source(tables_of(model, tables, completed.notices));
  completed.samples = source.tables().samples;
  completed.views = model.plan.views();
  completed.rows = factor::complete_rows(model.plan, model.model, source, 0, source.n_samples());
  if (model.model.quality() != nullptr) completed.quality = *model.model.quality();
  completed.options = model.plan.options();
  return completed;
}

}  // namespace mkc::io
