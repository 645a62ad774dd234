#pragma once

#include <optional>

#include "mkc/kernels/kernel_options.hpp"
#include "mkc/problem/assemble.hpp"

/// Views to kernels, in three steps: everything that a view decides alone, then the widths, for
/// which views are compared, then the kernels.
namespace mkc {

/// A view before its width is known.
struct KernelDraft {
  std::string name;
  Indices samples;        // (n) places among all samples
  SharedMatrix kernel;    // (n, n), or empty while there are distances
  Matrix distances;       // (n, n) of a kernel exp(-gamma d) whose gamma is automatic
  Matrix words = {};      // (n, categories) codes that are still to be added to that kernel
  bool features = false;  // false: the view came as a kernel
  // Of features:
  KernelOptions options = {};  // settled but for gamma
  std::optional<double> gamma = {};
  Index numbers = 0;                // columns that are no categories
  ViewRecipe recipe = {};           // where recipes are kept, without its kernel
  ResolvedFeatures resolved = {};   // the same
  std::string width_evidence = {};  // why gamma is not the median; "" where it is
};

/// Options parsed and checked, single missing cells resolved, the type of features recognised.
/// Errors name the view.
KernelDraft draft_kernel(View& view, const AssembleOptions& options, ViewSummary& summary,
                         Strings& notices);

/// OptionError where an option given for all views has an effect in none of them.
void check_common_options(const std::vector<View>& views, const std::vector<KernelDraft>& drafts);

/// Chooses gamma where it is automatic: see problem/kernel_width.hpp.
void settle_widths(std::vector<KernelDraft>& drafts, const Strings& samples);

/// The kernel, a line about it, and what new samples need.
SharedMatrix finish_kernel(KernelDraft draft, ViewSummary& summary, ViewRecipe& recipe);

}  // namespace mkc
