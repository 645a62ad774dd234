#include "files/raw_table.hpp"

#include <utility>

#include "base/names.hpp"

namespace mkc::io {

RawTable new_table(std::string name, std::string source) {
  RawTable table;
  table.name = std::move(name);
  table.source = std::move(source);
  return table;
}

void turn(RawTable& table) {
  table.samples_in = SamplesIn::columns;
  std::swap(table.row_names, table.column_names);
  table.column_lines = std::exchange(table.lines, {});
  table.words.turn();
  table.values = Matrix(table.values.transpose());
}

void number_rows(RawTable& table) {
  table.numbered = true;
  table.row_names = numbered(rows_of(table));
}

}  // namespace mkc::io
