#include "mkc/files/read_all.hpp"

#include "files/read_views.hpp"
#include "files/apply_map.hpp"
#include "files/orientation.hpp"
#include "files/view_parts.hpp"
#include "mkc/problem/id_spelling.hpp"

namespace mkc::io {

namespace {

/// What all views are told, before what this one is told.
ViewSpec with_defaults(ViewSpec spec, const ReadOptions& read) {
  OptionValues options = read_option_table().values(read);
  options.insert(options.end(), spec.read_options.begin(), spec.read_options.end());
  spec.read_options = std::move(options);
  return spec;
}

void add(Strings& notices, std::string notice) {
  if (!notice.empty()) notices.push_back(std::move(notice));
}

}  // namespace

ReadViews read_all_views(const std::vector<ViewSpec>& specs, const ReadAllOptions& options) {
  ReadViews all;
  for (const auto& spec : specs)
    for (auto& view : read_unsettled_views(with_defaults(spec, options.read), options.na_values))
      all.views.push_back(std::move(view));
  check_view_names(all.views);
  settle_orientation(all.views, options);
  for (auto& view : all.views)
    if (!view.settled) settle(view);
  if (options.map) all.notices = apply_sample_map(all.views, *options.map, options.normalize_ids);
  if (options.normalize_ids)
    add(all.notices, normalize_ids(all.views));
  else
    all.spelling = spelling_differences(all.views);
  for (auto& view : all.views)
    merge_replicates(view, read_option_table().parse(view.read_options).replicates);
  return all;
}

}  // namespace mkc::io
