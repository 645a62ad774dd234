#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mkc/base/options.hpp"
#include "mkc/base/types.hpp"
#include "mkc/kernels/feature_transform.hpp"

namespace mkc {

enum class KernelKind {
  automatic,  // by the type of the features: see mkc/kernels/feature_type.hpp
  linear,
  rbf,
  poly,
  laplacian,
  cosine,
  jaccard,
  lsk,
  chi2,
  braycurtis,
  ruzicka,
  tanimoto,
  spectral_angle,
  ordinal,
  categorical,
  precomputed,
};

const std::string& kernel_name(KernelKind kind);  // as the option `kernel` spells it

/// automatic: zscore for linear, rbf, poly and laplacian, none for the others and after
/// transform=minmax.
enum class FeatureScaling { automatic, zscore, none };

/// Width of a kernel: a rule that reads it off the features, or a number.
struct Gamma {
  /// automatic: the median, unless other views clearly agree better with another width, which
  /// assemble() finds out.
  enum class Rule { automatic, median, scale, number };
  Rule rule = Rule::automatic;
  double value = 1;  // with Rule::number; > 0

  static Gamma number(double value) { return {Rule::number, value}; }
  bool operator==(const Gamma&) const = default;
};

/// "auto", "median", "scale" or a number > 0; anything else is an OptionError naming the option.
Gamma gamma_from_text(const std::string& option, const std::string& text);
std::string gamma_to_text(const Gamma& gamma);

struct KernelOptions {
  KernelKind kernel = KernelKind::automatic;
  Transform transform = Transform::automatic;  // of the features, before they are scaled
  LibrarySize library_size;                    // of counts, before the transform
  Gamma gamma;                                 // rbf, poly, laplacian, chi2: larger is narrower
  Index degree = 3;                            // poly: larger weighs products of more features
  double coef0 = 1;                            // poly: larger weighs low degrees more
  Index components = 100;                      // lsk: larger keeps more of the features
  FeatureScaling scale = FeatureScaling::automatic;
};

OptionTable<KernelOptions> kernel_option_table();

/// The options that have an effect with this kernel, with their values. With kernel=auto: all.
OptionValues options_in_use(const KernelOptions& options);

/// OptionError where one of the options that a user gave has no effect with the kernel, as gamma
/// has none with kernel=linear. Defaults that configurations of mkc 0.1 name are let through.
void check_in_use(const OptionValues& given, const KernelOptions& options);

/// The same for options given for several views: each must have an effect in one of them.
void check_in_use(const OptionValues& given, const std::vector<KernelOptions>& views);

/// Whether these options scale the columns of features.
bool scales_columns(const KernelOptions& options);

struct ComputedKernel {
  Matrix kernel;                // (n, n), exactly symmetric
  std::optional<double> gamma;  // the number used; nullopt where the kernel has no gamma
};

/// Transforms and scales the features, settles gamma and computes the kernel. Gamma is read off
/// the scaled features: `median` from ||x - y||^2, for laplacian from ||x - y||_1, for chi2 from
/// its own distance. What is automatic is settled by settled() of mkc/kernels/feature_type.hpp,
/// gamma by the median. With `precomputed`, X is the kernel and comes back as it is. `names` (n)
/// and `columns` (d), or none, are used in error messages. `categories` are the columns (ascending)
/// whose values are codes of words: they make a kernel of their own, the share of equal words,
/// which is averaged with that of the numbers, weighted by the numbers of columns.
ComputedKernel compute_kernel(const MatrixRef& X,  // (n, d)
                              const KernelOptions& options, const Strings& names = {},
                              const Indices& categories = {}, const Strings& columns = {});

/// The distances d between the rows of X whose exponential exp(-gamma d) is the kernel; nullopt
/// where the kernel is no such exponential.
std::optional<Matrix> kernel_distances(const MatrixRef& X,  // (n, d)
                                       const KernelOptions& options, const Strings& names = {},
                                       const Strings& columns = {});

}  // namespace mkc
