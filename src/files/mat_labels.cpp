#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/mat_views.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

using Type = MatArray::Type;

const Strings& mat_label_names() {
  static const Strings names = {"y",     "Y",   "gt",        "labels",   "label",
                                "truth", "gnd", "truelabel", "trueLabel"};
  return names;
}

const MatArray* find_variable(const MatVariables& variables, std::string_view name) {
  for (const auto& [own, array] : variables)
    if (own == name) return &array;
  return nullptr;
}

std::optional<Strings> words_of_mat(const MatArray& array) {
  if (array.type == Type::text) return array.text;
  Strings words;
  if (array.type == Type::cells) {
    for (const auto& cell : array.cells) {
      if (cell.type != Type::text || cell.text.size() > 1) return std::nullopt;
      words.push_back(cell.text.empty() ? "" : cell.text[0]);
    }
    return words;
  }
  if (array.type != Type::numbers || array.shape.size() != 2 ||
      std::min(array.shape[0], array.shape[1]) != 1)
    return std::nullopt;
  for (const double number : array.values.reshaped()) words.push_back(format_number(number));
  return words;
}

namespace {

/// Some files have the labels as the only element of a cell array.
const MatArray& unwrapped(const MatArray& array) {
  const bool wrapped = array.type == Type::cells && array.cells.size() == 1 &&
                       array.cells.front().type == Type::numbers;
  return wrapped ? array.cells.front() : array;
}

/// Variables that may hold labels: the wanted one, else those with a usual name, else all.
Strings candidates(const MatVariables& variables, const std::string& wanted) {
  if (find_variable(variables, wanted) != nullptr) return {wanted};
  Strings usual, all;
  for (const auto& [name, array] : variables) {
    if (name == "samples" || name == "views") continue;
    all.push_back(name);
    const Strings& names = mat_label_names();
    if (std::find(names.begin(), names.end(), name) != names.end()) usual.push_back(name);
  }
  return usual.empty() || !wanted.empty() ? all : usual;
}

}  // namespace

LabelColumns labels_of_mat(const std::string& path, const MatVariables& variables,
                           const std::string& wanted) {
  LabelColumns labels;
  if (const MatArray* samples = find_variable(variables, "samples")) {
    const auto ids = words_of_mat(*samples);
    if (!ids)
      throw InputError(path + ":samples: holds no ids", "samples = {'first', 'second', ...}");
    check_ids(*ids, path + ":samples");
    labels.ids = *ids;
    labels.rows = static_cast<Index>(ids->size());
  }
  for (const auto& name : candidates(variables, wanted)) {
    const MatArray& array = unwrapped(*find_variable(variables, name));
    auto words = words_of_mat(array);
    const auto count = words ? static_cast<Index>(words->size()) : 0;
    const bool fits = words && count > 1 && (labels.rows == 0 || count == labels.rows);
    if (!fits && name == wanted)
      throw InputError(
          fmt::format("{}:{}: {} found, {} needed", path, shown(name),
                      format_mat_shape(array.shape),
                      labels.rows == 0 ? "a vector of labels, one per sample,"
                                       : fmt::format("{} labels, one per sample,", labels.rows)),
          "labels are a vector of numbers or a cell array of texts");
    if (!fits) continue;
    labels.rows = count;
    labels.columns.emplace_back(name, std::move(*words));
  }
  if (labels.columns.empty())
    throw InputError(path + ": no labels found",
                     "labels are a vector of numbers or a cell array of texts: FILE.mat:VARIABLE");
  return labels;
}

}  // namespace mkc::io
