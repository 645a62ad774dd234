#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "gather.hpp"
#include "mkc/files/model_file.hpp"

namespace mkc::python {

/// A view of new samples: name, source, ids of all rows, of those with values, names of columns (or
/// none), values of the latter, whether these are kernel rows.
using NewTable = std::tuple<std::string, std::string, Strings, Strings, Strings, Table, bool>;

inline std::vector<io::NewTable> new_tables(const std::vector<NewTable>& tables) {
  std::vector<io::NewTable> given;
  for (const auto& [name, source, all_ids, ids, columns, values, kernel_rows] : tables) {
    io::NewTable table;
    table.view.name = name;
    table.view.source = source;
    table.view.all_ids = all_ids;
    table.view.ids = ids;
    table.view.feature_names = columns;
    table.view.values = mapped(values);
    table.kernel_rows = kernel_rows;
    given.push_back(std::move(table));
  }
  return given;
}

}  // namespace mkc::python
