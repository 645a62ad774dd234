#include "files/hdf5_views.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/anndata.hpp"
#include "formats/files.hpp"
#include "formats/hdf5.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr const char* layout =
    "a view is a matrix, or a group views/NAME with X or K, samples and features";

bool is_matrix(const h5::Node& node) {
  return node.is_dataset() && h5::shape(node).size() == 2 && h5::is_numeric(node);
}

bool is_sample_list(const std::string& name) {
  return name == "samples" || name.starts_with("samples_");
}

Strings ids_of(const h5::Node& group, const std::string& name, Index rows) {
  const h5::Node list = h5::open(group, name);
  Strings ids = h5::read_words(list);
  if (static_cast<Index>(ids.size()) != rows)
    h5::fail(list.where, fmt::format("{} ids for {} rows", ids.size(), rows));
  check_ids(ids, list.where);
  return ids;
}

/// Ids of the rows: the view's own list, else that of all views, else numbers.
void take_ids_for(const h5::Node& root, const h5::Node& group, const std::string& own,
                  RawTable& table) {
  if (h5::has(group, own))
    table.row_names = ids_of(group, own, rows_of(table));
  else if (h5::has(root, "samples"))
    table.row_names = ids_of(root, "samples", rows_of(table));
  else
    number_rows(table);
}

RawTable table_of(const ViewSpec& spec, const h5::Node& dataset, const std::string& name,
                  const std::string& source, bool in_blocks) {
  RawTable table = new_table(spec.name.empty() ? name : spec.name, source);
  if (in_blocks)
    table.rows = h5::rows_of_matrix(dataset);
  else
    table.values = h5::read_matrix(dataset);
  if (rows_of(table) == 0 || columns_of(table) == 0)
    h5::fail(source, fmt::format("has no values, its shape is ({}, {})", rows_of(table),
                                 columns_of(table)));
  return table;
}

/// views/<name>: K is a kernel, X are features.
RawTable read_group(const ViewSpec& spec, const std::string& name, const h5::Node& root,
                    const h5::Node& group, bool in_blocks) {
  const bool kernel = h5::has(group, "K");
  if (!kernel && !h5::has(group, "X")) h5::fail(group.where, "holds neither X nor K", layout);
  RawTable table =
      table_of(spec, h5::open(group, kernel ? "K" : "X"), name, group.where, in_blocks);
  take_ids_for(root, group, "samples", table);
  if (!kernel && h5::has(group, "features"))
    table.column_names = ids_of(group, "features", columns_of(table));
  table.kind = spec.kind.value_or(kernel ? ViewKind::kernel : ViewKind::features);
  return table;
}

RawTable read_dataset(const ViewSpec& spec, const std::string& name, const h5::Node& root,
                      bool in_blocks) {
  const h5::Node dataset = h5::open(root, name);
  const bool turned = asked_side(spec) == SamplesIn::columns;
  RawTable table = table_of(spec, dataset, name, dataset.where, in_blocks && !turned);
  if (turned) turn(table);
  take_ids_for(root, root, "samples_" + name, table);
  table.kind = spec.kind;
  return table;
}

Strings matrices_of(const h5::Node& root) {
  Strings names;
  for (const auto& name : h5::members(root))
    if (!is_sample_list(name) && is_matrix(h5::open(root, name))) names.push_back(name);
  return names;
}

}  // namespace

Strings choose_views(const ViewSpec& spec, const Strings& names) {
  if (spec.array.empty()) {
    if (names.empty()) h5::fail(spec.path, "no view found", layout);
    if (!spec.name.empty() && names.size() > 1)
      throw InputError(
          fmt::format("{}: one name '{}' for {} views: {}", spec.path, spec.name, names.size(),
                      shown(names)),
          fmt::format("choose one: {}={}:{}", spec.name, spec.path, shown(names.front())));
    return names;
  }
  if (std::find(names.begin(), names.end(), spec.array) == names.end())
    h5::fail(
        spec.path,
        fmt::format("there is no view '{}'{}", shown(spec.array), suggestion(spec.array, names)),
        fmt::format("the file holds {}", names.empty() ? "none" : shown(names)));
  return {spec.array};
}

namespace {

/// A dead link is an error where it is the view that is asked for. Else the first table has a note
/// of it, because the link may have stood for a view.
TableSink noting_dead_links(const ViewSpec& spec, const h5::Node& group, const TableSink& sink) {
  Strings dead = h5::dead_links(group);
  const std::string asked = spec.array.substr(0, spec.array.find('/'));
  if (std::find(dead.begin(), dead.end(), asked) != dead.end()) h5::open(group, asked);
  if (dead.empty() || !spec.array.empty()) return sink;
  return {[sink, dead = std::move(dead), noted = false](RawTable table) mutable {
            if (!std::exchange(noted, true))
              table.notices.push_back(fmt::format(
                  "links of the file that lead to nothing in it are left out: {}", shown(dead)));
            sink(std::move(table));
          },
          sink.in_blocks};
}

void read_root(const ViewSpec& spec, const TableSink& given) {
  const h5::Node root = h5::open_root(spec.path);
  const Strings names = h5::members(root);
  const auto has = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (has("mod"))
    return read_mudata(spec, root, noting_dead_links(spec, h5::open(root, "mod"), given));
  if (has("obs")) return read_anndata(spec, root, given);
  if (has("views")) {
    const h5::Node views = h5::open(root, "views");
    const TableSink sink = noting_dead_links(spec, views, given);
    for (const auto& name : choose_views(spec, h5::members_in_order(views, "order")))
      sink(read_group(spec, name, root, h5::open(views, name), sink.in_blocks));
    return;
  }
  const TableSink sink = noting_dead_links(spec, root, given);
  for (const auto& name : choose_views(spec, matrices_of(root)))
    sink(read_dataset(spec, name, root, sink.in_blocks));
}

}  // namespace

bool is_hdf5_path(const std::string& path) {
  return has_extension(path, ".h5") || has_extension(path, ".hdf5") ||
         has_extension(path, ".h5ad") || has_extension(path, ".h5mu");
}

std::vector<RawTable> tables_of_hdf5(const ViewSpec& spec, const FileNamer& spool) {
  return read_in_child(spec.path, [&](const TableSink& sink) { read_root(spec, sink); }, spool);
}

}  // namespace mkc::io
