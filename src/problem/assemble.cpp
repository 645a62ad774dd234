#include "mkc/problem/assemble.hpp"

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/inspection.hpp"
#include "mkc/problem/sample_ids.hpp"
#include "problem/view_kernels.hpp"

namespace mkc {

namespace {

// Options of a view that concern its finished kernel; the others make the kernel.
KernelTransformOptions split_transform(View& view, const KernelTransformOptions& fallback) {
  OptionValues transform, kernel;
  for (auto& option : view.kernel_options)
    (option.first == "normalize" || option.first == "center" ? transform : kernel)
        .push_back(option);
  view.kernel_options = std::move(kernel);
  return kernel_transform_option_table().parse_over(fallback, transform);
}

// Rows of the view that are observed samples, in the order of the samples.
void keep_observed_rows(View& view, const Alignment& alignment, Index m) {
  const Places row_of = places_of(view.ids);
  Indices kept;
  for (std::size_t i = 0; i < alignment.samples.size(); ++i)
    if (alignment.observed(static_cast<Index>(i), m))
      kept.push_back(row_of.at(alignment.samples[i]));
  keep_samples(view, kept);
}

Indices observed_rows(const Alignment& alignment, Index m) {
  Indices rows;
  for (Index i = 0; i < alignment.observed.rows(); ++i)
    if (alignment.observed(i, m)) rows.push_back(i);
  return rows;
}

// Views tied to the first one by samples in common, directly or through others.
std::vector<bool> tied_to_the_first(const Alignment& alignment) {
  std::vector<bool> tied(static_cast<std::size_t>(alignment.observed.cols()), false);
  tied[0] = true;
  for (bool grows = true; grows;) {
    grows = false;
    for (Index i = 0; i < alignment.observed.rows(); ++i) {
      bool any = false, all = true;
      for (std::size_t m = 0; m < tied.size(); ++m)
        if (alignment.observed(i, static_cast<Index>(m))) {
          any = any || tied[m];
          all = all && tied[m];
        }
      if (!any || all) continue;
      grows = true;
      for (std::size_t m = 0; m < tied.size(); ++m)
        if (alignment.observed(i, static_cast<Index>(m))) tied[m] = true;
    }
  }
  return tied;
}

// Groups of views without a common sample cannot be completed from one another.
void check_ties(const std::vector<View>& views, const Alignment& alignment) {
  const std::vector<bool> tied = tied_to_the_first(alignment);
  Strings here, there;
  for (std::size_t m = 0; m < views.size(); ++m) (tied[m] ? here : there).push_back(views[m].name);
  if (!there.empty())
    throw InputError(
        fmt::format("no sample ties the views {} to the views {}: they cannot be completed from "
                    "one another",
                    first_of(here), first_of(there)),
        "are these parts of the same views, such as training and test samples? Put them into one "
        "table per view first; or complete each group by itself");
}

Hint no_overlap_hint(const std::vector<View>& views, const View& isolated) {
  if (const auto proposal = propose_id_rule(views))
    return {{"ids", proposal->rule, "matches them: " + proposal->evidence}};
  const Advice map{"sample_map", "FILE", "if its ids are not those of the samples"};
  if (isolated.kind == ViewKind::kernel) return {map};
  return {{"samples_in", "columns", "if its samples are in columns"}, map};
}

// Through two samples there is a relation between any two views, and nothing to check it with.
constexpr Index fewest_shared = 3;
// A view is completed from samples that it shares with others: with two or less it is refused, with
// few there is a notice. Of several the smallest is named first, which the others depend on least.
void check_overlap(const std::vector<View>& views, const Alignment& alignment, Strings& notices) {
  if (views.size() < 2 || alignment.observed.all()) return;
  const Indices shared = shared_with_others(alignment.observed);
  const auto size = [&](Index m) { return alignment.observed.col(m).count(); };
  Index least = 0;
  for (Index m = 1; m < std::ssize(views); ++m)
    if (std::pair(shared[at(m)], size(m)) < std::pair(shared[at(least)], size(least))) least = m;
  if (const Index count = shared[at(least)]; count < fewest_shared) {
    const View &view = views[at(least)], &other = views[least == 0 ? 1 : 0];
    throw InputError(
        fmt::format("{} has {} in common with any other view: it has {}, view '{}' has {}",
                    place_of(view),
                    count == 0   ? "no sample"
                    : count == 1 ? "only 1 sample"
                                 : "only 2 samples",
                    first_of(view.ids), other.name, first_of(other.ids)),
        no_overlap_hint(views, view));
  }
  for (std::size_t m = 0; m < views.size(); ++m)
    if (shared[m] < enough_shared)
      notices.push_back(
          fmt::format("{}: it shares only {} samples with other views: rows completed from so few "
                      "are not reliable, and neither are their error estimates",
                      place_of(views[m]), shared[m]));
}

}  // namespace

ViewSummary summary_of(const View& view) {
  ViewSummary summary{view.name, view.source, view.kind, 0, "", view.samples_in, {}};
  summary.samples_in_because = view.samples_in_because;
  summary.zero_rows = view.zero_rows;
  const Strings& names = view.own_ids.empty() ? view.ids : view.own_ids;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, names.size()); ++i)
    summary.examples.push_back(names[i]);
  return summary;
}

Strings check_shared_samples(const std::vector<View>& views, const Alignment& alignment) {
  Strings notices;
  check_overlap(views, alignment, notices);
  check_ties(views, alignment);
  return notices;
}

Assembled assemble(std::vector<View> views, const AssembleOptions& options) {
  match_numbered_rows(views, true);
  Alignment alignment = align_samples(views, options);
  Strings notices = check_shared_samples(views, alignment);
  std::vector<KernelDraft> drafts;
  std::vector<ObservedKernel> kernels;
  std::vector<KernelTransformOptions> transforms;
  std::vector<ViewSummary> summaries;
  std::vector<ViewRecipe> recipes;
  for (std::size_t m = 0; m < views.size(); ++m) {
    View& view = views[m];
    for (const auto& notice : view.notices) notices.push_back(place_of(view) + ": " + notice);
    keep_observed_rows(view, alignment, static_cast<Index>(m));
    transforms.push_back(split_transform(view, options.transform));
    summaries.push_back(summary_of(view));
    summaries.back().kernel_options = kernel_transform_option_table().values(transforms.back());
    recipes.push_back({view.kind, view.samples_in, 0, {}, {}, {}, {}});
    drafts.push_back(draft_kernel(view, options, summaries.back(), notices));
    drafts.back().samples = observed_rows(alignment, static_cast<Index>(m));
  }
  check_common_options(views, drafts);
  settle_widths(drafts, alignment.samples);
  for (std::size_t m = 0; m < views.size(); ++m) {
    Indices rows = drafts[m].samples;
    SharedMatrix kernel = finish_kernel(std::move(drafts[m]), summaries[m], recipes[m]);
    kernels.push_back({views[m].name, std::move(rows), std::move(kernel), views[m].source});
  }
  Problem problem(std::move(alignment.samples), std::move(kernels), options.checks);
  for (const auto& notice : problem.notices()) notices.push_back(notice);
  if (!options.keep_recipes) recipes.clear();
  return {std::move(problem), std::move(transforms), std::move(summaries), std::move(notices),
          std::move(recipes)};
}

}  // namespace mkc
