#include "files/anndata_labels.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/anndata.hpp"
#include "files/label_carrier.hpp"
#include "formats/hdf5.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

Strings words_of_codes(const Vector& codes, const Strings& categories, const std::string& where) {
  Strings words;
  for (const double code : codes) {
    if (!(code >= -1 && code < static_cast<double>(categories.size())))
      h5::fail(where, fmt::format("category {} of {}", code, categories.size()));
    words.push_back(code < 0 ? "" : categories[static_cast<std::size_t>(code)]);
  }
  return words;
}

/// A column of obs: words, numbers, categories, or values with a mask of missing ones.
Strings words_of_column(const h5::Node& obs, const std::string& name) {
  const h5::Node node = h5::open(obs, name);
  if (node.is_group() && h5::has(node, "codes"))
    return words_of_codes(h5::read_numbers(h5::open(node, "codes")),
                          h5::read_words(h5::open(node, "categories")), node.where);
  if (node.is_group()) {
    Strings words = h5::read_words(h5::open(node, "values"));
    if (!h5::has(node, "mask")) return words;
    const Vector mask = h5::read_numbers(h5::open(node, "mask"));
    if (mask.size() != static_cast<Index>(words.size()))
      h5::fail(node.where, fmt::format("a mask of {} for {} values", mask.size(), words.size()));
    for (Index i = 0; i < mask.size(); ++i)
      if (mask(i) != 0) words[at(i)].clear();
    return words;
  }
  // As AnnData 0.7 wrote categories.
  if (h5::has(obs, "__categories")) {
    const h5::Node categories = h5::open(obs, "__categories");
    if (h5::has(categories, name))
      return words_of_codes(h5::read_numbers(node), h5::read_words(h5::open(categories, name)),
                            node.where);
  }
  return h5::read_words(node);
}

Strings column_names(const h5::Node& obs) {
  const std::string index = h5::text_attribute(obs, "_index").value_or("_index");
  Strings names;
  for (const auto& name : h5::members_in_order(obs, "column-order"))
    if (name != index && name != "__categories") names.push_back(name);
  return names;
}

/// One column, or (wanted is none of them) all that can be read as words.
void take_columns(const h5::Node& group, const std::string& wanted, LabelColumns& labels) {
  const h5::Node obs = h5::open(group, "obs");
  const Strings names = column_names(obs);
  const bool found = std::find(names.begin(), names.end(), wanted) != names.end();
  for (const auto& name : found ? Strings{wanted} : names) {
    Strings words;
    try {
      words = words_of_column(obs, name);
    } catch (const InputError&) {
      if (found) throw;
      continue;
    }
    if (static_cast<Index>(words.size()) != labels.rows)
      h5::fail(obs.where, fmt::format("column '{}' has {} values for {} samples", shown(name),
                                      words.size(), labels.rows));
    labels.columns.emplace_back(name, std::move(words));
  }
}

LabelColumns read_obs(const std::string& path, const std::string& column) {
  const h5::Node root = h5::open_root(path);
  LabelColumns labels;
  const std::size_t slash = column.find('/');
  const std::string modality = column.substr(0, slash);
  const bool inside = slash != std::string::npos && h5::has(root, "mod") &&
                      h5::has(h5::open(root, "mod"), modality);
  if (!inside) {
    labels.ids = index_of(root, "obs");
    labels.rows = static_cast<Index>(labels.ids.size());
    take_columns(root, column, labels);
    return labels;
  }
  const h5::Node group = h5::open(h5::open(root, "mod"), modality);
  labels.ids = index_of(group, "obs");
  labels.rows = static_cast<Index>(labels.ids.size());
  if (h5::has(root, "obs"))
    labels.ids = mapped_samples(root, modality, std::move(labels.ids), index_of(root, "obs"));
  take_columns(group, column.substr(slash + 1), labels);
  return labels;
}

}  // namespace

LabelColumns labels_of_anndata(LabelSource& source) {
  LabelColumns labels =
      labels_in_child(source.path, [&] { return read_obs(source.path, source.column); });
  const auto has = [&](const std::string& name) {
    return std::any_of(labels.columns.begin(), labels.columns.end(),
                       [&](const auto& column) { return column.first == name; });
  };
  const auto slash = source.column.find('/');
  if (slash != std::string::npos && !has(source.column)) source.column.erase(0, slash + 1);
  return labels;
}

}  // namespace mkc::io
