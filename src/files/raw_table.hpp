#pragma once

#include <optional>

#include "formats/row_source.hpp"
#include "formats/word_cells.hpp"
#include "mkc/files/read_options.hpp"
#include "mkc/files/text_columns.hpp"

namespace mkc::io {

struct KnownColumns;

/// A table as its file gives it, before it is known on which side its samples are and whether it is
/// a kernel. to_view() makes a View of it.
struct RawTable {
  std::string name;
  std::string source;    // path[:array]
  std::string file;      // path
  bool is_text = false;  // a table whose first column names the rows
  std::string corner;    // of such a table: the header's cell above the row names
  Strings row_names;
  Strings column_names;   // empty for arrays
  bool numbered = false;  // the file has no row names: they are the numbers of its rows
  Matrix values;
  std::shared_ptr<const RowSource> rows = {};  // instead of values: they stay in a file
  WordCells words;  // cells of text tables that hold words; use_words() reads them
  std::vector<CategoryColumn> categories;  // what they became
  Strings factors = {};                    // columns that the file itself marks as words
  Indices lines;         // of a text table with samples in rows: line of the file of each row
  Indices column_lines;  // of one with samples in columns: that of each feature
  Indices hidden;        // rows that the file's own mask hides
  SamplesIn samples_in = SamplesIn::rows;
  std::string samples_in_because;  // the evidence; "" where there is no choice
  std::optional<ViewKind> kind;    // asked for, or given by the layout of the file
  Strings notices;                 // what was assumed or left out, one sentence each
  OptionValues kernel_options;     // of the specification
  ReadOptions read;
};

/// A view fresh from its file.
struct LoadedView {
  View view;
  Replicates replicates;
};

/// The view of a table whose samples are in rows: decides on its kind, puts the columns of a kernel
/// in the order of the rows, and leaves out samples without any value. InputError where a kernel
/// row is partly missing or no sample is left.
LoadedView to_view(RawTable table);

/// Finds out whether a text table has ids: row numbers are none, and neither is a first column of
/// measurements, which is an InputError, or with `match_rows` the first feature.
void check_row_names(RawTable& table, bool match_rows);

/// Whether the row names of a text table may be ids. Numbers are, where the header says so: 'id'.
bool has_row_ids(const RawTable& table);

/// Of names that are all numbers, one that is no id: a negative one or a decimal.
std::optional<std::string> measurement_among(const Strings& names);

/// Reads the words of a table whose samples are in rows: columns of words become categories, dates
/// become numbers, and columns in which nearly every cell has a word of its own are left out; a
/// notice names them. Columns that read.categories or a model names are categories in any case.
/// InputError where a column holds numbers beside words. Returns the columns that stay.
Indices use_words(RawTable& table, const KnownColumns* known = nullptr);

/// The shape of the values, wherever they are.
inline Index rows_of(const RawTable& table) {
  return table.rows ? table.rows->rows() : table.values.rows();
}
inline Index columns_of(const RawTable& table) {
  return table.rows ? table.rows->columns() : table.values.cols();
}

/// Puts a column of texts into a table in memory: numbers and missing cells become values, all
/// others words.
void take_text_column(const TextColumn& text, RawTable& table);

/// A table without values.
RawTable new_table(std::string name, std::string source);

/// Puts the samples from the columns into rows.
void turn(RawTable& table);

/// Names rows without names "0", "1", ...
void number_rows(RawTable& table);

/// Whether the values are features or a kernel, whose columns are put in the order of the rows.
/// Recognised from values and names where `kind` is empty.
ViewKind resolve_kind(RawTable& table);

/// Names the rows of an array by FILE.docs or FILE.samples beside it, one id per line; without such
/// a file they are numbered.
void take_ids_beside(const std::string& path, RawTable& table);

/// The side given by the specification, else automatic.
SamplesIn asked_side(const ViewSpec& spec);

/// The name of the view: given by the user, or that of the file, "dir/rna.v2.tsv.gz" -> "rna.v2".
std::string view_name(const ViewSpec& spec);

/// InputError where an id is empty, holds a line break or appears twice; `where` names the list.
void check_ids(const Strings& ids, const std::string& where);

/// The table of a Matrix Market file. Sample ids are beside it in FILE.docs or FILE.samples,
/// feature names in FILE.terms or FILE.features; their numbers decide whether samples are rows or
/// columns. Without them samples are rows.
RawTable table_of_mtx(const ViewSpec& spec);

}  // namespace mkc::io
