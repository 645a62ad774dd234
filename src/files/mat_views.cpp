#include "files/mat_views.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/files.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

using Type = MatArray::Type;

bool is_stack(const MatArray& array) {
  return array.type == Type::numbers && array.shape.size() == 3 && array.values.size() > 0;
}

bool is_matrix(const MatArray& array) {
  return array.type == Type::numbers && array.shape.size() == 2 && array.values.size() > 0;
}

bool is_vector(const MatArray& array) {
  return is_matrix(array) && std::min(array.shape[0], array.shape[1]) == 1;
}

bool is_list_of_matrices(const MatArray& array) {
  return array.type == Type::cells && !array.cells.empty() &&
         std::all_of(array.cells.begin(), array.cells.end(), is_matrix);
}

/// The words of a variable where the file has it; InputError where it holds something else.
std::optional<Strings> named_words(const MatVariables& variables, const std::string& name,
                                   Index count, const std::string& path) {
  const MatArray* array = find_variable(variables, name);
  if (array == nullptr) return std::nullopt;
  auto words = words_of_mat(*array);
  if (!words || static_cast<Index>(words->size()) != count)
    throw InputError(fmt::format("{}:{}: {} names are needed, found {}", path, shown(name), count,
                                 words ? std::to_string(words->size()) + " names"
                                       : format_mat_shape(array->shape) + " values"),
                     fmt::format("{} = {{'first', 'second', ...}}", shown(name)));
  check_ids(*words, path + ":" + shown(name));
  return words;
}

/// Matrices that become views, before they have ids.
struct Sheet {
  std::string name;
  Matrix values;
  bool kernel = false;  // by the layout of the file
};

struct Sheets {
  std::vector<Sheet> views;
  std::string variable;  // the one that holds all; empty where each view has its own
  Strings notices;
  bool turned = false;  // the samples were in columns
};

/// "view3", or "NAME3" where the user gave a name.
std::string numbered(const ViewSpec& spec, std::size_t i, std::size_t count) {
  if (!spec.name.empty() && count == 1) return spec.name;
  return fmt::format("{}{}", spec.name.empty() ? "view" : spec.name, i + 1);
}

Sheets sheets_of_stack(const ViewSpec& spec, const std::string& variable, MatArray& array) {
  const Index n = array.shape[0], columns = array.shape[1], count = array.shape[2];
  Sheets sheets{{}, variable, {}, false};
  for (Index m = 0; m < count; ++m)
    sheets.views.push_back(
        {numbered(spec, static_cast<std::size_t>(m), static_cast<std::size_t>(count)),
         array.values.middleCols(m * columns, columns), n == columns});
  array.values.resize(0, 0);
  return sheets;
}

/// Samples in columns: the matrices agree in their columns only, or the labels count the columns.
bool samples_in_columns(const std::vector<MatArray>& cells, const MatVariables& variables) {
  const Indices& first = cells.front().shape;
  const auto agree = [&](std::size_t side) {
    return std::all_of(cells.begin(), cells.end(),
                       [&](const MatArray& cell) { return cell.shape[side] == first[side]; });
  };
  if (!agree(1)) return false;
  if (!agree(0)) return true;
  for (const auto& name : mat_label_names())
    if (const MatArray* labels = find_variable(variables, name); labels && is_vector(*labels))
      return labels->values.size() == first[1] && first[0] != first[1];
  return false;
}

Sheets sheets_of_list(const ViewSpec& spec, const std::string& variable, MatArray& array,
                      const MatVariables& variables) {
  Sheets sheets{{}, variable, {}, false};
  const SamplesIn asked = asked_side(spec);
  const bool turned = asked == SamplesIn::automatic ? samples_in_columns(array.cells, variables)
                                                    : asked == SamplesIn::columns;
  sheets.turned = turned;
  if (turned && asked == SamplesIn::automatic)
    sheets.notices.emplace_back(
        "samples are taken from the columns: all views have the same number of columns");
  for (std::size_t i = 0; i < array.cells.size(); ++i) {
    Matrix& values = array.cells[i].values;
    sheets.views.push_back({numbered(spec, i, array.cells.size()),
                            turned ? Matrix(values.transpose()) : std::move(values), false});
  }
  const Index rows = sheets.views.front().values.rows();
  for (const auto& sheet : sheets.views)
    if (sheet.values.rows() != rows)
      throw InputError(fmt::format("{}:{}: the first cell has {} rows, {} has {}", spec.path,
                                   shown(variable), rows, shown(sheet.name), sheet.values.rows()),
                       "cells without sample ids have the same samples, one per row");
  return sheets;
}

