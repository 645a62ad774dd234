#pragma once

#include <optional>
#include <string>

#include "mkc/base/options.hpp"
#include "mkc/base/types.hpp"

namespace mkc {

enum class KernelKind { linear, rbf, poly, laplacian, cosine, jaccard, lsk, precomputed };

const std::string& kernel_name(KernelKind kind);  // as the option `kernel` spells it

/// automatic: zscore for linear, rbf, poly and laplacian, none for cosine, jaccard and lsk.
enum class FeatureScaling { automatic, zscore, none };

/// Width of a kernel: a rule that reads it off the features, or a number.
struct Gamma {
  enum class Rule { median, scale, number };
  Rule rule = Rule::median;
  double value = 1;  // with Rule::number; > 0

  static Gamma number(double value) { return {Rule::number, value}; }
  bool operator==(const Gamma&) const = default;
};

/// "median", "scale" or a number > 0; anything else is an OptionError naming the option.
Gamma gamma_from_text(const std::string& option, const std::string& text);
std::string gamma_to_text(const Gamma& gamma);

struct KernelOptions {
  KernelKind kernel = KernelKind::rbf;
  Gamma gamma;             // rbf, poly, laplacian: larger is narrower
  Index degree = 3;        // poly: larger weighs products of more features
  double coef0 = 1;        // poly: larger weighs low degrees more
  Index components = 100;  // lsk: larger keeps more of the features
  FeatureScaling scale = FeatureScaling::automatic;
};

OptionTable<KernelOptions> kernel_option_table();

/// Whether these options scale the columns of features.
bool scales_columns(const KernelOptions& options);

struct ComputedKernel {
  Matrix kernel;                // (n, n), exactly symmetric
  std::optional<double> gamma;  // the number used; nullopt where the kernel has no gamma
};

/// Scales the features, settles gamma and computes the kernel. Gamma is read off the scaled
/// features: `median` from ||x - y||^2, for laplacian from ||x - y||_1. With `precomputed`, X is
/// the kernel and comes back as it is. `names` (n, or none) is used in error messages.
ComputedKernel compute_kernel(const MatrixRef& X,  // (n, d)
                              const KernelOptions& options, const Strings& names = {});

}  // namespace mkc
