#include "files/read_views.hpp"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include <fmt/format.h>

#include "formats/files.hpp"
#include "files/hdf5_views.hpp"
#include "files/mat_views.hpp"
#include "formats/utf8.hpp"
#include "files/view_parts.hpp"
#include "mkc/base/error.hpp"
#include "formats/csv.hpp"
#include "formats/npz.hpp"
#include "mkc/files/read_options.hpp"
#include "base/text.hpp"

namespace mkc::io {

namespace {

constexpr std::string_view samples_array = "samples";
constexpr std::string_view samples_prefix = "samples_";
constexpr const char* supported =
    "supported are .csv, .tsv and .txt (also with .gz), .npy, .npz, .mat, .mtx, "
    ".h5, .h5ad and .h5mu";

bool is_table(std::string_view path) {
  if (has_extension(path, ".gz")) path.remove_suffix(3);
  return has_extension(path, ".csv") || has_extension(path, ".tsv") || has_extension(path, ".txt");
}

bool remove_extension(std::string& name, std::string_view extension) {
  if (!has_extension(name, extension) || name.size() == extension.size()) return false;
  name.erase(name.size() - extension.size());
  return true;
}

}  // namespace

std::string name_of_file(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  if (!is_utf8(name))
    throw InputError(fmt::format("the name of file '{}' is not UTF-8 text", path),
                     "give the view a name: NAME=PATH");
  remove_extension(name, ".gz");
  for (const std::string_view extension :
       {".csv", ".tsv", ".txt", ".npy", ".mtx", ".h5", ".hdf5", ".h5ad", ".h5mu"})
    if (remove_extension(name, extension)) break;
  return name;
}

SamplesIn side_told(const ViewSpec& spec) {
  return read_option_table().parse(spec.read_options).samples_in;
}

View new_view(const ViewSpec& spec, std::string name, std::string source) {
  View view;
  view.name = std::move(name);
  view.source = std::move(source);
  view.kernel_options = spec.kernel_options;
  return view;
}

void number_rows(View& view) {
  view.numbered = true;
  view.ids.clear();
  for (Index i = 0; i < view.values.rows(); ++i) view.ids.push_back(std::to_string(i));
}

namespace {

/// Left unsettled: where its samples are is for settle_tables to say.
View view_of_table(const ViewSpec& spec, const Strings& na_values) {
  // Several rows of one sample are for merge_replicates to judge.
  const TableOptions options{.na_values = na_values, .repeated_names = true};
  Table table = read_table(spec.path, options);
  View view = new_view(spec, spec.name.empty() ? name_of_file(spec.path) : spec.name, spec.path);
  view.ids = std::move(table.row_names);
  view.values = std::move(table.values);
  view.lines = std::move(table.lines);
  view.notices = std::move(table.notices);
  view.feature_names = std::move(table.column_names);
  view.asked_kind = spec.kind;
  view.settled = false;
  return view;
}

/// Values without a column have rows without end: refused before ids are made for them.
void take_values(Array&& array, const ViewSpec& spec, View& view) {
  view.values = take_matrix(std::move(array), view.source);
  if (view.values.size() == 0)
    throw InputError(fmt::format("{}: the array has no values, its shape is ({}, {})", view.source,
                                 view.values.rows(), view.values.cols()));
  if (side_told(spec) == SamplesIn::columns) turn(view);
}

View view_of_npy(const ViewSpec& spec) {
  View view = new_view(spec, spec.name.empty() ? name_of_file(spec.path) : spec.name, spec.path);
  take_values(read_npy(spec.path), spec, view);
  number_rows(view);
  settle_kind(view, {}, spec.kind);
  drop_missing_samples(view);
  return view;
}

bool names_samples(std::string_view array) {
  return array == samples_array || array.starts_with(samples_prefix);
}

}  // namespace

void check_ids(const Strings& ids, const std::string& where) {
  std::unordered_map<std::string_view, std::size_t> position;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i].empty()) throw InputError(fmt::format("{}: id {} is empty", where, i));
    if (ids[i].find_first_of("\n\r") != std::string::npos)
      throw InputError(fmt::format("{}: id '{}' holds a line break", where, shown(ids[i])),
                       "ids are written into tables, one line per sample");
    const auto [earlier, is_new] = position.emplace(ids[i], i);
    if (!is_new)
      throw InputError(fmt::format("{}: id '{}' stands at {} and again at {} (counted from 0)",
                                   where, shown(ids[i]), earlier->second, i),
                       "every sample has one row");
  }
}

