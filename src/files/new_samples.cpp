#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/model_file.hpp"

namespace mkc::io {

namespace {

constexpr const char* own_column = "self";  // k(x, x) in a table of kernel rows
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The columns called `wanted`; InputError that counts those that are not there.
Indices columns_called(const View& view, const Strings& wanted, const char* what) {
  const Places places = places_of(view.feature_names);
  Indices columns;
  std::string first;
  std::size_t absent = 0;
  for (const auto& name : wanted) {
    const auto found = places.find(name);
    if (found != places.end())
      columns.push_back(found->second);
    else if (absent++ == 0)
      first = name;
  }
  constexpr const char* by_name = "columns are matched by name with those of the model";
  if (absent > 0)
    throw InputError(fmt::format("{}: no column for {} '{}' ({} of {} are not there)",
                                 place_of(view), what, first, absent, wanted.size()),
                     view.samples_in == SamplesIn::rows
                         ? Hint{by_name, {"samples_in", "columns", "reads samples from columns"}}
                         : Hint{by_name});
  return columns;
}

struct Rows {
  Matrix rows;
  Vector diagonal;
};

Rows from_kernel_rows(const TrainedModel& model, const TrainedView& trained, const View& view) {
  const auto observed = static_cast<Index>(trained.rows.size());
  Rows result{{}, Vector::Constant(view.values.rows(), nan)};
  if (!view.feature_names.empty()) {
    const Strings wanted = picked(model.samples, trained.rows);
    result.rows = view.values(Eigen::all, columns_called(view, wanted, "training sample"));
    const Places places = places_of(view.feature_names);
    const auto own = places.find(own_column);
    if (own != places.end() && !places_of(model.samples).contains(own_column))
      result.diagonal = view.values.col(own->second);
  } else if (view.values.cols() == model.n_samples()) {
    result.rows = view.values(Eigen::all, trained.rows);
  } else if (view.values.cols() == observed) {
    result.rows = view.values;
  } else {
    throw InputError(
        fmt::format("{}: {} columns, but the model has {} training samples, {} of them with this "
                    "view",
                    place_of(view), view.values.cols(), model.n_samples(), observed),
        "kernel rows hold one value per training sample, in the order of the model");
  }
  return result;
}

/// Columns of the view, one per feature of the model.
Indices used_columns(const ViewRecipe& recipe, const View& view) {
  if (!recipe.feature_names.empty() && !view.feature_names.empty())
    return columns_called(view, recipe.feature_names, "feature");
  if (view.values.cols() == recipe.columns) return recipe.kept_columns;
  throw InputError(fmt::format("{}: {} features, but the model was trained on {}", place_of(view),
                               view.values.cols(), recipe.columns),
                   {{"kind", "kernel", "reads kernel rows against the training samples"}});
}

const CategoryColumn* category_at(const std::vector<CategoryColumn>& categories, Index column) {
  for (const auto& category : categories)
    if (category.column == column) return &category;
  return nullptr;
}

std::string feature_name(const ViewRecipe& recipe, std::size_t used) {
  return recipe.feature_names.empty() ? std::to_string(recipe.kept_columns[used])
                                      : recipe.feature_names[used];
}

/// The code that each word of a new view has in training; words that are not there come after.
Vector codes_in_training(const CategoryColumn& here, const CategoryColumn& training) {
  Vector codes(std::ssize(here.levels));
  const Places places = places_of(training.levels);
  Index next = std::ssize(training.levels);
  for (std::size_t k = 0; k < here.levels.size(); ++k) {
    const auto found = places.find(here.levels[k]);
    codes(static_cast<Index>(k)) =
        static_cast<double>(found == places.end() ? next++ : found->second);
  }
  return codes;
}

/// Turns a column of codes of the new view into codes of training; a notice on unknown words.
void translate(const View& view, const CategoryColumn& here, const CategoryColumn& training,
               const std::string& name, Eigen::Ref<Vector> column, Strings& notices) {
  const Vector codes = codes_in_training(here, training);
  const auto known = static_cast<double>(training.levels.size());
  Indices unknown_rows;
  std::string example;
  for (Index i = 0; i < column.size(); ++i) {
    if (std::isnan(column(i))) continue;
    const auto level = static_cast<Index>(column(i));
    column(i) = codes(level);
    if (column(i) < known) continue;
    if (unknown_rows.empty()) example = here.levels[at(level)];
    unknown_rows.push_back(i);
  }
  if (!unknown_rows.empty())
    notices.push_back(fmt::format(
        "{}: {} in column '{}' that no training sample has, such as '{}' of sample '{}'; {} "
        "differs from every training sample there",
        place_of(view),
        unknown_rows.size() == 1 ? "1 sample has a word"
                                 : fmt::format("{} samples have a word", unknown_rows.size()),
        shown(name), shown(example), shown(view.ids[at(unknown_rows[0])]),
        unknown_rows.size() == 1 ? "it" : "each"));
}

/// Words where training had words, numbers where it had numbers.
void translate_words(const ViewRecipe& recipe, const View& view, const Indices& columns, Matrix& X,
                     Strings& notices) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const CategoryColumn* here = category_at(view.categories, columns[j]);
    const CategoryColumn* training = category_at(recipe.categories, static_cast<Index>(j));
    if ((here == nullptr) != (training == nullptr))
      throw InputError(fmt::format("{}: column '{}' holds {}, but {} in training", place_of(view),
                                   shown(feature_name(recipe, j)), here ? "words" : "numbers",
                                   training ? "words" : "numbers"),
                       "give new samples the columns that the training samples have");
    if (here)
      translate(view, *here, *training, feature_name(recipe, j), X.col(static_cast<Index>(j)),
                notices);
  }
}

