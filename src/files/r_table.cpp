#include "files/r_table.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "formats/dates.hpp"
#include "formats/dense_size.hpp"
#include "formats/sparse.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

using Type = RObject::Type;

constexpr double seconds_per_day = 86400;

[[noreturn]] void fail(const std::string& where, const std::string& what,
                       const std::string& hint = {}) {
  throw InputError(fmt::format("{}: {}", where, what), hint);
}

bool holds_numbers(const RObject& object) {
  return object.type == Type::numbers || object.type == Type::logical;
}

/// Numbers that mean numbers: not codes of a factor, dates, or integers in the bits of doubles.
bool is_plain_number(const RObject& object) {
  if (!holds_numbers(object)) return false;
  for (const char* special : {"factor", "Date", "POSIXct", "difftime", "integer64"})
    if (object.is(special)) return false;
  return true;
}

/// A vector or factor, of which words can be made.
bool is_vector(const RObject& object) {
  return object.type == Type::text ||
         (holds_numbers(object) && !object.is("integer64") && object.attribute("dim") == nullptr);
}

/// Rows and columns of an object with that attribute (dim, Dim); nothing where they are not two.
std::optional<std::pair<Index, Index>> sizes_of(const RObject& object, const char* name) {
  const RObject* dim = object.attribute(name);
  if (dim == nullptr || dim->numbers.size() != 2) return std::nullopt;
  const double rows = dim->numbers(0), columns = dim->numbers(1);
  constexpr double most = 0x1p31;
  if (!(rows >= 0 && rows < most && columns >= 0 && columns < most)) return std::nullopt;
  return std::pair{static_cast<Index>(rows), static_cast<Index>(columns)};
}

void check_names(const Strings& names, Index count, const std::string& where, const char* what) {
  if (!names.empty() && static_cast<Index>(names.size()) != count)
    fail(where, fmt::format("{} {} names for {} {}s", names.size(), what, count, what));
  for (const auto& name : names)
    if (!is_utf8(name))
      fail(where, fmt::format("a {} name is not UTF-8 text: '{}'", what, shown(name)),
           "in R: enc2utf8() of its names");
}

void take_dim_names(const RObject& object, const char* name, const std::string& where,
                    RTable& table) {
  const RObject* names = object.attribute(name);
  if (names == nullptr || names->items.size() != 2) return;
  table.row_names = names->items[0].text;
  table.column_names = names->items[1].text;
  check_names(table.row_names, table.values.rows(), where, "row");
  check_names(table.column_names, table.values.cols(), where, "column");
}

RTable table_of_matrix(const RObject& object, const std::string& where) {
  const auto [rows, columns] = *sizes_of(object, "dim");
  if (object.numbers.size() != rows * columns)
    fail(where,
         fmt::format("{} values in a matrix of {} x {}", object.numbers.size(), rows, columns));
  RTable table;
  check_dense_size(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns), where);
  table.values = object.numbers.reshaped(rows, columns);
  take_dim_names(object, "dimnames", where, table);
  return table;
}

/// A slot of numbers of a sparse matrix.
const Vector& slot(const RObject& object, const char* name, const std::string& where) {
  const RObject* found = object.attribute(name);
  if (found == nullptr || !holds_numbers(*found))
    fail(where, fmt::format("a sparse matrix without its slot '{}'", name));
  return found->numbers;
}

/// The kinds of the package Matrix that are read: values (d: numbers, l: logical, n: none), general
/// or symmetric, and compressed by columns or rows, as triplets, or dense.
struct MatrixKind {
  char values = 0, shape = 0, storage = 0;
};

std::optional<MatrixKind> matrix_kind(const RObject& object) {
  for (const auto& name : object.words("class")) {
    if (name.size() != 9 || name.substr(3) != "Matrix") continue;
    const MatrixKind kind{name[0], name[1], name[2]};
    const auto in = [](char c, std::string_view letters) {
      return letters.find(c) != std::string_view::npos;
    };
    const bool dense = kind.values == 'd' && kind.shape == 'g' && kind.storage == 'e';
    if (dense || (in(kind.values, "dln") && in(kind.shape, "gs") && in(kind.storage, "CRT")))
      return kind;
  }
  return std::nullopt;
}

