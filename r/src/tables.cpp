#include "tables.hpp"

#include <numeric>

#include "mkc/files/text_columns.hpp"
#include "values.hpp"

namespace mkc::r {

namespace {

/// Columns of texts and factors of a data frame, whose values are NaN so far.
void take_texts(const cpp11::list& texts, io::RawTable& table) {
  for (const SEXP item : texts) {
    const cpp11::list text(item);
    const io::TextColumn column{cpp11::as_cpp<int>(text["column"]), strings_of(text["cells"]),
                                flag_of(text["is_factor"])};
    io::take_text_column(column, table);
  }
}

io::RawTable table_of(const cpp11::list& given) {
  io::RawTable table = io::new_table(text_of(given["name"]), text_of(given["source"]));
  table.file = table.name;  // tables without row names belong together only where the user says so
  table.values = matrix_of(given["values"]);
  table.row_names = strings_of(given["rows"]);
  table.column_names = strings_of(given["columns"]);
  table.kernel_options = options_of(given["kernel"]);
  table.read = io::read_option_table().parse(options_of(given["read"]));
  table.notices = strings_of(given["notices"]);
  if (const std::string kind = text_of(given["kind"]); !kind.empty())
    table.kind = static_cast<ViewKind>(detail::to_choice("kind", kind, view_kind_names()));
  take_texts(list_of(given["texts"]), table);
  // Names on both sides leave open where the samples are, as in a text table.
  if (!table.row_names.empty() && !table.column_names.empty()) {
    table.is_text = true;
    table.lines.resize(table.row_names.size());
    std::iota(table.lines.begin(), table.lines.end(), Index{1});
    return table;
  }
  if (table.read.samples_in == SamplesIn::columns) io::turn(table);
  if (table.row_names.empty()) io::number_rows(table);
  return table;
}

}  // namespace

std::vector<io::RawTable> tables_of(SEXP list) {
  std::vector<io::RawTable> tables;
  for (const SEXP item : cpp11::list(list)) tables.push_back(table_of(cpp11::list(item)));
  return tables;
}

}  // namespace mkc::r
