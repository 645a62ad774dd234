#include "files/label_carrier.hpp"

namespace mkc::io {

/// The first table carries the ids and the number of rows, each other one a column.
LabelColumns labels_in_child(const std::string& path, const std::function<LabelColumns()>& reader) {
  const auto tables = read_in_child(path, [&](const TableSink& sink) {
    LabelColumns labels = reader();
    RawTable head;
    head.row_names = std::move(labels.ids);
    head.values = Matrix::Constant(1, 1, static_cast<double>(labels.rows));
    sink(std::move(head));
    for (auto& [name, words] : labels.columns) {
      RawTable column;
      column.name = std::move(name);
      column.row_names = std::move(words);
      sink(std::move(column));
    }
  });
  LabelColumns labels{tables.at(0).row_names, static_cast<Index>(tables[0].values(0, 0)), {}};
  for (std::size_t i = 1; i < tables.size(); ++i)
    labels.columns.emplace_back(tables[i].name, tables[i].row_names);
  return labels;
}

}  // namespace mkc::io