std::string contents(const MatVariables& variables) {
  Strings words;
  for (const auto& [name, array] : variables)
    words.push_back(fmt::format("{} {}", shown(name), format_mat_shape(array.shape)));
  return words.empty() ? "nothing" : join(words);
}

Strings variable_names(const MatVariables& variables) {
  Strings names;
  for (const auto& [name, array] : variables) names.push_back(name);
  return names;
}

std::optional<Sheets> sheets_of_variable(const ViewSpec& spec, const std::string& name,
                                         MatVariables& variables) {
  for (auto& [own, array] : variables) {
    if (own != name) continue;
    if (is_stack(array)) return sheets_of_stack(spec, name, array);
    if (is_list_of_matrices(array)) return sheets_of_list(spec, name, array, variables);
    if (is_matrix(array)) {
      Sheets sheet;
      sheet.views.push_back({spec.name.empty() ? name : spec.name, std::move(array.values), false});
      return sheet;
    }
    throw InputError(
        fmt::format("{}:{}: neither a matrix of numbers nor a cell array of matrices ({})",
                    spec.path, shown(name), format_mat_shape(array.shape)));
  }
  return std::nullopt;
}

/// Every matrix that is not a vector; one sheet each.
Sheets sheets_of_matrices(const ViewSpec& spec, MatVariables& variables) {
  Sheets sheets;
  for (auto& [name, array] : variables)
    if (is_matrix(array) && !is_vector(array) && name != "MID")
      sheets.views.push_back({name, std::move(array.values), false});
  if (sheets.views.empty())
    throw InputError(
        fmt::format("{}: no view found; the file holds {}", spec.path, contents(variables)),
        "a view is a matrix, K as N x N x M, or a cell array of matrices");
  if (!spec.name.empty()) {
    if (sheets.views.size() > 1)
      throw InputError(fmt::format("{}: one name '{}' for {} matrices", spec.path, spec.name,
                                   sheets.views.size()),
                       fmt::format("choose one: {}={}:{}", spec.name, spec.path,
                                   shown(sheets.views.front().name)));
    sheets.views.front().name = spec.name;
  }
  return sheets;
}

Sheets find_sheets(const ViewSpec& spec, MatVariables& variables) {
  for (const char* name : {"K", "PredK"})
    if (const MatArray* array = find_variable(variables, name);
        array && is_stack(*array) && array->shape[0] == array->shape[1])
      return *sheets_of_variable(spec, name, variables);
  for (const auto& [name, array] : variables)
    if (is_list_of_matrices(array)) return *sheets_of_variable(spec, name, variables);
  for (const auto& [name, array] : variables)
    if (is_stack(array)) return *sheets_of_variable(spec, name, variables);
  return sheets_of_matrices(spec, variables);
}

/// The view names of the file, where it has them and the user gave none.
void take_view_names(const ViewSpec& spec, const MatVariables& variables, Sheets& sheets) {
  if (sheets.variable.empty() || !spec.name.empty()) return;
  const auto names =
      named_words(variables, "views", static_cast<Index>(sheets.views.size()), spec.path);
  if (!names) return;
  for (std::size_t i = 0; i < names->size(); ++i) sheets.views[i].name = (*names)[i];
}

/// The mask MID of these views; null where the file has none.
const MatArray* mask_for(const MatVariables& variables, const Sheets& sheets, Index rows,
                         const std::string& path) {
  // Beside PredK it marks what was completed, which must not be hidden again.
  const bool masked = !sheets.variable.empty() && sheets.variable != "PredK";
  const MatArray* mask = masked ? find_variable(variables, "MID") : nullptr;
  if (mask == nullptr) return nullptr;
  if (!is_matrix(*mask) || mask->shape[0] != rows ||
      mask->shape[1] != static_cast<Index>(sheets.views.size()))
    throw InputError(fmt::format("{}:MID: {} found, {} samples x {} views needed", path,
                                 format_mat_shape(mask->shape), rows, sheets.views.size()));
  return mask;
}

