#pragma once

#include <string>
#include <vector>

#include "mkc/base/shared_matrix.hpp"
#include "mkc/base/types.hpp"

/// Widths of kernels exp(-gamma d_ij), chosen on what the other views know. The rule and its
/// measurements: docs/decisions/0013-width-of-kernels.md.
namespace mkc {

/// A view on the samples it has: distances where its width is to be chosen, else its kernel.
struct WidthView {
  Indices samples;                    // (n) places among all samples
  const Matrix* distances = nullptr;  // (n, n) squared (rbf) or absolute (laplacian), or null
  SharedMatrix kernel;                // (n, n) where there are no distances
  std::string name = {};              // decides between views that share as many samples
};

struct WidthChoice {
  double gamma = 1;           // width to use
  double median = 1;          // 1 / median distance
  bool chosen = false;        // false: gamma is the median
  Index views = 0;            // other views it was compared with; 0: no other view is related
  Index samples = 0;          // samples in the comparison
  double agreement = 0;       // share of the other views that the kernel recovers with gamma
  double at_median = 0;       // the same with the median
  double standard_error = 0;  // of the difference between gamma and the median

  double factor() const { return gamma / median; }
};

/// Below this number of shared samples two views are not compared.
constexpr Index fewest_shared_for_width = 20;

/// A view is compared with this many others at most, those that share most samples with it.
constexpr std::size_t most_views_for_width = 8;

/// A choice per view; views without distances get gamma = 1. Deterministic, independent of the
/// order of samples and views up to rounding, and of the number of threads.
std::vector<WidthChoice> choose_widths(const std::vector<WidthView>& views,
                                       const Strings& samples,  // ids of all samples
                                       int threads = 1);

}  // namespace mkc
