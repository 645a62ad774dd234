#pragma once

#include <string>
#include <vector>

#include "mkc/base/types.hpp"

namespace mkc::io {

/// Of columns whose values are places in a list of words: that list; null where they are numbers.
/// Empty: all columns are numbers.
using ColumnWords = std::vector<const Strings*>;

/// Writes a table that read_table reads back to the same numbers: separated by tabs or commas,
/// first header cell `corner`, shortest numbers, NaN as NA. Names are quoted where needed only. The
/// same table gives the same bytes, in gzip too. OutputError where writing fails.
void write_matrix_tsv(const std::string& path, const Strings& row_ids, const Strings& column_ids,
                      const Matrix& values, const std::string& corner = "sample",
                      const ColumnWords& words = {});
void write_matrix_tsv_gz(const std::string& path, const Strings& row_ids, const Strings& column_ids,
                         const Matrix& values, const std::string& corner = "sample",
                         const ColumnWords& words = {});
void write_matrix_csv(const std::string& path, const Strings& row_ids, const Strings& column_ids,
                      const Matrix& values, const std::string& corner = "sample",
                      const ColumnWords& words = {});
void write_matrix_csv_gz(const std::string& path, const Strings& row_ids, const Strings& column_ids,
                         const Matrix& values, const std::string& corner = "sample",
                         const ColumnWords& words = {});

/// Whether a file of this name is one of these tables: .csv, .csv.gz, .tsv or .tsv.gz.
bool is_table_name(const std::string& name);

/// Writes the table in the form that the extension of `name` asks for; `path` may be a temporary
/// file beside it.
void write_matrix_table(const std::string& path, const std::string& name, const Strings& row_ids,
                        const Strings& column_ids, const Matrix& values,
                        const std::string& corner = "sample", const ColumnWords& words = {});

/// A name as a cell of a TSV file: quoted where it holds a tab, a quote or a line end, begins with
/// '#', or has blanks at an end.
std::string tsv_cell(const std::string& name);

/// The same for a CSV file, where commas and semicolons need quotes too.
std::string csv_cell(const std::string& name);

/// File name (without extension) for a view. Slashes, backslashes, control characters and a
/// leading dot become '_'; long names are cut at 200 bytes; "" becomes "view". The result
/// never leaves its folder.
std::string file_name_for(const std::string& view);

/// The same for all views of a result, made distinct with _2, _3, ...
Strings file_names_for(const Strings& views);

}  // namespace mkc::io
