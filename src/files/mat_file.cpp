#include "files/hdf5_guard.hpp"
#include "files/label_carrier.hpp"
#include "files/mat_views.hpp"
#include "formats/files.hpp"
#include "formats/mat73_read.hpp"

namespace mkc::io {

std::vector<RawTable> tables_of_mat_file(const ViewSpec& spec) {
  if (!is_mat73(spec.path))
    return tables_of_mat(spec, parse_mat5(read_whole_file(spec.path), spec.path));
  return read_in_child(spec.path, [&](const TableSink& sink) {
    for (auto& table : tables_of_mat(spec, parse_mat73(spec.path))) sink(std::move(table));
  });
}

MaskTable mask_of_mat_file(const std::string& path) {
  if (!is_mat73(path)) return mask_of_mat(path, parse_mat5(read_whole_file(path), path));
  const auto tables = read_in_child(path, [&](const TableSink& sink) {
    MaskTable mask = mask_of_mat(path, parse_mat73(path));
    RawTable table;
    table.row_names = std::move(mask.samples);
    table.column_names = std::move(mask.views);
    table.values = mask.observed.cast<double>();
    sink(std::move(table));
  });
  const RawTable& table = tables.at(0);
  return {table.row_names, table.column_names, table.values.array() == 1};
}

LabelColumns labels_of_mat_file(const std::string& path, const std::string& wanted) {
  if (!is_mat73(path)) return labels_of_mat(path, parse_mat5(read_whole_file(path), path), wanted);
  return labels_in_child(path, [&] { return labels_of_mat(path, parse_mat73(path), wanted); });
}

}  // namespace mkc::io
