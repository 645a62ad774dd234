#pragma once

#include <optional>
#include <string>

#include "mkc/files/read_all.hpp"
#include "mkc/predict.hpp"
#include "mkc/problem/view_recipe.hpp"

namespace mkc::io {

/// What `mkc complete --save-model` stores: completed kernels, recipes, and the run that made it.
struct SavedModel {
  TrainedModel model;
  std::vector<ViewRecipe> recipes;  // one per view
  std::string about;                // meta_info.json of the run that made it
};

/// One NPZ file (docs/reference/predict.md), the same model the same bytes. OutputError where the
/// disk refuses.
void write_model(const std::string& path, const SavedModel& model);

/// InputError for a file that is damaged, is no model, or comes from a newer mkc.
SavedModel read_model(const std::string& path);

/// New samples for the model: union over the views, in the order of first appearance.
struct NewSamples {
  Strings samples;
  std::vector<NewView> views;  // one per view of the model, empty where none was given
  Strings notices;             // words that no training sample has
};

/// A view of new samples: kernel rows against the training samples, or features.
struct NewTable {
  View view;  // read as features; its name is one of the model's
  bool kernel_rows = false;
};

/// The columns of the model's views by the names of the views, for reading new samples.
std::map<std::string, KnownColumns> known_columns(const SavedModel& model);

/// Columns are matched by name: features, or ids of training samples (a column `self` is k(x, x));
/// arrays without names by position. Words of new samples get the codes they have in training; one
/// that is not there gets a code of its own, which no training sample has. InputError naming view,
/// file and column where that fails.
NewSamples match_new_samples(const SavedModel& model, const std::vector<NewTable>& tables);

/// The columns of a view of new samples that the recipe uses, with the codes that words have in
/// training; cells without a value stay NaN.
Matrix columns_as_in_training(const ViewRecipe& recipe, const View& view, Strings& notices);

/// Position of a view in the model; InputError with a suggestion where it has none of that name.
Index view_position(const SavedModel& model, const std::string& name);

}  // namespace mkc::io
