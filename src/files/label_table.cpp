#include "files/label_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "files/anndata_labels.hpp"
#include "files/mat_views.hpp"
#include "files/r_views.hpp"
#include "formats/files.hpp"
#include "formats/xlsx.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

/// "SHEET:COLUMN" where the workbook has such a sheet, else a column of its first sheet.
TextTable table_of_workbook(LabelSource& source, Strings& notices) {
  const Workbook workbook(source.path);
  const auto colon = source.column.find(':');
  std::string sheet = source.column.substr(0, colon);
  const bool named = std::find(workbook.sheets().begin(), workbook.sheets().end(), sheet) !=
                     workbook.sheets().end();
  if (colon != std::string::npos && named)
    source.column.erase(0, colon + 1);
  else
    sheet.clear();
  SheetText text = workbook.read(sheet, CellsAs::words);
  for (const auto& notice : text.notices) notices.push_back(source.path + ": " + notice);
  return read_text_table(TextLines(source.path, std::move(text.text)));
}

/// Rows without ids are those of samples without ids, if they are as many.
void number_samples(LabelColumns& labels, const LabelSource& source, const Strings& samples,
                    Strings& notices) {
  if (samples != numbered(static_cast<Index>(samples.size())))
    throw InputError(
        fmt::format("{}: the labels have no sample ids, and the samples of the views do: {}",
                    source.path, first_of(samples)),
        "add a variable samples with the ids to the file, or write a table of ids and labels");
  if (labels.rows != static_cast<Index>(samples.size()))
    throw InputError(fmt::format("{}: {} labels without sample ids for {} samples without ids",
                                 source.path, labels.rows, samples.size()),
                     "add a variable samples with the ids to both files");
  labels.ids = samples;
  notices.push_back(fmt::format(
      "{}: neither labels nor views have sample ids: label 1 is taken for sample 0, and so on",
      source.path));
}

TextTable table_of_columns(LabelColumns labels, const LabelSource& source, const Strings& samples,
                           Strings& notices) {
  if (labels.ids.empty()) number_samples(labels, source, samples, notices);
  TextTable table{source.path, {"sample"}, {}, {}};
  for (const auto& [name, words] : labels.columns) table.header.push_back(name);
  for (std::size_t i = 0; i < labels.ids.size(); ++i) {
    Strings row = {labels.ids[i]};
    for (const auto& [name, words] : labels.columns) row.push_back(words[i]);
    table.rows.push_back(std::move(row));
    table.lines.push_back(static_cast<Index>(i) + 1);
  }
  return table;
}

}  // namespace

TextTable read_label_table(LabelSource& source, const Strings& samples, Strings& notices) {
  const std::string& path = source.path;
  if (is_workbook_path(path)) return table_of_workbook(source, notices);
  if (is_r_path(path)) return table_of_columns(labels_of_r(source), source, samples, notices);
  if (has_extension(path, ".mat"))
    return table_of_columns(labels_of_mat_file(path, source.column), source, samples, notices);
  if (has_extension(path, ".h5ad") || has_extension(path, ".h5mu"))
    return table_of_columns(labels_of_anndata(source), source, samples, notices);
  for (const char* extension : {".npz", ".npy", ".h5", ".hdf5", ".xls", ".ods", ".parquet"})
    if (has_extension(path, extension)) {
      require_file(path);
      throw InputError(
          fmt::format("'{}': labels are not read from a file of this kind", path),
          "supported are .csv and .tsv (also with .gz), .xlsx, .rds, .RData, .mat, .h5ad, "
          ".h5mu");
    }
  return read_text_table(path);
}

}  // namespace mkc::io
