#include <algorithm>
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
  static const Strings names{"auto",           "linear",     "rbf",         "poly",
                             "laplacian",      "cosine",     "jaccard",     "lsk",
                             "chi2",           "braycurtis", "ruzicka",     "tanimoto",
                             "spectral_angle", "ordinal",    "categorical", "precomputed"};
  return names;
}

/// Kernels with which an option has an effect; empty: all.
std::vector<KernelKind> users_of(const std::string& option) {
  using enum KernelKind;
  if (option == "gamma") return {rbf, poly, laplacian, chi2};
  if (option == "degree" || option == "coef0") return {poly};
  if (option == "components") return {lsk};
  return {};
}

bool is_in_use(const std::string& option, KernelKind kernel) {
  const std::vector<KernelKind> users = users_of(option);
  return users.empty() || kernel == KernelKind::automatic ||
         std::find(users.begin(), users.end(), kernel) != users.end();
}

/// Configurations that mkc 0.1 and 0.2 wrote name all options, those without effect with these.
bool is_old_default(const OptionValues::value_type& option) {
  static const OptionValues defaults{
      {"gamma", "median"}, {"degree", "3"}, {"coef0", "1"}, {"components", "100"}};
  return std::find(defaults.begin(), defaults.end(), option) != defaults.end();
}

}  // namespace

const std::string& kernel_name(KernelKind kind) {
  return kernel_names().at(static_cast<std::size_t>(kind));
}

Gamma gamma_from_text(const std::string& option, const std::string& text) {
  if (text == "auto") return {Gamma::Rule::automatic, 1};
  if (text == "median") return {Gamma::Rule::median, 1};
  if (text == "scale") return {Gamma::Rule::scale, 1};
  double value = 0;
  if (!parse_number(text, value) || !std::isfinite(value) || value <= 0)
    throw OptionError(fmt::format("option '{}': '{}' is not auto, median, scale or a number > 0{}",
                                  option, text, suggestion(text, {"auto", "median", "scale"})));
  return Gamma::number(value);
}

std::string gamma_to_text(const Gamma& gamma) {
  switch (gamma.rule) {
    case Gamma::Rule::automatic:
      return "auto";
    case Gamma::Rule::median:
      return "median";
    case Gamma::Rule::scale:
      return "scale";
    case Gamma::Rule::number:
      break;
  }
  return format_number(gamma.value);
}

OptionTable<KernelOptions> kernel_option_table() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr Index unbounded = std::numeric_limits<Index>::max();
  OptionTable<KernelOptions> table("kernel");
  table
      .choice("kernel", &KernelOptions::kernel, kernel_names(),
              "how features become a kernel; auto chooses by their type")
      .choice("transform", &KernelOptions::transform, transform_names(),
              "of every value, before columns are scaled; auto chooses by the type of the features "
              "with kernel=auto, and is none with others")
      .custom("library_size", &KernelOptions::library_size, "auto|none|median|a number > 0",
              "sum that every row is brought to before the transform; median: of the rows",
              library_size_from_text, library_size_to_text)
      .custom("gamma", &KernelOptions::gamma, "auto|median|scale|a number > 0",
              "width of rbf, poly, laplacian and chi2: median = 1/median distance (rbf, poly: "
              "squared), scale = 1/(d var(X)), auto = median unless other views agree better with "
              "another width; larger sees only closer samples",
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

OptionValues options_in_use(const KernelOptions& options) {
  OptionValues used;
  for (auto& option : kernel_option_table().values(options))
    if (is_in_use(option.first, options.kernel)) used.push_back(std::move(option));
  return used;
}

void check_in_use(const OptionValues& given, const KernelOptions& options) {
  check_in_use(given, std::vector<KernelOptions>{options});
}

void check_in_use(const OptionValues& given, const std::vector<KernelOptions>& views) {
  Strings kernels;  // of all views, each once
  for (const auto& view : views)
    if (const std::string kernel = "kernel=" + kernel_name(view.kernel);
        std::find(kernels.begin(), kernels.end(), kernel) == kernels.end())
      kernels.push_back(kernel);
  const std::string with = kernels.empty() ? "kernels that are given" : join(kernels, " or ");
  for (const auto& option : given) {
    const std::string& name = option.first;
    const bool used = std::any_of(views.begin(), views.end(), [&](const KernelOptions& view) {
      return is_in_use(name, view.kernel);
    });
    if (used || is_old_default(option)) continue;
    Strings users;
    for (const KernelKind kind : users_of(name)) users.push_back("kernel=" + kernel_name(kind));
    throw OptionError(fmt::format("option '{}' has no effect with {}", name, with),
                      users.empty() ? std::string("leave it out; it is for tables of features")
                                    : fmt::format("leave it out; it belongs to {}", join(users)));
  }
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
