#include <algorithm>

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "mkc/base/error.hpp"
#include "mkc/problem/assemble.hpp"
#include "problem/view_names.hpp"

namespace mkc {

namespace {

// A mask must name the same samples and known views.
void check_mask(const MaskTable& mask, const std::vector<View>& views, const Strings& samples) {
  const Strings view_names = names_of(views);
  for (const auto& name : mask.views)
    if (std::find(view_names.begin(), view_names.end(), name) == view_names.end())
      throw InputError(fmt::format("the mask has a column '{}', but there is no such view{}", name,
                                   suggestion(name, view_names)),
                       fmt::format("the views are {}", join(view_names)));
  const Places known = places_of(samples), masked = places_of(mask.samples);
  for (const auto& name : mask.samples)
    if (!known.contains(name))
      throw InputError(fmt::format("the mask has a row '{}', but no view has that sample{}", name,
                                   suggestion(name, samples)));
  for (const auto& name : samples)
    if (!masked.contains(name))
      throw InputError(fmt::format("the mask has no row for sample '{}'", name),
                       "a mask has one row per sample, 1 = observed, 0 = missing");
}

// Clears what the mask hides; a mask cannot observe what is not there.
void apply_mask(const MaskTable& mask, const std::vector<View>& views, Alignment& alignment) {
  check_mask(mask, views, alignment.samples);
  const Places where = places_of(alignment.samples);
  for (std::size_t c = 0; c < mask.views.size(); ++c) {
    const auto view = std::find_if(views.begin(), views.end(),
                                   [&](const View& v) { return v.name == mask.views[c]; });
    const Index m = view - views.begin();
    for (std::size_t i = 0; i < mask.samples.size(); ++i) {
      bool& observed = alignment.observed(where.at(mask.samples[i]), m);
      const bool wanted = mask.observed(static_cast<Index>(i), static_cast<Index>(c));
      if (wanted && !observed)
        throw InputError(
            fmt::format(
                "the mask has sample '{}' as observed in view '{}', but {} does not have it",
                mask.samples[i], view->name, view->source),
            "put 0 there, or add the sample to the file");
      observed = wanted;
    }
  }
}

Indices in_every_view(const Alignment& all, const std::vector<View>& views) {
  Indices rows;
  for (Index i = 0; i < all.observed.rows(); ++i)
    if (all.observed.row(i).all()) rows.push_back(i);
  if (!rows.empty()) return rows;
  Strings counts;
  for (std::size_t m = 0; m < views.size(); ++m)
    counts.push_back(
        fmt::format("{} has {}", views[m].name, all.observed.col(static_cast<Index>(m)).count()));
  throw InputError(fmt::format("none of the {} samples is in all {} views "
                               "({})",
                               all.samples.size(), views.size(), join(counts)),
                   {{"samples", "union", "keeps every sample"},
                    {"command", "inspect", "shows which views have which"}});
}

Indices listed(const Alignment& all, const SampleChoice& choice) {
  const Places where = places_of(all.samples);
  Indices rows;
  Strings unknown;
  for (const auto& id : choice.list) {
    const auto found = where.find(id);
    if (found == where.end())
      unknown.push_back(id);
    else
      rows.push_back(found->second);
  }
  if (!unknown.empty())
    throw InputError(
        fmt::format("{}: {} of {} samples {} in no view: {}{}", choice.path, unknown.size(),
                    choice.list.size(), unknown.size() == 1 ? "is" : "are", first_of(unknown),
                    suggestion(unknown.front(), all.samples)),
        {{"samples", "FILE", "names samples that at least one view has, one id per line"}});
  return rows;
}

Alignment chosen(const Alignment& all, const Indices& rows) {
  return {picked(all.samples, rows), all.observed(rows, Eigen::all)};
}

Alignment align_all(const std::vector<View>& views) {
  for (const auto& view : views)
    check_unique(view.ids, place_of(view) + ": sample",
                 "one row per sample: merge or remove the repeated ones");
  Alignment all;
  all.samples = union_of(views, &View::all_ids);
  const Places where = places_of(all.samples);
  all.observed = Mask::Constant(static_cast<Index>(all.samples.size()),
                                static_cast<Index>(views.size()), false);
  for (std::size_t m = 0; m < views.size(); ++m)
    for (const auto& id : views[m].ids) all.observed(where.at(id), static_cast<Index>(m)) = true;
  return all;
}

}  // namespace

void mask_views(std::vector<View>& views, const MaskTable& mask) {
  AssembleOptions options;
  options.mask = mask;
  const Alignment alignment = align_samples(views, options);
  const Places where = places_of(alignment.samples);
  for (std::size_t m = 0; m < views.size(); ++m) {
    Indices kept;
    for (std::size_t i = 0; i < views[m].ids.size(); ++i)
      if (alignment.observed(where.at(views[m].ids[i]), static_cast<Index>(m)))
        kept.push_back(static_cast<Index>(i));
    keep_samples(views[m], kept);
  }
}

Alignment align_samples(const std::vector<View>& views, const AssembleOptions& options) {
  check_view_names(views);
  Alignment all = align_all(views);
  if (options.mask) apply_mask(*options.mask, views, all);
  switch (options.samples.kind) {
    case SampleChoice::Kind::all:
      return all;
    case SampleChoice::Kind::in_every_view:
      return chosen(all, in_every_view(all, views));
    case SampleChoice::Kind::listed:
      return chosen(all, listed(all, options.samples));
  }
  return all;
}

}  // namespace mkc
