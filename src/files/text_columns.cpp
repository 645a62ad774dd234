#include "mkc/files/text_columns.hpp"

#include <limits>

#include "base/text.hpp"
#include "files/raw_table.hpp"
#include "formats/cells.hpp"

namespace mkc::io {

void take_text_column(const TextColumn& text, RawTable& table) {
  for (std::size_t i = 0; i < text.cells.size(); ++i) {
    const std::string& cell = text.cells[i];
    const auto row = static_cast<Index>(i);
    double value = 0;
    const bool missing = is_missing_word(cell), number = !missing && parse_number(cell, value);
    table.values(row, text.column) = number ? value : std::numeric_limits<double>::quiet_NaN();
    if (!missing && !number) table.words.add(row, text.column, cell, table.file);
  }
  if (text.is_factor) table.factors.push_back(table.column_names[at(text.column)]);
}

Indices read_text_columns(View& view, const std::vector<TextColumn>& columns,
                          const ReadOptions& options) {
  RawTable table = new_table(view.name, view.source);
  table.file = place_of(view);
  table.row_names = view.ids;
  table.column_names = std::move(view.feature_names);
  table.values = std::move(view.values);
  table.read = options;
  for (const auto& text : columns) take_text_column(text, table);
  Indices kept = use_words(table);
  view.values = std::move(table.values);
  view.feature_names = std::move(table.column_names);
  view.categories = std::move(table.categories);
  for (auto& notice : table.notices) view.notices.push_back(std::move(notice));
  return kept;
}

}  // namespace mkc::io
