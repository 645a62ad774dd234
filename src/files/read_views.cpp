#include "files/read_views.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "files/hdf5_views.hpp"
#include "files/mat_views.hpp"
#include "files/r_views.hpp"
#include "formats/csv.hpp"
#include "formats/files.hpp"
#include "formats/npy_rows.hpp"
#include "formats/npz.hpp"
#include "formats/xlsx.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr std::string_view samples_array = "samples";
constexpr std::string_view samples_prefix = "samples_";
constexpr const char* supported =
    "supported are .csv, .tsv and .txt (also with .gz), .npy, .npz, .mat, .mtx, .xlsx, "
    ".rds, .RData, .h5, .h5ad and .h5mu";

bool is_table(std::string_view path) {
  if (has_extension(path, ".gz")) path.remove_suffix(3);
  return has_extension(path, ".csv") || has_extension(path, ".tsv") || has_extension(path, ".txt");
}

bool remove_extension(std::string& name, std::string_view extension) {
  if (!has_extension(name, extension) || name.size() == extension.size()) return false;
  name.erase(name.size() - extension.size());
  return true;
}

}  // namespace

std::string view_name(const ViewSpec& spec) {
  if (!spec.name.empty()) return spec.name;
  std::string name = std::filesystem::path(spec.path).filename().string();
  if (!is_utf8(name))
    throw InputError(fmt::format("the name of file '{}' is not UTF-8 text", spec.path),
                     "give the view a name: NAME=PATH");
  remove_extension(name, ".gz");
  for (const std::string_view extension :
       {".csv", ".tsv", ".txt", ".npy", ".npz", ".mat", ".mtx", ".h5", ".hdf5", ".h5ad", ".h5mu",
        ".xlsx", ".xlsm", ".rds", ".rdata", ".rda"})
    if (remove_extension(name, extension)) break;
  return name;
}

SamplesIn asked_side(const ViewSpec& spec) {
  return read_option_table().parse(spec.read_options).samples_in;
}

RawTable table_of_lines(const ViewSpec& spec, const Strings& na_values, TextLines lines,
                        std::string name, std::string source, const FileNamer& spool) {
  // Several rows of one sample are for merge_replicates to judge.
  TableOptions options{.na_values = na_values,
                       .repeated_names = true,
                       .words = spec.kind != ViewKind::kernel && !spool};
  RawTable table = new_table(std::move(name), std::move(source));
  const std::string file = spool ? spool() : "";
  std::optional<NpyRowWriter> writer;
  if (spool)
    options.rows = [&](const MatrixRef& rows) {
      if (!writer) writer.emplace(file, rows.rows());
      writer->add(rows);
    };
  Table text = read_table(std::move(lines), options);
  if (writer) {
    writer->close();
    table.rows = std::make_shared<NpyRows>(file, table.source);
  }
  table.row_names = std::move(text.row_names);
  table.column_names = std::move(text.column_names);
  table.corner = std::move(text.corner);
  table.is_text = true;
  table.values = std::move(text.values);
  table.words = std::move(text.words);
  table.lines = std::move(text.lines);
  table.notices = std::move(text.notices);
  table.kind = spec.kind;
  return table;
}

