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

Matrix used_features(const ViewRecipe& recipe, const View& view) {
  Matrix X;
  if (!recipe.feature_names.empty() && !view.feature_names.empty()) {
    X = view.values(Eigen::all, columns_called(view, recipe.feature_names, "feature"));
  } else if (view.values.cols() == recipe.columns) {
    X = view.values(Eigen::all, recipe.kept_columns);
  } else {
    throw InputError(fmt::format("{}: {} features, but the model was trained on {}", place_of(view),
                                 view.values.cols(), recipe.columns),
                     {{"kind", "kernel", "reads kernel rows against the training samples"}});
  }
  for (Index j = 0; j < X.cols(); ++j)
    for (Index i = 0; i < X.rows(); ++i) {
      if (!std::isnan(X(i, j))) continue;
      if (recipe.fill.size() == 0)
        throw InputError(
            fmt::format("{}: sample '{}' has no value in feature '{}'", place_of(view),
                        view.ids[at(i)],
                        recipe.feature_names.empty() ? std::to_string(recipe.kept_columns[at(j)])
                                                     : recipe.feature_names[at(j)]),
            {{"na_features", "mean", "at training makes a model that fills such cells"}});
      X(i, j) = recipe.fill(j);
    }
  return X;
}

Rows rows_of(const SavedModel& model, Index m, const NewTable& table) {
  const TrainedView& trained = model.model.views[at(m)];
  const ViewRecipe& recipe = model.recipes[at(m)];
  const View& view = table.view;
  if (recipe.kind == ViewKind::kernel || table.kernel_rows)
    return from_kernel_rows(model.model, trained, view);
  const Matrix X = used_features(recipe, view);
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

Index view_position(const SavedModel& model, const std::string& name) {
  const Strings names = names_of(model.model.views);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return found - names.begin();
  throw InputError(fmt::format("the model has no view '{}'{}", name, suggestion(name, names)),
                   "its views are " + join(names));
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
    const Rows rows = rows_of(model, m, table);
    if (!view.which.empty())
      throw InputError(fmt::format("view '{}' is given twice", table.view.name));
    view = ordered(rows, table.view.ids, place);
  }
  return result;
}

}  // namespace mkc::io
