// Files to views in memory, as the tool reads them.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "mkc/files/read_all.hpp"
#include "module.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;

/// A name ("" = that of the file) and a view as the command line has it: PATH[:ARRAY][,option=...].
using NamedSpec = std::pair<std::string, std::string>;

nb::dict described(View&& view) {
  nb::dict entry;
  entry["name"] = view.name;
  entry["ids"] = view.ids;
  entry["numbered"] = view.numbered;
  entry["kernel"] = view.kind == ViewKind::kernel;
  entry["features"] = view.feature_names;
  entry["notices"] = view.notices;
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

}  // namespace

void bind_read(nb::module_& module) {
  module.def("read_views", &read_views, "files"_a, "options"_a, "na_values"_a, "ids"_a,
             "match_rows"_a, "The views of files: names, ids, values and what was assumed.");
}

}  // namespace mkc::python