void check_mask_value(double value, Index row, Index column, const std::string& where) {
  if (value == 0 || value == 1) return;
  throw InputError(fmt::format("{}: row {}, column {}: {} is not 0 or 1", where, row + 1,
                               column + 1, format_number(value)),
                   "a mask holds 1 where the sample has the view and 0 where it lacks it");
}

Indices hidden_by(const Vector& observed, Index m, const std::string& where) {
  Indices hidden;
  for (Index i = 0; i < observed.size(); ++i) {
    check_mask_value(observed(i), i, m, where);
    if (observed(i) == 0) hidden.push_back(i);
  }
  return hidden;
}

RawTable table_of_sheet(const ViewSpec& spec, Sheet& sheet, const Sheets& sheets,
                        const MatVariables& variables, Index m) {
  const std::string part = sheets.variable.empty() ? sheet.name : sheets.variable;
  RawTable table = new_table(sheet.name, spec.path + ":" + shown(part));
  table.values = std::move(sheet.values);
  if (sheets.turned)
    table.samples_in = SamplesIn::columns;
  else if (!sheet.kernel && asked_side(spec) == SamplesIn::columns)
    turn(table);
  const Index rows = table.values.rows();
  auto ids = named_words(variables, "samples_" + sheet.name, rows, spec.path);
  if (!ids) ids = named_words(variables, "samples", rows, spec.path);
  if (ids)
    table.row_names = std::move(*ids);
  else
    number_rows(table);
  table.notices = sheets.notices;
  table.kind = spec.kind;
  if (!spec.kind && sheet.kernel) table.kind = ViewKind::kernel;
  if (const MatArray* mask = mask_for(variables, sheets, rows, spec.path))
    table.hidden = hidden_by(mask->values.col(m), m, spec.path + ":MID");
  return table;
}

}  // namespace

std::vector<RawTable> tables_of_mat(const ViewSpec& spec, MatVariables variables) {
  std::optional<Sheets> chosen;
  if (!spec.array.empty()) chosen = sheets_of_variable(spec, spec.array, variables);
  const bool one_view = !spec.array.empty() && !chosen;
  ViewSpec unnamed = spec;
  if (one_view) unnamed.name.clear();
  Sheets sheets = chosen ? std::move(*chosen) : find_sheets(unnamed, variables);
  take_view_names(unnamed, variables, sheets);
  std::vector<RawTable> tables;
  Strings names;
  for (std::size_t m = 0; m < sheets.views.size(); ++m) {
    names.push_back(sheets.views[m].name);
    if (one_view && names.back() != spec.array) continue;
    tables.push_back(
        table_of_sheet(spec, sheets.views[m], sheets, variables, static_cast<Index>(m)));
    if (one_view && !spec.name.empty()) tables.back().name = spec.name;
  }
  if (tables.empty()) {
    Strings known = variable_names(variables);
    known.insert(known.end(), names.begin(), names.end());
    throw InputError(fmt::format("{}: there is no variable '{}'{}", spec.path, shown(spec.array),
                                 suggestion(spec.array, known)),
                     fmt::format("the file holds {}", contents(variables)));
  }
  return tables;
}

MaskTable mask_of_mat(const std::string& path, const MatVariables& variables) {
  const MatArray* mask = find_variable(variables, "MID");
  if (mask == nullptr)
    for (const auto& [name, array] : variables)
      if (is_matrix(array) && !is_vector(array)) mask = mask == nullptr ? &array : mask;
  if (mask == nullptr || !is_matrix(*mask))
    throw InputError(fmt::format("{}: no mask found; the file holds {}", path, contents(variables)),
                     "a mask is a matrix MID of samples x views, 1 = observed");
  for (Index j = 0; j < mask->values.cols(); ++j)
    for (Index i = 0; i < mask->values.rows(); ++i)
      check_mask_value(mask->values(i, j), i, j, path);
  MaskTable table;
  if (auto ids = named_words(variables, "samples", mask->values.rows(), path)) table.samples = *ids;
  if (auto names = named_words(variables, "views", mask->values.cols(), path)) table.views = *names;
  table.observed = mask->values.array() == 1;
  return table;
}

}  // namespace mkc::io
