#include "files/views_out.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/names.hpp"
#include "files/anndata_write.hpp"
#include "formats/files.hpp"
#include "formats/mat_writer.hpp"
#include "formats/npz.hpp"
#include "formats/tables_out.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double largest_mat_variable = 0x1p31;
constexpr const char* known =
    "mkc writes .npz, .h5, .h5mu, .mat, and for one view .h5ad, .csv and .tsv (.gz)";

bool is_kernel(const View& view) { return view.kind == ViewKind::kernel; }

/// The view on all samples, NaN where it lacks them.
Matrix with_gaps(const View& view, const Strings& samples) {
  const Places place = places_of(samples);
  Indices rows;
  for (const auto& id : view.ids) rows.push_back(place.at(id));
  const auto n = static_cast<Index>(samples.size());
  Matrix values = Matrix::Constant(n, is_kernel(view) ? n : view.values.cols(), nan_value);
  if (is_kernel(view))
    values(rows, rows) = view.values;
  else
    values(rows, Eigen::all) = view.values;
  return values;
}

void write_npz(const std::string& path, const std::vector<View>& views) {
  NpzWriter npz(path);
  const bool same = std::all_of(views.begin(), views.end(),
                                [&](const View& view) { return view.ids == views.front().ids; });
  for (const auto& view : views) npz.add(view.name, view.values);
  if (same) npz.add("samples", views.front().ids);
  for (const auto& view : views)
    if (!same) npz.add("samples_" + view.name, view.ids);
  npz.close();
}

void write_hdf5(const std::string& path, const std::vector<View>& views) {
  h5::Writer file(path);
  const Strings links = file_names_for(names_of(views));
  file.group("views");
  file.attribute("views", "order", links);
  for (std::size_t m = 0; m < views.size(); ++m) {
    const std::string base = "views/" + links[m] + "/";
    file.matrix(base + (is_kernel(views[m]) ? "K" : "X"), views[m].values);
    file.words(base + "samples", views[m].ids);
    if (!views[m].feature_names.empty()) file.words(base + "features", views[m].feature_names);
  }
  file.close();
}

Strings feature_names(const View& view) {
  if (is_kernel(view) || !view.feature_names.empty()) return view.feature_names;
  return numbered(view.values.cols());
}

void write_anndata(const std::string& path, FileFormat format, const std::vector<View>& views) {
  std::vector<Strings> features;
  for (const auto& view : views) features.push_back(feature_names(view));
  std::vector<AnnDataOut> parts;
  for (std::size_t m = 0; m < views.size(); ++m) {
    const View& view = views[m];
    parts.push_back({view.name,
                     view.ids,
                     features[m],
                     is_kernel(view) ? nullptr : &view.values,
                     is_kernel(view) ? &view.values : nullptr,
                     {}});
  }
  if (format == FileFormat::h5ad)
    write_h5ad_file(path, parts.front());
  else
    write_h5mu_file(path, union_of(views, &View::all_ids), parts, nullptr);
}

void write_mat(const std::string& path, const std::vector<View>& views) {
  const Strings samples = union_of(views, &View::all_ids);
  std::vector<Matrix> values;
  for (const auto& view : views) values.push_back(with_gaps(view, samples));
  Matrix observed(static_cast<Index>(samples.size()), static_cast<Index>(views.size()));
  for (Index m = 0; m < observed.cols(); ++m) {
    const Matrix& own = values[at(m)];
    for (Index i = 0; i < observed.rows(); ++i)
      observed(i, m) = own.row(i).array().isNaN().all() ? 0 : 1;
  }
  MatWriter file(path);
  if (std::all_of(views.begin(), views.end(), is_kernel))
    file.add_stack("K", values);
  else
    file.add_cells("X", values);
  file.add("MID", observed);
  file.add_words("samples", samples);
  file.add_words("views", names_of(views));
  file.close();
}

void write_table(const std::string& path, const std::string& name, const View& view) {
  const Strings columns = is_kernel(view) ? view.ids : feature_names(view);
  ColumnWords words(view.categories.empty() ? 0 : columns.size(), nullptr);
  for (const auto& category : view.categories) words[at(category.column)] = &category.levels;
  write_matrix_table(path, name, view.ids, columns, view.values, "sample", words);
}

}  // namespace

FileFormat output_format(const std::string& path) {
  if (has_extension(path, ".npz")) return FileFormat::npz;
  if (has_extension(path, ".h5") || has_extension(path, ".hdf5")) return FileFormat::hdf5;
  if (has_extension(path, ".h5mu")) return FileFormat::h5mu;
  if (has_extension(path, ".h5ad")) return FileFormat::h5ad;
  if (has_extension(path, ".mat")) return FileFormat::mat;
  if (is_table_name(path)) return FileFormat::table;
  throw OptionError(fmt::format("output '{}': a file of this kind is not written", path), known);
}

void check_output(FileFormat format, const std::string& path, const std::vector<View>& views) {
  const bool single = format == FileFormat::table || format == FileFormat::h5ad;
  if (single && views.size() > 1)
    throw OptionError(
        fmt::format("output '{}': a file of this kind holds one view, there are {}", path,
                    views.size()),
        "choose one view of the input (PATH:VIEW), or write .npz, .h5, .h5mu or .mat");
  for (const auto& view : views)
    if (!view.categories.empty() && format != FileFormat::table)
      throw OptionError(
          fmt::format("output '{}': {} holds words, the first in column '{}', and a file of this "
                      "kind holds numbers",
                      path, place_of(view), view.feature_names[at(view.categories[0].column)]),
          "write .tsv or .tsv.gz");
  if (format == FileFormat::npz) check_array_names(names_of(views));
  if (format != FileFormat::mat) return;
  const auto n = static_cast<double>(union_of(views, &View::all_ids).size());
  double bytes = 0;
  for (const auto& view : views)
    bytes += 8 * n * (is_kernel(view) ? n : static_cast<double>(view.values.cols()));
  if (bytes >= largest_mat_variable - 0x1p20)
    throw OptionError(fmt::format("output '{}': {:.3g} GiB, a MATLAB 5 file holds less than 2 GiB",
                                  path, bytes / 0x1p30),
                      "write .h5, which MATLAB reads with h5read");
}

void write_views(const std::string& path, const std::string& name, FileFormat format,
                 const std::vector<View>& views) {
  switch (format) {
    case FileFormat::npz:
      return write_npz(path, views);
    case FileFormat::hdf5:
      return write_hdf5(path, views);
    case FileFormat::h5mu:
    case FileFormat::h5ad:
      return write_anndata(path, format, views);
    case FileFormat::mat:
      return write_mat(path, views);
    case FileFormat::table:
      return write_table(path, name, views.front());
  }
}

}  // namespace mkc::io