Matrix used_features(const ViewRecipe& recipe, const View& view, Strings& notices) {
  Matrix X = columns_as_in_training(recipe, view, notices);
  for (Index j = 0; j < X.cols(); ++j)
    for (Index i = 0; i < X.rows(); ++i) {
      if (!std::isnan(X(i, j))) continue;
      if (recipe.fill.size() == 0)
        throw InputError(
            fmt::format("{}: sample '{}' has no value in feature '{}'", place_of(view),
                        view.ids[at(i)], feature_name(recipe, at(j))),
            {{"na_features", "mean", "at training makes a model that fills such cells"}});
      X(i, j) = recipe.fill(j);
    }
  return X;
}

Rows rows_of(const SavedModel& model, Index m, const NewTable& table, Strings& notices) {
  const TrainedView& trained = model.model.views[at(m)];
  const ViewRecipe& recipe = model.recipes[at(m)];
  const View& view = table.view;
  if (recipe.kind == ViewKind::kernel || table.kernel_rows)
    return from_kernel_rows(model.model, trained, view);
  const Matrix X = used_features(recipe, view, notices);
  try {
    KernelOfNew kernel = kernel_of_new(*recipe.kernel, X, view.ids);
    return {std::move(kernel.rows), std::move(kernel.diagonal)};
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", place_of(view), error.what()), error.hint());
  }
}

/// The rows of a table in the order of the new samples.
NewView ordered(const Rows& rows, const Strings& ids, const Places& place) {
  std::vector<std::pair<Index, Index>> order;  // new sample, row of the table
  for (std::size_t i = 0; i < ids.size(); ++i)
    order.emplace_back(place.at(ids[i]), static_cast<Index>(i));
  std::sort(order.begin(), order.end());
  NewView view;
  Indices from;
  for (const auto& [x, i] : order) {
    view.which.push_back(x);
    from.push_back(i);
  }
  view.rows = rows.rows(from, Eigen::all);
  view.diagonal = rows.diagonal(from);
  return view;
}

}  // namespace

Matrix columns_as_in_training(const ViewRecipe& recipe, const View& view, Strings& notices) {
  const Indices columns = used_columns(recipe, view);
  Matrix X = view.values(Eigen::all, columns);
  translate_words(recipe, view, columns, X, notices);
  return X;
}

Index view_position(const SavedModel& model, const std::string& name) {
  const Strings names = names_of(model.model.views);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return found - names.begin();
  throw InputError(fmt::format("the model has no view '{}'{}", name, suggestion(name, names)),
                   "its views are " + join(names));
}

std::map<std::string, KnownColumns> known_columns(const SavedModel& model) {
  std::map<std::string, KnownColumns> known;
  for (std::size_t m = 0; m < model.recipes.size(); ++m) {
    const ViewRecipe& recipe = model.recipes[m];
    if (recipe.kind == ViewKind::kernel || recipe.feature_names.empty()) continue;
    KnownColumns& columns = known[model.model.views[m].name];
    columns.used = recipe.feature_names;
    for (const auto& category : recipe.categories)
      columns.categories.push_back(recipe.feature_names[at(category.column)]);
  }
  return known;
}

NewSamples match_new_samples(const SavedModel& model, const std::vector<NewTable>& tables) {
  NewSamples result;
  result.views.resize(model.model.views.size());
  // Samples whose row is empty in every file are reported later, not left out here.
  result.samples =
      union_of(tables, [](const NewTable& table) -> const Strings& { return table.view.all_ids; });
  const Places place = places_of(result.samples);
  for (const auto& table : tables) {
    const Index m = view_position(model, table.view.name);
    NewView& view = result.views[at(m)];
    const Rows rows = rows_of(model, m, table, result.notices);
    if (!view.which.empty())
      throw InputError(fmt::format("view '{}' is given twice", table.view.name));
    view = ordered(rows, table.view.ids, place);
  }
  return result;
}

}  // namespace mkc::io
