#include <algorithm>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "files/anndata_write.hpp"
#include "files/views_out.hpp"
#include "formats/hdf5_write.hpp"
#include "formats/mat_writer.hpp"
#include "formats/npz.hpp"
#include "formats/tables_out.hpp"
#include "mkc/base/error.hpp"

namespace mkc::io {

namespace {

const Strings no_names;

std::vector<bool> column(const Mask& observed, std::size_t m) {
  const auto values = observed.col(static_cast<Index>(m));
  return {values.begin(), values.end()};
}

}  // namespace

void check_array_names(const Strings& views) {
  const std::set<std::string_view> taken = {"samples", "training_samples", "diagonals", "views"};
  for (const auto& view : views) {
    // ZIP archives hold no such names, and nobody can type them.
    if (std::any_of(view.begin(), view.end(),
                    [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
      throw OptionError(
          fmt::format("a view cannot be named '{}': it contains a control character", shown(view)),
          {{"name", "", "gives it another name"}});
    if (taken.contains(view) || view.starts_with("samples_"))
      throw OptionError(
          fmt::format("a view cannot be named '{}': NPZ files have another array of that name",
                      shown(view)),
          fmt::format("give it another name: {}_view=FILE", shown(view)));
  }
}

void write_kernels_npz(const std::string& path, const KernelSet& set) {
  NpzWriter npz(path);
  for (std::size_t m = 0; m < set.kernels.size(); ++m) npz.add(set.views[m], set.kernels[m]);
  npz.add("samples", set.samples);
  npz.close();
}

void write_kernels_hdf5(const std::string& path, const KernelSet& set) {
  h5::Writer file(path);
  const Strings links = file_names_for(set.views);
  file.group("views");
  file.attribute("views", "order", links);
  for (std::size_t m = 0; m < links.size(); ++m) {
    file.matrix("views/" + links[m] + "/K", set.kernels[m]);
    file.flags("views/" + links[m] + "/observed", column(set.observed, m));
  }
  file.words("samples", set.samples);
  if (set.relations) file.matrix("view_relations", *set.relations);
  file.close();
}

void write_kernels_h5mu(const std::string& path, const KernelSet& set) {
  std::vector<AnnDataOut> modalities;
  for (std::size_t m = 0; m < set.kernels.size(); ++m)
    modalities.push_back(
        {set.views[m], set.samples, no_names, nullptr, &set.kernels[m], column(set.observed, m)});
  write_h5mu_file(path, set.samples, modalities, set.relations ? &*set.relations : nullptr);
}

void write_kernels_mat(const std::string& path, const KernelSet& set) {
  MatWriter file(path);
  file.add_stack("PredK", set.kernels);
  if (set.relations) file.add("S", *set.relations);
  file.add("MID", set.observed.cast<double>());
  if (!set.objective.empty())
    file.add("objective", Matrix(Eigen::Map<const Vector>(
                              set.objective.data(), static_cast<Index>(set.objective.size()))));
  file.add_words("samples", set.samples);
  file.add_words("views", set.views);
  file.close();
}

bool fits_mat(Index n_samples, Index n_views) {
  const auto n = static_cast<double>(n_samples);
  return 8 * n * n * static_cast<double>(n_views) < 0x1p31 - 0x1p20;
}

}  // namespace mkc::io