/// Starts of the columns and order of the entries of a matrix that lists its entries one by one.
Matrix from_triplets(Index rows, Index columns, const Vector& i, const Vector& j, const Vector& x,
                     const std::string& where) {
  if (i.size() != j.size() || i.size() != x.size())
    fail(where, fmt::format("{} rows, {} columns and {} values", i.size(), j.size(), x.size()));
  check_sparse_size(static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
                    static_cast<std::uint64_t>(x.size()), where);
  Matrix dense = Matrix::Zero(rows, columns);
  for (Index k = 0; k < x.size(); ++k) {
    if (!(i(k) >= 0 && i(k) < static_cast<double>(rows) && j(k) >= 0 &&
          j(k) < static_cast<double>(columns)))
      fail(where,
           fmt::format("entry {} is at ({}, {}) of {} x {}", k + 1, i(k), j(k), rows, columns));
    dense(static_cast<Index>(i(k)), static_cast<Index>(j(k))) += x(k);
  }
  return dense;
}

/// The other half of a symmetric matrix, of which one is stored.
void mirror(Matrix& values, const std::string& where) {
  if (values.rows() != values.cols())
    fail(where, fmt::format("a symmetric matrix of {} x {}", values.rows(), values.cols()));
  for (Index j = 0; j < values.cols(); ++j)
    for (Index i = 0; i < j; ++i) {
      const double sum = values(i, j) + values(j, i);  // one of them is zero
      values(i, j) = values(j, i) = sum;
    }
}

RTable table_of_s4_matrix(const RObject& object, MatrixKind kind, const std::string& where) {
  const auto sizes = sizes_of(object, "Dim");
  if (!sizes) fail(where, "a matrix without its size");
  const auto [rows, columns] = *sizes;
  RTable table;
  if (kind.storage == 'e') {
    const Vector& x = slot(object, "x", where);
    if (x.size() != rows * columns)
      fail(where, fmt::format("{} values in a matrix of {} x {}", x.size(), rows, columns));
    table.values = x.reshaped(rows, columns);
    take_dim_names(object, "Dimnames", where, table);
    return table;
  }
  const char* index = kind.storage == 'R' ? "j" : "i";
  const Vector& at = slot(object, index, where);
  const Vector x = kind.values == 'n' ? Vector::Ones(at.size()) : slot(object, "x", where);
  if (kind.storage == 'T') {
    table.values = from_triplets(rows, columns, at, slot(object, "j", where), x, where);
  } else {
    const bool by_rows = kind.storage == 'R';
    const Vector& starts = slot(object, "p", where);
    if (starts.size() != (by_rows ? rows : columns) + 1)
      fail(where,
           fmt::format("{} starts for a sparse matrix of {} x {}", starts.size(), rows, columns));
    table.values = dense_from_columns(static_cast<double>(by_rows ? columns : rows), starts, at, x,
                                      where, by_rows);
    if (by_rows) table.values.transposeInPlace();
  }
  if (kind.shape == 's') mirror(table.values, where);
  take_dim_names(object, "Dimnames", where, table);
  return table;
}

Index length_of(const RObject& column) {
  return column.type == Type::text ? static_cast<Index>(column.text.size()) : column.numbers.size();
}

/// Row names of a data frame that the user gave: R's own are numbers.
void take_row_names(const RObject& frame, const std::string& where, RTable& table) {
  table.row_names = frame.words("row.names");
  check_names(table.row_names, table.rows, where, "row");
  if (!table.row_names.empty() || frame.items.empty()) return;
  const RObject& first = frame.items.front();
  const std::unordered_set<std::string_view> distinct(first.text.begin(), first.text.end());
  if (first.type != Type::text || distinct.size() != first.text.size() || distinct.contains("NA"))
    return;
  table.row_names = first.text;
  check_names(table.row_names, table.rows, where, "row");
}

