// Files to views in memory, as the tool reads them.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "mkc/files/read_all.hpp"
#include "mkc/files/text_columns.hpp"
#include "module.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;

/// A name ("" = that of the file) and a view as the command line has it: PATH[:ARRAY][,option=...].
using NamedSpec = std::pair<std::string, std::string>;

/// Columns of words, each with the words that its values count from 0 on.
std::vector<std::pair<Index, Strings>> words_of(const View& view) {
  std::vector<std::pair<Index, Strings>> words;
  for (const auto& category : view.categories) words.emplace_back(category.column, category.levels);
  return words;
}

nb::dict described(View&& view) {
  nb::dict entry;
  entry["name"] = view.name;
  entry["ids"] = view.ids;
  entry["numbered"] = view.numbered;
  entry["kernel"] = view.kind == ViewKind::kernel;
  entry["features"] = view.feature_names;
  entry["notices"] = view.notices;
  entry["categories"] = words_of(view);
  entry["source"] = view.source;
  entry["values"] = to_numpy(std::move(view.values));
  return entry;
}

nb::list read_views(const std::vector<NamedSpec>& files, const OptionValues& options,
                    const Strings& na_values, const std::string& ids, bool match_rows) {
  std::vector<io::ViewSpec> specs;
  for (const auto& [name, text] : files) {
    specs.push_back(io::parse_view_spec(text));
    if (!name.empty()) specs.back().name = name;
  }
  io::ReadAllOptions all;
  all.read = io::read_option_table().parse(options);
  all.na_values = na_values;
  all.ids = parse_id_rule(ids);
  all.match_rows = match_rows;
  nb::list list;
  for (auto& view : io::read_all_views(specs, all).views) list.append(described(std::move(view)));
  return list;
}

/// Column, cells, and whether they are words also where they are numbers.
using Texts = std::tuple<Index, Strings, bool>;

nb::dict read_text_columns(const std::string& name, const std::string& source, const Strings& ids,
                           const Strings& features, const Table& values,
                           const std::vector<Texts>& texts) {
  View view;
  view.name = name;
  view.source = source;
  view.ids = ids;
  view.feature_names = features;
  view.values = mapped(values);
  std::vector<io::TextColumn> columns;
  for (const auto& [column, cells, is_factor] : texts)
    columns.push_back({column, cells, is_factor});
  nb::dict entry;
  entry["kept"] = io::read_text_columns(view, columns, {});
  entry["categories"] = words_of(view);
  entry["notices"] = view.notices;
  entry["values"] = to_numpy(std::move(view.values));
  return entry;
}

}  // namespace

void bind_read(nb::module_& module) {
  module.def("read_views", &read_views, "files"_a, "options"_a, "na_values"_a, "ids"_a,
             "match_rows"_a, "The views of files: names, ids, values and what was assumed.");
  module.def("read_text_columns", &read_text_columns, "name"_a, "source"_a, "ids"_a, "features"_a,
             "values"_a, "texts"_a, "Words and dates of a table, by the rules for files.");
}

}  // namespace mkc::python
