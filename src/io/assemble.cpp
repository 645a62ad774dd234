#include "mkc/io/assemble.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

#include "mkc/error.hpp"
#include "mkc/kernels/kernel_options.hpp"
#include "mkc/text.hpp"

namespace mkc::io {

namespace {

using Positions = std::unordered_map<std::string, Index>;

std::string label(const View& view) {
  return fmt::format("view '{}' ({})", view.name, view.source);
}

Positions positions(const Strings& names) {
  Positions where;
  for (std::size_t i = 0; i < names.size(); ++i) where.emplace(names[i], static_cast<Index>(i));
  return where;
}

void check_view_names(const std::vector<View>& views) {
  std::unordered_map<std::string, std::string> seen;
  for (const auto& view : views) {
    const auto [first, is_new] = seen.emplace(view.name, view.source);
    if (!is_new)
      throw InputError(
          fmt::format("two views are named '{}': {} and {}", view.name, first->second, view.source),
          "name them: NAME=PATH");
  }
}

void check_ids(const View& view) {
  Positions seen;
  for (std::size_t i = 0; i < view.ids.size(); ++i)
    if (const auto [first, is_new] = seen.emplace(view.ids[i], static_cast<Index>(i)); !is_new)
      throw InputError(fmt::format("{}: sample '{}' appears twice, as rows {} and {}", label(view),
                                   view.ids[i], first->second + 1, i + 1),
                       "one row per sample: merge or remove the repeated ones");
}

// A mask must speak of the same samples and of known views, and cannot observe what is not there.
void check_mask(const MaskTable& mask, const std::vector<View>& views, const Strings& samples) {
  Strings view_names;
  for (const auto& view : views) view_names.push_back(view.name);
  for (const auto& name : mask.views)
    if (std::find(view_names.begin(), view_names.end(), name) == view_names.end())
      throw InputError(fmt::format("the mask has a column '{}', but there is no such view{}", name,
                                   suggestion(name, view_names)),
                       fmt::format("the views are {}", join(view_names)));
  const Positions known = positions(samples), masked = positions(mask.samples);
  for (const auto& name : mask.samples)
    if (!known.contains(name))
      throw InputError(fmt::format("the mask has a row '{}', but no view has that sample{}", name,
                                   suggestion(name, samples)));
  for (const auto& name : samples)
    if (!masked.contains(name))
      throw InputError(fmt::format("the mask has no row for sample '{}'", name),
                       "a mask has one row per sample, 1 = observed, 0 = missing");
}

// Rows of the view that stay: all, or those the mask leaves.
Indices kept_rows(const View& view, const std::optional<MaskTable>& mask) {
  Indices all(view.ids.size());
  std::iota(all.begin(), all.end(), Index{0});
  if (!mask) return all;
  const auto column = std::find(mask->views.begin(), mask->views.end(), view.name);
  if (column == mask->views.end()) return all;
  const Index m = column - mask->views.begin();
  const Positions here = positions(view.ids);
  Indices kept;
  for (std::size_t i = 0; i < mask->samples.size(); ++i) {
    if (!mask->observed(static_cast<Index>(i), m)) continue;
    const auto found = here.find(mask->samples[i]);
    if (found == here.end())
      throw InputError(
          fmt::format("the mask says sample '{}' is observed in view '{}', but {} does not have it",
                      mask->samples[i], view.name, view.source),
          "put 0 there, or add the sample to the file");
    kept.push_back(found->second);
  }
  return kept;
}

View keep_rows(View view, const Indices& kept) {
  if (kept.size() == view.ids.size()) return view;
  Strings ids;
  for (const Index i : kept) ids.push_back(view.ids[static_cast<std::size_t>(i)]);
  Indices columns = kept;
  if (view.kind == ViewKind::features) {
    columns.resize(static_cast<std::size_t>(view.values.cols()));
    std::iota(columns.begin(), columns.end(), Index{0});
  }
  view.values = submatrix(view.values, kept, columns);
  view.ids = std::move(ids);
  return view;
}

// Options of a view that concern its finished kernel; the rest say how the kernel is made.
KernelTransformOptions split_transform(View& view, const KernelTransformOptions& fallback) {
  OptionValues transform, kernel;
  for (auto& option : view.kernel_options)
    (option.first == "normalize" || option.first == "center" ? transform : kernel)
        .push_back(option);
  view.kernel_options = std::move(kernel);
  return kernel_transform_option_table().parse_over(fallback, transform);
}

void check_finite_features(const View& view) {
  for (Index j = 0; j < view.values.cols(); ++j)
    for (Index i = 0; i < view.values.rows(); ++i)
      if (std::isinf(view.values(i, j)))
        throw InputError(fmt::format("{}: sample '{}' has an infinite value in feature '{}'",
                                     label(view), view.ids[static_cast<std::size_t>(i)],
                                     static_cast<std::size_t>(j) < view.feature_names.size()
                                         ? view.feature_names[static_cast<std::size_t>(j)]
                                         : std::to_string(j)),
                         "replace it, or leave the cell empty and choose --na-features");
}

// "rbf, gamma 0.0123"
std::string described(const KernelOptions& options, std::optional<double> gamma) {
  std::string text;
  for (const auto& [name, value] : kernel_option_table().values(options))
    if (name == "kernel") text = value;
  return gamma ? fmt::format("{}, gamma {:.4g}", text, *gamma) : text;
}

// The kernel of a view on the samples it has, and a line about it.
Matrix make_kernel(View& view, const AssembleOptions& options, ViewSummary& summary) {
  if (view.kind == ViewKind::kernel) {
    for (const auto& [name, value] : view.kernel_options)
      if (name != "kernel")
        throw OptionError(
            fmt::format("{}: option '{}' does not apply to a finished kernel", label(view), name),
            "kind=features reads the file as a table of measurements");
    summary.kernel = "precomputed";
    return std::move(view.values);
  }
  try {
    const KernelOptions kernel = kernel_option_table().parse(view.kernel_options);
    check_finite_features(view);
    const ResolvedFeatures resolved =
        resolve_missing_cells(view.values, options.na_features, view.feature_names, view.ids);
    summary.n_features = resolved.features.cols();
    ComputedKernel computed = compute_kernel(resolved.features, kernel, view.ids);
    summary.kernel = described(kernel, computed.gamma);
    return std::move(computed.kernel);
  } catch (const OptionError& error) {
    throw OptionError(fmt::format("{}: {}", label(view), error.what()), error.hint());
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", label(view), error.what()), error.hint());
  }
}

// The view's kernel with rows in ascending order of the union's samples.
ObservedKernel align(const View& view, const Matrix& kernel, const Positions& where) {
  std::vector<std::pair<Index, Index>> order;  // (sample, row of the view)
  for (std::size_t i = 0; i < view.ids.size(); ++i)
    order.emplace_back(where.at(view.ids[i]), static_cast<Index>(i));
  std::sort(order.begin(), order.end());
  Indices samples, rows;
  for (const auto& [sample, row] : order) {
    samples.push_back(sample);
    rows.push_back(row);
  }
  return {view.name, samples, submatrix(kernel, rows, rows), view.source};
}

}  // namespace

void mask_views(std::vector<View>& views, const MaskTable& mask) {
  Strings samples;
  Positions seen;
  for (const auto& view : views)
    for (const auto& id : view.all_ids)
      if (seen.emplace(id, 0).second) samples.push_back(id);
  check_mask(mask, views, samples);
  for (auto& view : views) {
    const Indices kept = kept_rows(view, mask);
    view = keep_rows(std::move(view), kept);
  }
}

Assembled assemble(std::vector<View> views, const AssembleOptions& options) {
  check_view_names(views);
  Strings samples, notices;
  Positions where;
  for (const auto& view : views) {
    check_ids(view);
    for (const auto& id : view.all_ids)
      if (where.emplace(id, static_cast<Index>(samples.size())).second) samples.push_back(id);
    for (const auto& notice : view.notices) notices.push_back(label(view) + ": " + notice);
  }
  if (options.mask) check_mask(*options.mask, views, samples);

  std::vector<ObservedKernel> kernels;
  std::vector<KernelTransformOptions> transforms;
  std::vector<ViewSummary> summaries;
  for (auto& view : views) {
    const Indices kept = kept_rows(view, options.mask);
    view = keep_rows(std::move(view), kept);
    transforms.push_back(split_transform(view, options.transform));
    summaries.push_back({view.name, view.source, view.kind, 0, ""});
    const Matrix kernel = make_kernel(view, options, summaries.back());
    kernels.push_back(align(view, kernel, where));
  }
  Problem problem(std::move(samples), std::move(kernels), options.checks);
  for (const auto& notice : problem.notices()) notices.push_back(notice);
  return {std::move(problem), std::move(transforms), std::move(summaries), std::move(notices)};
}

}  // namespace mkc::io
