#include "mkc/files/read_all.hpp"

#include <unordered_map>
#include <utility>

#include "files/read_views.hpp"
#include "files/tables_to_views.hpp"

namespace mkc::io {

namespace {

/// Files that hold one array each, of the same name: their views have the names of the files.
void name_by_file(std::vector<RawTable>& tables, const std::vector<ViewSpec>& specs,
                  const Indices& tables_of_spec) {
  std::unordered_map<std::string, Index> views_named;
  for (const auto& table : tables) ++views_named[table.name];
  std::size_t next = 0;
  for (std::size_t s = 0; s < specs.size(); ++s) {
    const std::size_t first = std::exchange(next, next + at(tables_of_spec[s]));
    if (tables_of_spec[s] != 1 || !specs[s].name.empty()) continue;
    if (views_named[tables[first].name] > 1) tables[first].name = view_name(specs[s]);
  }
}

}  // namespace

ReadViews read_all_views(const std::vector<ViewSpec>& specs, const ReadAllOptions& options) {
  std::vector<RawTable> tables;
  Indices tables_of_spec;
  for (const auto& spec : specs) {
    std::vector<RawTable> some = read_tables(with_defaults(spec, options.read), options.na_values);
    tables_of_spec.push_back(std::ssize(some));
    for (auto& table : some) tables.push_back(std::move(table));
  }
  name_by_file(tables, specs, tables_of_spec);
  return views_of_tables(std::move(tables), options);
}

}  // namespace mkc::io