namespace {

RawTable table_of_text(const ViewSpec& spec, const Strings& na_values, const FileNamer& spool) {
  return table_of_lines(spec, na_values, TextLines(spec.path), view_name(spec), spec.path, spool);
}

/// A sheet goes the way of a text table; its rows are the lines.
RawTable table_of_workbook(const ViewSpec& spec, const Strings& na_values) {
  SheetText sheet = Workbook(spec.path).read(spec.array, CellsAs::numbers);
  const bool chosen = !spec.array.empty();
  const std::string name = chosen && spec.name.empty() ? spec.array : view_name(spec);
  RawTable table = table_of_lines(spec, na_values, TextLines(spec.path, std::move(sheet.text)),
                                  name, chosen ? spec.path + ":" + spec.array : spec.path);
  table.notices.insert(table.notices.begin(), sheet.notices.begin(), sheet.notices.end());
  return table;
}

/// An array without columns may claim any number of rows: refused before ids are made for them.
RawTable table_of_array(Array&& array, const ViewSpec& spec, std::string name, std::string source) {
  RawTable table = new_table(std::move(name), std::move(source));
  table.values = take_matrix(std::move(array), table.source);
  if (table.values.size() == 0)
    throw InputError(fmt::format("{}: the array has no values, its shape is ({}, {})", table.source,
                                 table.values.rows(), table.values.cols()));
  if (asked_side(spec) == SamplesIn::columns) turn(table);
  table.kind = spec.kind;
  return table;
}

/// An NPY file in which any row can be read: this one, or a copy in C order.
std::shared_ptr<const RowSource> rows_of_npy(const std::string& path, const std::string& source,
                                             const FileNamer& spool) {
  auto rows = std::make_shared<NpyRows>(path, source);
  if (!rows->by_columns()) return rows;
  const std::string copy = spool();
  copy_rows(*rows, copy);
  return std::make_shared<NpyRows>(copy, source);
}

RawTable table_of_rows(const ViewSpec& spec, std::string name, std::string source,
                       std::shared_ptr<const RowSource> rows) {
  RawTable table = new_table(std::move(name), std::move(source));
  table.rows = std::move(rows);
  table.kind = spec.kind;
  return table;
}

RawTable table_of_npy(const ViewSpec& spec, const FileNamer& spool) {
  RawTable table = spool ? table_of_rows(spec, view_name(spec), spec.path,
                                         rows_of_npy(spec.path, spec.path, spool))
                         : table_of_array(read_npy(spec.path), spec, view_name(spec), spec.path);
  take_ids_beside(spec.path, table);
  return table;
}

bool names_samples(std::string_view array) {
  return array == samples_array || array.starts_with(samples_prefix);
}

}  // namespace

void check_ids(const Strings& ids, const std::string& where) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i].empty()) throw InputError(fmt::format("{}: id {} is empty", where, i + 1));
    if (ids[i].find_first_of("\n\r") != std::string::npos)
      throw InputError(fmt::format("{}: id '{}' holds a line break", where, shown(ids[i])),
                       "ids are written into tables, one line per sample");
  }
  check_unique(ids, where + ": id", "every sample has one row");
}

