#include "files/anndata.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "formats/files.hpp"
#include "formats/sparse.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

/// Words of a dataset, or of the groups that newer versions write for nullable and categorical
/// texts.
Strings words_of(const h5::Node& node) {
  if (!node.is_group()) return h5::read_words(node);
  if (h5::has(node, "values")) return h5::read_words(h5::open(node, "values"));
  const Strings categories = h5::read_words(h5::open(node, "categories"));
  Strings words;
  for (const double code : h5::read_numbers(h5::open(node, "codes"))) {
    if (!(code >= 0 && code < static_cast<double>(categories.size())))
      h5::fail(node.where, fmt::format("category {} of {}", code, categories.size()));
    words.push_back(categories[static_cast<std::size_t>(code)]);
  }
  return words;
}

}  // namespace

Strings index_of(const h5::Node& group, const std::string& table) {
  const h5::Node node = h5::open(group, table);
  if (!node.is_group())
    h5::fail(node.where, "the layout of AnnData before version 0.7 is not supported",
             "read and write it again with a newer anndata");
  const std::string column = h5::text_attribute(node, "_index").value_or("_index");
  const h5::Node index = h5::open(node, column);
  Strings names = words_of(index);
  check_ids(names, index.where);
  return names;
}

namespace {

Vector sparse_shape(const h5::Node& group) {
  auto shape = h5::number_attribute(group, "shape");
  if (!shape) shape = h5::number_attribute(group, "h5sparse_shape");
  if (!shape || shape->size() != 2) h5::fail(group.where, "a sparse matrix without its shape");
  return *shape;
}

Matrix sparse_values(const h5::Node& group, const std::string& format) {
  const Vector shape = sparse_shape(group);
  const bool by_rows = format.starts_with("csr");
  const Vector starts = h5::read_numbers(h5::open(group, "indptr"));
  if (static_cast<double>(starts.size()) != shape(by_rows ? 0 : 1) + 1)
    h5::fail(group.where, fmt::format("{} starts for a sparse matrix of {} x {}", starts.size(),
                                      shape(0), shape(1)));
  Matrix values = dense_from_columns(
      shape(by_rows ? 1 : 0), starts, h5::read_numbers(h5::open(group, "indices")),
      h5::read_numbers(h5::open(group, "data")), group.where, by_rows);
  if (by_rows) values.transposeInPlace();
  return values;
}

/// "csr_matrix" or "csc_matrix"
std::string sparse_format(const h5::Node& node) {
  auto format = h5::text_attribute(node, "encoding-type");
  if (!format) format = h5::text_attribute(node, "h5sparse_format");
  if (!format || !(format->starts_with("csr") || format->starts_with("csc")))
    h5::fail(node.where,
             fmt::format("matrices of type '{}' are not supported", shown(format.value_or(""))),
             "supported are dense, csr and csc matrices");
  return *format;
}

void take_values(RawTable& table, const h5::Node& node, bool in_blocks) {
  if (!in_blocks) {
    table.values =
        node.is_group() ? sparse_values(node, sparse_format(node)) : h5::read_matrix(node);
  } else if (!node.is_group()) {
    table.rows = h5::rows_of_matrix(node);
  } else if (sparse_format(node).starts_with("csr")) {
    const Vector shape = sparse_shape(node);
    table.rows = h5::rows_of_csr(node, shape(1));
    if (static_cast<double>(table.rows->rows()) != shape(0))
      h5::fail(node.where, fmt::format("{} starts for a sparse matrix of {} x {}",
                                       table.rows->rows() + 1, shape(0), shape(1)));
  } else {  // by columns: all of it is needed for one row
    table.rows = std::make_shared<MatrixRows>(sparse_values(node, sparse_format(node)));
  }
}

bool has_features(const h5::Node& group) {
  if (!h5::has(group, "X")) return false;
  const h5::Node X = h5::open(group, "X");
  return X.is_group() || (X.is_dataset() && h5::shape(X).size() == 2 && h5::shape(X)[1] > 0);
}

/// "obsp/a", "obsp/b"
Strings members_of(const h5::Node& group, const std::string& part) {
  Strings names;
  if (h5::has(group, part))
    for (const auto& name : h5::members(h5::open(group, part))) names.push_back(part + "/" + name);
  return names;
}

/// The parts that are read without a selector: X, else the kernels of obsp.
Strings default_parts(const h5::Node& group) {
  return has_features(group) ? Strings{"X"} : members_of(group, "obsp");
}

/// A part of one AnnData object (X, obsp/NAME, obsm/NAME) as a table.
RawTable table_of_part(const ViewSpec& spec, const h5::Node& group, const std::string& part,
                       const std::string& name, Strings samples, bool in_blocks) {
  const std::size_t slash = part.find('/');
  const bool nested = slash != std::string::npos;
  const h5::Node folder = nested ? h5::open(group, part.substr(0, slash)) : h5::open(group, part);
  const h5::Node node = nested ? h5::open(folder, part.substr(slash + 1)) : h5::open(group, part);
  RawTable table = new_table(spec.name.empty() ? name : spec.name, node.where);
  take_values(table, node, in_blocks);
  if (rows_of(table) == 0 || columns_of(table) == 0) h5::fail(node.where, "has no values");
  table.row_names = std::move(samples);
  if (static_cast<Index>(table.row_names.size()) != rows_of(table))
    h5::fail(node.where,
             fmt::format("{} rows for {} samples in obs", rows_of(table), table.row_names.size()));
  if (part == "X" && h5::has(group, "var")) {
    table.column_names = index_of(group, "var");
    if (static_cast<Index>(table.column_names.size()) != columns_of(table))
      h5::fail(node.where, fmt::format("{} columns for {} features in var", columns_of(table),
                                       table.column_names.size()));
  }
  const bool kernel = part.starts_with("obsp/");
  table.kind = spec.kind.value_or(kernel ? ViewKind::kernel : ViewKind::features);
  return table;
}

bool selects_inside(const std::string& selector) {
  return selector == "X" || selector.starts_with("obsp/") || selector.starts_with("obsm/");
}

}  // namespace

