#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/kernels/kernel_options.hpp"
#include "mkc/kernels/normalize.hpp"

/// Options of kernels as text. No numerics here, so that readers of files need none.
namespace mkc {

namespace {

const Strings& kernel_names() {
  static const Strings names{"linear", "rbf",     "poly", "laplacian",
                             "cosine", "jaccard", "lsk",  "precomputed"};
  return names;
}

}  // namespace

const std::string& kernel_name(KernelKind kind) {
  return kernel_names().at(static_cast<std::size_t>(kind));
}

Gamma gamma_from_text(const std::string& option, const std::string& text) {
  if (text == "median") return {Gamma::Rule::median, 1};
  if (text == "scale") return {Gamma::Rule::scale, 1};
  double value = 0;
  if (!parse_number(text, value) || !std::isfinite(value) || value <= 0)
    throw OptionError(fmt::format("option '{}': '{}' is not median, scale or a number > 0{}",
                                  option, text, suggestion(text, {"median", "scale"})));
  return Gamma::number(value);
}

std::string gamma_to_text(const Gamma& gamma) {
  if (gamma.rule == Gamma::Rule::median) return "median";
  if (gamma.rule == Gamma::Rule::scale) return "scale";
  return format_number(gamma.value);
}

OptionTable<KernelOptions> kernel_option_table() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr Index unbounded = std::numeric_limits<Index>::max();
  OptionTable<KernelOptions> table("kernel");
  table.choice("kernel", &KernelOptions::kernel, kernel_names(), "how features become a kernel")
      .custom("gamma", &KernelOptions::gamma, "median|scale|a number > 0",
              "width of rbf, poly and laplacian: median = 1/median distance (rbf, poly: squared), "
              "scale = 1/(d var(X)); larger sees only closer samples",
              gamma_from_text, gamma_to_text)
      .count("degree", &KernelOptions::degree, 1, 100,
             "degree of poly; larger weighs products of more features")
      .number("coef0", &KernelOptions::coef0, 0, infinity,
              "constant of poly; larger weighs low degrees more")
      .count("components", &KernelOptions::components, 1, unbounded,
             "singular vectors kept by lsk; larger keeps more of the features")
      .choice("scale", &KernelOptions::scale, {"auto", "zscore", "none"},
              "columns to mean 0 and deviation 1; auto does so for linear, rbf, poly, laplacian");
  return table;
}

OptionTable<KernelTransformOptions> kernel_transform_option_table() {
  OptionTable<KernelTransformOptions> table("kernel transform");
  table
      .choice("normalize", &KernelTransformOptions::normalize, {"none", "unit", "trace"},
              "unit = unit diagonal, trace = mean diagonal 1; undone on the completed kernel")
      .flag("center", &KernelTransformOptions::center,
            "feature means to 0 before normalising; undone on the completed kernel");
  return table;
}

}  // namespace mkc