namespace {

/// Ids of the rows of an array: samples_<array>, else samples, else numbers.
void take_ids_for(const std::string& array, const std::string& path, const NpzReader& file,
                  RawTable& table) {
  const std::string own = std::string(samples_prefix) + array;
  const std::string source = file.has(own) ? own : std::string(samples_array);
  if (!file.has(source)) return number_rows(table);
  const std::string where = path + ":" + source;
  table.row_names = take_ids(file.read(source), where);
  if (static_cast<Index>(table.row_names.size()) != rows_of(table))
    throw InputError(fmt::format("{}: {} has {} ids, array '{}' has {} rows", path, source,
                                 table.row_names.size(), array, rows_of(table)),
                     fmt::format("save the ids of this view as {}", own));
  check_ids(table.row_names, where);
}

/// Arrays that become views; InputError for ids of a view that is not there.
Strings view_arrays(const std::string& path, const NpzReader& file) {
  Strings views;
  for (const auto& name : file.names())
    if (!names_samples(name)) views.push_back(name);
  if (views.empty()) throw InputError(path + ": holds sample ids, but no view");
  for (const auto& name : file.names()) {
    if (!name.starts_with(samples_prefix)) continue;
    const std::string view = name.substr(samples_prefix.size());
    if (!file.has(view) || names_samples(view))
      throw InputError(fmt::format("{}: array '{}' holds ids of a view '{}' that is not there{}",
                                   path, name, view, suggestion(view, views)));
  }
  return views;
}

std::shared_ptr<const RowSource> rows_of_npz_array(const std::string& array,
                                                   const std::string& source, const NpzReader& file,
                                                   const FileNamer& spool) {
  const std::string copy = spool();
  file.copy(array, copy);
  return rows_of_npy(copy, source, spool);
}

RawTable table_of_npz_array(const ViewSpec& spec, const std::string& array, const NpzReader& file,
                            const FileNamer& spool) {
  const std::string name = spec.name.empty() ? array : spec.name, source = spec.path + ":" + array;
  RawTable table =
      spool ? table_of_rows(spec, name, source, rows_of_npz_array(array, source, file, spool))
            : table_of_array(file.read(array), spec, name, source);
  take_ids_for(array, spec.path, file, table);
  return table;
}

std::vector<RawTable> tables_of_npz(const ViewSpec& spec, const FileNamer& spool) {
  const NpzReader file(spec.path);
  const Strings arrays = spec.array.empty() ? view_arrays(spec.path, file) : Strings{spec.array};
  if (!spec.name.empty() && arrays.size() > 1)
    throw InputError(fmt::format("{}: one name '{}' for {} arrays: {}", spec.path, spec.name,
                                 arrays.size(), join(arrays)),
                     fmt::format("choose one: {}={}:{}", spec.name, spec.path, arrays.front()));
  std::vector<RawTable> tables;
  for (const auto& array : arrays) tables.push_back(table_of_npz_array(spec, array, file, spool));
  return tables;
}

/// Kinds that users have and mkc does not read: how to get there from them.
[[noreturn]] void refuse_file(const std::string& path) {
  require_file(path);
  Hint hint = supported;
  for (const char* extension : {".xls", ".xlsb", ".ods"})
    if (has_extension(path, extension))
      hint = "save it as .xlsx or as CSV in a spreadsheet program";
  if (has_extension(path, ".parquet"))
    hint =
        fmt::format("the Python package converts it: python -m mkc convert {} -o FILE.csv", path);
  throw InputError(fmt::format("'{}': a file of this kind is not read", path), hint);
}

std::vector<RawTable> read_file(const ViewSpec& spec, const Strings& na_values,
                                const FileNamer& spool) {
  if (has_extension(spec.path, ".npz")) return tables_of_npz(spec, spool);
  if (has_extension(spec.path, ".mat")) return tables_of_mat_file(spec);
  if (is_hdf5_path(spec.path)) return tables_of_hdf5(spec, spool);
  if (is_r_path(spec.path)) return tables_of_r(spec, na_values);
  if (is_workbook_path(spec.path)) return {table_of_workbook(spec, na_values)};
  if (!spec.array.empty())
    throw InputError(
        fmt::format("'{}:{}': a file of this kind holds no named arrays", spec.path, spec.array),
        supported);
  if (is_table(spec.path)) return {table_of_text(spec, na_values, spool)};
  if (has_extension(spec.path, ".npy")) return {table_of_npy(spec, spool)};
  if (has_extension(spec.path, ".mtx") || has_extension(spec.path, ".mtx.gz"))
    return {table_of_mtx(spec)};
  refuse_file(spec.path);
}

}  // namespace

ViewSpec with_defaults(ViewSpec spec, const ReadOptions& read) {
  OptionValues options = read_option_table().values(read);
  options.insert(options.end(), spec.read_options.begin(), spec.read_options.end());
  spec.read_options = std::move(options);
  return spec;
}

std::vector<RawTable> read_tables(const ViewSpec& spec, const Strings& na_values,
                                  const FileNamer& spool) {
  const bool whole = asked_side(spec) == SamplesIn::columns;
  static const FileNamer none;
  std::vector<RawTable> tables = read_file(spec, na_values, whole ? none : spool);
  for (auto& table : tables) {
    if (spool && whole && is_table(spec.path)) turn(table);
    if (spool && !table.rows) table.rows = std::make_shared<MatrixRows>(std::move(table.values));
    table.file = spec.path;
    table.kernel_options = spec.kernel_options;
    table.read = read_option_table().parse(spec.read_options);
  }
  return tables;
}

std::vector<View> read_views(const ViewSpec& spec, const Strings& na_values) {
  std::vector<View> views;
  for (auto& table : read_tables(spec, na_values)) {
    if (!table.lines.empty() && table.read.samples_in == SamplesIn::columns) turn(table);
    use_words(table);
    views.push_back(to_view(std::move(table)).view);
    check_ids(views.back().ids, views.back().source);
  }
  return views;
}

}  // namespace mkc::io
