#include "problem/view_kernels.hpp"

#include <cmath>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "kernels/category_fill.hpp"
#include "kernels/functions.hpp"
#include "kernels/prepare.hpp"
#include "mkc/base/error.hpp"
#include "mkc/kernels/feature_type.hpp"
#include "problem/kernel_width.hpp"

namespace mkc {

namespace {

void check_finite_features(const View& view) {
  for (Index j = 0; j < view.values.cols(); ++j)
    for (Index i = 0; i < view.values.rows(); ++i)
      if (std::isinf(view.values(i, j)))
        throw InputError(
            fmt::format("sample '{}' has an infinite value in feature '{}'", view.ids[at(i)],
                        static_cast<std::size_t>(j) < view.feature_names.size()
                            ? view.feature_names[at(j)]
                            : std::to_string(j)),
            {"replace it by a number or a missing value",
             {"na_features", "mean", "fills missing values"}});
}

// "log1p, zscore, rbf, gamma 0.0123"
std::string described(const KernelDraft& draft) {
  const KernelOptions& options = draft.options;
  Strings steps;
  if (options.library_size.rule != LibrarySize::Rule::none)
    steps.push_back("library size " + library_size_to_text(options.library_size));
  if (options.transform != Transform::none && options.kernel != KernelKind::ordinal)
    steps.push_back(transform_name(options.transform));
  if (scales_columns(options)) steps.push_back("zscore");
  steps.push_back(kernel_name(options.kernel));
  if (draft.gamma) steps.push_back(fmt::format("gamma {:.4g}", *draft.gamma));
  return join(steps, ", ");
}

// "3 cells without a value are filled with the mean of their column; 1 of 50 columns is left out"
std::string changes(const ResolvedFeatures& resolved, Index filled_words, const View& view) {
  const Index columns = view.values.cols(), left_out = columns - resolved.features.cols();
  Strings parts;
  const auto filled = [&](Index cells, const char* with) {
    if (cells > 0)
      parts.push_back(fmt::format("{} cell{} without a value {} filled with the {} of the column",
                                  cells, cells == 1 ? "" : "s", cells == 1 ? "is" : "are", with));
  };
  filled(resolved.filled_cells, "mean");
  filled(filled_words, "most frequent word");
  if (left_out > 0)
    parts.push_back(fmt::format("{} of {} columns {} left out for cells without a value", left_out,
                                columns, left_out == 1 ? "is" : "are"));
  return join(parts, "; ");
}

SharedMatrix finished_kernel(View& view, ViewSummary& summary) {
  for (const auto& [name, value] : view.kernel_options)
    if (name != "kernel")
      throw OptionError(
          fmt::format("{}: option '{}' does not apply to a finished kernel", place_of(view), name),
          {{"kind", "features", "reads a table of measurements"}});
  summary.kernel = "precomputed";
  if (view.lent.size() > 0) return std::move(view.lent);
  return std::move(view.values);
}

Indices columns_of(const std::vector<CategoryColumn>& categories) {
  Indices columns;
  for (const auto& category : categories) columns.push_back(category.column);
  return columns;
}

// Cells without a value filled or left out; of words, the most frequent one fills them.
ResolvedFeatures resolve(const View& view, NaPolicy policy, Strings& notices) {
  Index filled_words = 0;
  ResolvedFeatures resolved;
  if (policy == NaPolicy::mean && !view.categories.empty()) {
    Matrix filled = view.values;
    filled_words = fill_with_most_frequent(filled, columns_of(view.categories));
    resolved = resolve_missing_cells(filled, policy, view.feature_names, view.ids);
  } else {
    resolved = resolve_missing_cells(view.values, policy, view.feature_names, view.ids);
  }
  if (const std::string what = changes(resolved, filled_words, view); !what.empty())
    notices.push_back(place_of(view) + ": " + what);
  return resolved;
}

// What is needed to compute kernel rows of new samples, apart from the kernel.
ViewRecipe recipe_of(const View& view, NaPolicy policy, const ResolvedFeatures& resolved) {
  ViewRecipe recipe{view.kind, view.samples_in, view.values.cols(), resolved.kept_columns, {}, {},
                    {}};
  if (!view.feature_names.empty())
    recipe.feature_names = picked(view.feature_names, recipe.kept_columns);
  recipe.categories = categories_among(view.categories, recipe.kept_columns);
  if (policy != NaPolicy::mean) return recipe;
  recipe.fill = resolved.features.colwise().mean();
  for (const Index j : columns_of(recipe.categories))
    recipe.fill(j) = most_frequent(resolved.features.col(j));
  return recipe;
}

KernelOptions options_of(const View& view) {
  const auto table = kernel_option_table();
  return table.parse_over(table.parse(view.common_options), view.kernel_options);
}

// By the values of the file: a cell filled with a mean is no whole number.
void recognise(const View& view, const Indices& columns, KernelDraft& draft, ViewSummary& summary) {
  const KernelOptions given = options_of(view);
  const bool all = std::ssize(columns) == view.values.cols();
  const SettledKernel chosen =
      all ? settled(view.values, given) : settled(view.values(Eigen::all, columns), given);
  draft.options = chosen.options;
  check_in_use(view.kernel_options, draft.options);
  if (!chosen.features) return;
  summary.feature_type = feature_type_name(chosen.features->type);
  summary.feature_evidence = chosen.features->evidence;
}

// Distances where gamma is automatic, else the kernel.
void start_kernel(const Matrix& numbers, const View& view, const Indices& places,
                  KernelDraft& draft) {
  const Strings columns =
      view.feature_names.empty() ? Strings{} : picked(view.feature_names, places);
  if (draft.options.gamma.rule == Gamma::Rule::automatic)
    if (auto distances = kernel_distances(numbers, draft.options, view.ids, columns)) {
      draft.distances = std::move(*distances);
      return;
    }
  ComputedKernel computed = compute_kernel(numbers, draft.options, view.ids, {}, columns);
  draft.gamma = computed.gamma;
  if (draft.words.cols() > 0) add_categories(computed.kernel, draft.numbers, draft.words);
  draft.kernel = std::move(computed.kernel);
}

// Words alone: options of numbers have no effect on them.
KernelOptions options_of_words(const View& view) {
  KernelOptions options = options_of(view);
  if (options.kernel != KernelKind::automatic && options.kernel != KernelKind::categorical)
    throw OptionError(fmt::format("kernel={}: all columns hold words", kernel_name(options.kernel)),
                      "choose kernel=auto or kernel=categorical, the share of equal words");
  for (const auto& [name, value] : view.kernel_options)
    if (name != "kernel" && value != "auto")
      throw OptionError(fmt::format("option '{}' has no effect: all columns hold words", name),
                        "leave it out");
  options.kernel = KernelKind::categorical;
  return options;
}

// Numbers and words of one table.
void start_mixed_kernel(const View& view, const ResolvedFeatures& resolved,
                        const Indices& categories, KernelDraft& draft, ViewSummary& summary) {
  const Matrix& features = resolved.features;
  const ColumnsByKind columns = columns_by_kind(features.cols(), categories);
  draft.numbers = std::ssize(columns.numbers);
  draft.words = features(Eigen::all, columns.categories);
  if (draft.numbers == 0) {
    draft.options = options_of_words(view);
    draft.kernel = compute_kernel(features, draft.options, view.ids, categories).kernel;
    return;
  }
  const Matrix numbers = features(Eigen::all, columns.numbers);
  const Indices places = picked(resolved.kept_columns, columns.numbers);
  recognise(view, places, draft, summary);
  check_goes_with_words(draft.options);
  start_kernel(numbers, view, places, draft);
}

KernelDraft draft_of_features(const View& view, const AssembleOptions& options,
                              ViewSummary& summary, Strings& notices) {
  check_finite_features(view);
  const NaPolicy policy = view.na_features.value_or(options.na_features);
  ResolvedFeatures resolved = resolve(view, policy, notices);
  summary.n_features = resolved.features.cols();
  KernelDraft draft;
  draft.name = view.name;
  draft.features = true;
  const Indices categories = columns_of(categories_among(view.categories, resolved.kept_columns));
  if (categories.empty()) {
    draft.numbers = summary.n_features;
    recognise(view, resolved.kept_columns, draft, summary);
    start_kernel(resolved.features, view, resolved.kept_columns, draft);
  } else {
    start_mixed_kernel(view, resolved, categories, draft, summary);
  }
  if (options.keep_recipes) {
    draft.recipe = recipe_of(view, policy, resolved);
    draft.resolved = std::move(resolved);
  }
  return draft;
}

std::string evidence_of(const WidthChoice& choice) {
  if (!choice.chosen) return {};
  return fmt::format(
      "gamma is {:.4g} times 1/median distance, as this recovers {:.0f} % of the other views "
      "instead of {:.0f} % (standard error {:.1f})",
      choice.factor(), 100 * choice.agreement, 100 * choice.at_median, 100 * choice.standard_error);
}

}  // namespace

KernelDraft draft_kernel(View& view, const AssembleOptions& options, ViewSummary& summary,
                         Strings& notices) {
  if (view.kind == ViewKind::kernel) {
    KernelDraft draft;
    draft.name = view.name;
    draft.kernel = finished_kernel(view, summary);
    return draft;
  }
  try {
    return draft_of_features(view, options, summary, notices);
  } catch (const OptionError& error) {
    throw OptionError(fmt::format("{}: {}", place_of(view), error.what()), error.hint());
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", place_of(view), error.what()), error.hint());
  }
}

void check_common_options(const std::vector<View>& views, const std::vector<KernelDraft>& drafts) {
  std::vector<KernelOptions> of_features;
  for (const auto& draft : drafts)
    if (draft.features) of_features.push_back(draft.options);
  for (const auto& view : views) check_in_use(view.common_options, of_features);
}

void settle_widths(std::vector<KernelDraft>& drafts, const Strings& samples) {
  std::vector<WidthView> views;
  bool any = false;
  for (const auto& draft : drafts) {
    const bool open = draft.distances.size() > 0;
    views.push_back({draft.samples, open ? &draft.distances : nullptr, draft.kernel, draft.name});
    any = any || open;
  }
  if (!any) return;
  const std::vector<WidthChoice> choices = choose_widths(views, samples);
  for (std::size_t m = 0; m < drafts.size(); ++m) {
    if (drafts[m].distances.size() == 0) continue;
    drafts[m].gamma = choices[m].gamma;
    drafts[m].width_evidence = evidence_of(choices[m]);
  }
}

SharedMatrix finish_kernel(KernelDraft draft, ViewSummary& summary, ViewRecipe& recipe) {
  if (!draft.features) return std::move(draft.kernel);
  if (draft.distances.size() > 0) {
    Matrix K = exponential_of_distances(std::move(draft.distances), *draft.gamma);
    if (draft.words.cols() > 0) add_categories(K, draft.numbers, draft.words);
    draft.kernel = std::move(K);
  }
  summary.kernel = described(draft);
  if (draft.words.cols() > 0 && draft.numbers > 0)
    summary.kernel += fmt::format(" of {} columns, and share of equal words of {}", draft.numbers,
                                  draft.words.cols());
  summary.width_evidence = std::move(draft.width_evidence);
  for (auto& option : options_in_use(draft.options))
    summary.kernel_options.push_back(std::move(option));
  if (draft.resolved.features.size() > 0) {
    recipe = std::move(draft.recipe);
    recipe.kernel = train_kernel(draft.resolved.features, draft.options, draft.gamma,
                                 columns_of(recipe.categories));
  }
  return std::move(draft.kernel);
}

}  // namespace mkc