Strings mapped_samples(const h5::Node& root, const std::string& modality, Strings own,
                       const Strings& all) {
  if (!h5::has(root, "obsmap")) return own;
  const h5::Node maps = h5::open(root, "obsmap");
  if (!h5::has(maps, modality)) return own;
  const h5::Node node = h5::open(maps, modality);
  const Vector map = h5::read_numbers(node);
  if (map.size() != static_cast<Index>(all.size()))
    h5::fail(node.where, fmt::format("{} entries for {} samples", map.size(), all.size()));
  std::vector<bool> named(own.size(), false);
  for (Index i = 0; i < map.size(); ++i) {
    if (map(i) == 0) continue;
    if (!(map(i) >= 1 && map(i) <= static_cast<double>(own.size())) || map(i) != std::floor(map(i)))
      h5::fail(node.where,
               fmt::format("row {} of {} for sample '{}'", map(i), own.size(), shown(all[at(i)])));
    const auto row = static_cast<std::size_t>(map(i)) - 1;
    if (named[row])
      h5::fail(node.where, fmt::format("row {} belongs to two samples, the second is '{}'", row + 1,
                                       shown(all[at(i)])));
    named[row] = true;
    own[row] = all[at(i)];
  }
  check_ids(own, node.where);
  return own;
}

namespace {

void refuse_shared_features(const h5::Node& root) {
  const auto axis = h5::number_attribute(root, "axis");
  if (axis && axis->size() == 1 && (*axis)(0) != 0)
    h5::fail(root.where, "its modalities share features, not samples (axis is not 0)",
             "views share samples: mudata.MuData(..., axis=0)");
}

}  // namespace

void read_anndata(const ViewSpec& spec, const h5::Node& root, const TableSink& sink) {
  Strings parts = default_parts(root);
  if (selects_inside(spec.array)) parts = {spec.array};
  ViewSpec whole = spec;
  if (selects_inside(spec.array)) whole.array.clear();
  const Strings samples = index_of(root, "obs");
  for (const auto& part : choose_views(whole, parts))
    sink(table_of_part(spec, root, part, part == "X" ? view_name(spec) : part.substr(5), samples,
                       sink.in_blocks));
}

void read_mudata(const ViewSpec& spec, const h5::Node& root, const TableSink& sink) {
  refuse_shared_features(root);
  const h5::Node modalities = h5::open(root, "mod");
  const std::size_t slash = spec.array.find('/');
  ViewSpec chosen = spec;
  chosen.array = spec.array.substr(0, slash);
  const std::string inside = slash == std::string::npos ? "" : spec.array.substr(slash + 1);
  if (!inside.empty() && !selects_inside(inside))
    h5::fail(spec.path, fmt::format("'{}' is not X, obsp/NAME or obsm/NAME", shown(inside)));
  const Strings all = h5::has(root, "obs") ? index_of(root, "obs") : Strings();
  for (const auto& name : choose_views(chosen, h5::members_in_order(modalities, "mod-order"))) {
    const h5::Node group = h5::open(modalities, name);
    const Strings parts = inside.empty() ? default_parts(group) : Strings{inside};
    if (parts.size() != 1)
      h5::fail(group.where,
               parts.empty() ? "has neither X nor a kernel in obsp"
                             : fmt::format("has several kernels in obsp: {}", shown(parts)),
               fmt::format("choose one: {}:{}/obsp/NAME", spec.path, shown(name)));
    sink(table_of_part(spec, group, parts.front(), name,
                       mapped_samples(root, name, index_of(group, "obs"), all), sink.in_blocks));
  }
}

}  // namespace mkc::io