/// As text; truth values are numbers, as in a data frame without words.
Strings cells_of_column(const RObject& column) {
  Strings words = *words_of_object(column);
  if (column.type == Type::logical)
    for (auto& word : words) word = word == "TRUE" ? "1" : word == "FALSE" ? "0" : "NA";
  return words;
}

RTable table_of_frame(const RObject& frame, const std::string& where) {
  RTable table;
  Strings names = frame.words("names");
  if (names.size() != frame.items.size())
    fail(where, fmt::format("{} names for {} columns", names.size(), frame.items.size()));
  if (names.empty()) fail(where, "a data frame without columns");
  check_names(names, static_cast<Index>(names.size()), where, "column");
  table.rows = length_of(frame.items.front());
  const bool own_names = !frame.words("row.names").empty();
  take_row_names(frame, where, table);
  const bool ids_in_first = !own_names && !table.row_names.empty();
  if (ids_in_first)
    table.notices.push_back(fmt::format(
        "the data frame has no row names: column '{}' is taken for the ids", shown(names[0])));
  const std::size_t first = ids_in_first ? 1 : 0;
  table.column_names.assign(names.begin() + static_cast<std::ptrdiff_t>(first), names.end());
  for (std::size_t j = first; j < names.size(); ++j) {
    const RObject& column = frame.items[j];
    if (!is_plain_number(column)) table.word_columns.push_back(names[j]);
    if (column.is("factor") && 2 * std::ssize(column.words("levels")) <= table.rows)
      table.factors.push_back(names[j]);
    if (!is_vector(column) || length_of(column) != table.rows)
      fail(where, fmt::format("column '{}' is {}, not {} values", shown(names[j]),
                              column.description(), table.rows));
  }
  const auto columns = static_cast<Index>(table.column_names.size());
  if (!table.word_columns.empty()) {
    for (std::size_t j = first; j < names.size(); ++j)
      table.words.push_back(cells_of_column(frame.items[j]));
    return table;
  }
  check_dense_size(static_cast<std::uint64_t>(table.rows), static_cast<std::uint64_t>(columns),
                   where);
  table.values.resize(table.rows, columns);
  for (Index j = 0; j < columns; ++j)
    table.values.col(j) = frame.items[first + static_cast<std::size_t>(j)].numbers;
  return table;
}

Strings words_of_factor(const RObject& object, const Strings& levels) {
  Strings words;
  for (const double code : object.numbers) {
    const bool known = code >= 1 && code <= static_cast<double>(levels.size());
    words.push_back(known ? levels[static_cast<std::size_t>(code) - 1] : "NA");
  }
  return words;
}

}  // namespace

std::optional<Strings> words_of_object(const RObject& object) {
  if (!is_vector(object)) return std::nullopt;
  if (object.type == Type::text) return object.text;
  if (object.is("factor")) return words_of_factor(object, object.words("levels"));
  const bool days = object.is("Date"), seconds = object.is("POSIXct");
  Strings words;
  for (const double value : object.numbers) {
    if (std::isnan(value))
      words.emplace_back("NA");
    else if (days || seconds)
      words.push_back(iso_date(days ? value : value / seconds_per_day));
    else if (object.type == Type::logical)
      words.emplace_back(value != 0 ? "TRUE" : "FALSE");
    else
      words.push_back(format_number(value));
  }
  return words;
}

bool is_r_table(const RObject& object) {
  if (object.type == Type::list) return object.is("data.frame");
  if (holds_numbers(object)) return sizes_of(object, "dim").has_value() && !object.is("integer64");
  return object.type == Type::other && matrix_kind(object).has_value();
}

RTable table_of_object(const RObject& object, const std::string& where) {
  RTable table;
  if (object.type == Type::list)
    table = table_of_frame(object, where);
  else if (const auto kind = matrix_kind(object); kind && object.type == Type::other)
    table = table_of_s4_matrix(object, *kind, where);
  else
    table = table_of_matrix(object, where);
  if (table.words.empty()) table.rows = table.values.rows();
  if (table.rows == 0 ||
      table.column_names.size() + static_cast<std::size_t>(table.values.cols()) == 0)
    fail(where, "has no values");
  return table;
}

}  // namespace mkc::io
