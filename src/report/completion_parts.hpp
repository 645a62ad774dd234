#pragma once

#include "mkc/problem/label_types.hpp"
#include "report/result_files.hpp"

/// The parts of a completion report as JSON, each for one section of the page.
namespace mkc::report {

/// Which samples lack which views, sorted by pattern, in at most 400 bins.
Json missingness_json(const Mask& observed, const Strings& samples);

/// The samples in the plane of the two leading components of the combined kernel, and the order in
/// which kernels are shown.
struct SampleLayout {
  Matrix coordinates;  // (N, d): kernel principal components, the leading first
  Vector shares;       // (d) of the variance
  Indices order;
};
SampleLayout map_samples(const std::vector<Matrix>& kernels, const Strings& views,
                         const Strings& samples);
Json sample_map_json(const SampleLayout& map, const Mask& observed, const Strings& samples,
                     const Target* labels);

/// Every kernel before and after completion, one scale for both.
Json kernels_json(const std::vector<Matrix>& kernels, const Mask& observed, const Indices& order,
                  const Strings& samples, int threads);

/// Leading eigenvalues of every kernel divided by its number of samples, before and after
/// completion.
Json spectra_json(const std::vector<Matrix>& kernels, const Mask& observed, const Strings& samples,
                  int threads);

/// Quartiles of the estimated errors per view, and the least reliable rows.
Json errors_json(const RowErrors& errors, const Mask& observed, const Strings& samples);
Json uncertainty_json(const Matrix& uncertainty, const Mask& observed, const Strings& samples);

/// Numbers of a matrix row by row, NaN as null.
Json rows_json(const Matrix& values);

}  // namespace mkc::report