namespace {

/// Ids of the rows of an array: samples_<array>, else samples, else numbers.
void take_ids_for(const std::string& array, const std::string& path, const Strings& names,
                  View& view) {
  const std::string own = std::string(samples_prefix) + array;
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!has(own) && !has(samples_array)) return number_rows(view);
  const std::string source = has(own) ? own : std::string(samples_array);
  const std::string where = path + ":" + source;
  view.ids = take_ids(read_npz_array(path, source), where);
  if (static_cast<Index>(view.ids.size()) != view.values.rows())
    throw InputError(fmt::format("{}: {} has {} ids, array '{}' has {} rows", path, source,
                                 view.ids.size(), array, view.values.rows()),
                     fmt::format("save the ids of this view as {}", own));
  check_ids(view.ids, where);
}

/// Arrays that become views; InputError for ids of a view that is not there.
Strings view_arrays(const std::string& path, const Strings& names) {
  Strings views;
  for (const auto& name : names)
    if (!names_samples(name)) views.push_back(name);
  if (views.empty()) throw InputError(path + ": holds sample ids, but no view");
  for (const auto& name : names) {
    if (!name.starts_with(samples_prefix)) continue;
    const std::string view = name.substr(samples_prefix.size());
    if (std::find(views.begin(), views.end(), view) == views.end())
      throw InputError(fmt::format("{}: array '{}' holds ids of a view '{}' that is not there{}",
                                   path, name, view, suggestion(view, views)));
  }
  return views;
}

View view_of_npz_array(const ViewSpec& spec, const std::string& array, const Strings& names) {
  const std::string source = spec.path + ":" + array;
  View view = new_view(spec, spec.name.empty() ? array : spec.name, source);
  take_values(read_npz_array(spec.path, array), spec, view);
  take_ids_for(array, spec.path, names, view);
  settle_kind(view, {}, spec.kind);
  drop_missing_samples(view);
  return view;
}

std::vector<View> views_of_npz(const ViewSpec& spec) {
  const Strings names = list_npz(spec.path);
  const Strings arrays = spec.array.empty() ? view_arrays(spec.path, names) : Strings{spec.array};
  if (!spec.name.empty() && arrays.size() > 1)
    throw InputError(fmt::format("{}: one name '{}' for {} arrays: {}", spec.path, spec.name,
                                 arrays.size(), join(arrays)),
                     fmt::format("choose one: {}={}:{}", spec.name, spec.path, arrays.front()));
  std::vector<View> views;
  for (const auto& array : arrays) views.push_back(view_of_npz_array(spec, array, names));
  return views;
}

std::vector<View> read_file(const ViewSpec& spec, const Strings& na_values) {
  if (has_extension(spec.path, ".npz")) return views_of_npz(spec);
  if (has_extension(spec.path, ".mat")) return views_of_mat_file(spec);
  if (is_hdf5_path(spec.path)) return views_of_hdf5(spec);
  std::vector<View> views;
  if (!spec.array.empty())
    throw InputError(fmt::format("'{}:{}': only NPZ, MAT and HDF5 files hold named arrays",
                                 spec.path, spec.array),
                     supported);
  if (is_table(spec.path)) {
    views.push_back(view_of_table(spec, na_values));
  } else if (has_extension(spec.path, ".npy")) {
    views.push_back(view_of_npy(spec));
  } else if (has_extension(spec.path, ".mtx") || has_extension(spec.path, ".mtx.gz")) {
    views.push_back(view_of_mtx(spec));
  } else {
    require_file(spec.path);
    throw InputError(fmt::format("'{}': a file of this kind is not read", spec.path), supported);
  }
  return views;
}

}  // namespace

std::vector<View> read_unsettled_views(const ViewSpec& spec, const Strings& na_values) {
  std::vector<View> views = read_file(spec, na_values);
  for (auto& view : views) {
    view.read_options = spec.read_options;
    for (const auto& option : spec.read_options)
      if (option.first == "na_features")
        view.na_features = read_option_table().parse({option}).na_features;
  }
  return views;
}

std::vector<View> read_views(const ViewSpec& spec, const Strings& na_values) {
  std::vector<View> views = read_unsettled_views(spec, na_values);
  for (auto& view : views) {
    if (view.settled) continue;
    if (side_told(spec) == SamplesIn::columns) turn(view);
    settle(view);
    check_ids(view.ids, view.source);
  }
  return views;
}

}  // namespace mkc::io
