#include "driver_input.hpp"

#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/files/model_file.hpp"

namespace mkc::app {

namespace {

using Positions = std::unordered_map<std::string, Index>;

Positions positions_of(const Strings& samples) {
  Positions positions;
  for (std::size_t i = 0; i < samples.size(); ++i) positions[samples[i]] = static_cast<Index>(i);
  return positions;
}

Strings numbered(Index count) {
  Strings names;
  for (Index j = 1; j <= count; ++j) names.push_back(fmt::format("column {}", j));
  return names;
}

// The rows of samples that the result has.
ViewFeatures on_samples(std::string name, const std::string& place, const Strings& features,
                        const Strings& ids, const Matrix& values, const Positions& positions) {
  ViewFeatures result{
      std::move(name), features.empty() ? numbered(values.cols()) : features, {}, {}};
  Indices kept;
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (const auto found = positions.find(ids[i]); found != positions.end()) {
      kept.push_back(static_cast<Index>(i));
      result.rows.push_back(found->second);
    }
  if (kept.empty())
    throw InputError(fmt::format("{}: none of its samples is in the result, the first is '{}'",
                                 place, ids.empty() ? "" : shown(ids.front())),
                     "give the files that the result was made from, read with the same options");
  result.values = values(kept, Eigen::all);
  return result;
}

// Another file under the name of a view would give its features to the wrong kernel.
void warn_of_other_table(const View& view, const io::StoredResult& result, Terminal& terminal) {
  for (std::size_t m = 0; m < result.features.size(); ++m)
    if (result.views[m] == view.name && result.features[m] > 0 &&
        result.features[m] != view.values.cols())
      terminal.warning(
          fmt::format("{} has {} features; the view had {} when it was completed: is "
                      "this the same table?",
                      place_of(view), view.values.cols(), result.features[m]));
}

// A table of numbers: a column of words becomes one column per word, 1 where a sample has it.
struct NumberTable {
  Strings names;
  Matrix values;
};

NumberTable with_columns_per_word(const View& view) {
  const Strings names =
      view.feature_names.empty() ? numbered(view.values.cols()) : view.feature_names;
  std::vector<std::pair<std::string, Vector>> columns;
  auto category = view.categories.begin();
  for (Index j = 0; j < view.values.cols(); ++j) {
    const Vector column = view.values.col(j);
    if (category == view.categories.end() || category->column != j) {
      columns.emplace_back(names[at(j)], column);
      continue;
    }
    for (std::size_t k = 0; k < category->levels.size(); ++k) {
      const auto code = static_cast<double>(k);
      const auto indicator = [&](double x) { return std::isnan(x) ? x : x == code ? 1.0 : 0.0; };
      columns.emplace_back(names[at(j)] + "=" + category->levels[k], column.unaryExpr(indicator));
    }
    ++category;
  }
  NumberTable table{{}, Matrix(view.values.rows(), std::ssize(columns))};
  for (auto& [name, values] : columns) {
    table.values.col(std::ssize(table.names)) = values;
    table.names.push_back(name);
  }
  return table;
}

void require_features(const std::vector<ViewFeatures>& views) {
  if (views.empty())
    throw InputError("no view has features: kernels alone do not tell which features matter",
                     "give the tables that the kernels were made from");
}

}  // namespace

std::vector<ViewFeatures> features_of_views(const ViewArguments& arguments,
                                            const io::StoredResult& result, Terminal& terminal) {
  io::ReadAllOptions reading = reading_options(arguments);
  reading.known_samples = result.samples;
  if (reading.ids.kind == IdRule::Kind::automatic) reading.ids = result.ids;
  const io::ReadViews read = io::read_all_views(view_specs(arguments), reading);
  for (const auto& notice : read.notices) terminal.warning(notice);
  const Positions positions = positions_of(result.samples);
  std::vector<ViewFeatures> views;
  for (const auto& view : read.views) {
    for (const auto& notice : view.notices) terminal.warning(place_of(view) + ": " + notice);
    warn_of_other_table(view, result, terminal);
    if (view.kind == ViewKind::kernel) {
      terminal.warning(fmt::format("{} is a kernel: it has no features", place_of(view)));
    } else if (!view.categories.empty()) {
      const NumberTable table = with_columns_per_word(view);
      views.push_back(
          on_samples(view.name, place_of(view), table.names, view.ids, table.values, positions));
    } else {
      views.push_back(on_samples(view.name, place_of(view), view.feature_names, view.ids,
                                 view.values, positions));
    }
  }
  require_features(views);
  return views;
}

std::vector<ViewFeatures> features_of_model(const std::string& path, const Strings& samples,
                                            Terminal& terminal) {
  const io::SavedModel saved = io::read_model(path);
  const Positions positions = positions_of(samples);
  std::vector<ViewFeatures> views;
  for (std::size_t m = 0; m < saved.recipes.size(); ++m) {
    const TrainedView& view = saved.model.views[m];
    const ViewRecipe& recipe = saved.recipes[m];
    const bool has_features = recipe.kernel && recipe.kernel->points.cols() ==
                                                   static_cast<Index>(recipe.kept_columns.size());
    if (!has_features) {
      terminal.warning(
          fmt::format("{}: view '{}' keeps no features, give its table instead", path, view.name));
      continue;
    }
    Strings ids;
    for (const Index i : view.rows) ids.push_back(saved.model.samples[at(i)]);
    views.push_back(on_samples(view.name, fmt::format("{}, view '{}'", path, view.name),
                               recipe.feature_names, ids, recipe.kernel->points, positions));
  }
  require_features(views);
  return views;
}

}  // namespace mkc::app
