#pragma once

#include <optional>
#include <string>
#include <vector>

#include "files/read_views.hpp"
#include "mkc/base/types.hpp"

namespace mkc::io {

enum class FileFormat { npz, hdf5, h5mu, h5ad, mat, table };

/// The format of an output path by its extension; OptionError for one that mkc does not write.
FileFormat output_format(const std::string& path);

/// OptionError where one file of this format cannot hold these views: tables and .h5ad hold one
/// view, MATLAB 5 files at most 2 GiB.
void check_output(FileFormat format, const std::string& path, const std::vector<View>& views);

/// Writes views into one file that read_views reads back (docs/reference/formats.md). `name` is the
/// path the user gave, `path` may be a temporary file beside it.
void write_views(const std::string& path, const std::string& name, FileFormat format,
                 const std::vector<View>& views);

/// Completed kernels of the same samples, borrowed.
struct KernelSet {
  const Strings& samples;
  const Strings& views;
  const std::vector<Matrix>& kernels;  // (N, N) each
  const Mask& observed;                // (N, M)
  const std::optional<Matrix>& relations;
  const std::vector<double>& objective;
};

void write_kernels_npz(const std::string& path, const KernelSet& set);

/// OptionError where a view has the name of another array in the NPZ files that mkc writes:
/// samples, samples_<view>, training_samples, diagonals, views.
void check_array_names(const Strings& views);
void write_kernels_hdf5(const std::string& path, const KernelSet& set);
void write_kernels_h5mu(const std::string& path, const KernelSet& set);
void write_kernels_mat(const std::string& path, const KernelSet& set);

/// Whether PredK of that many kernels fits into a MATLAB 5 file.
bool fits_mat(Index n_samples, Index n_views);

}  // namespace mkc::io
