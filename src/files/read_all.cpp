#include "mkc/files/read_all.hpp"

#include "files/apply_map.hpp"
#include "files/orientation.hpp"
#include "files/read_views.hpp"
#include "mkc/problem/id_spelling.hpp"
#include "problem/view_names.hpp"

namespace mkc::io {

namespace {

/// The options for all views, before those of this one, which override them.
ViewSpec with_defaults(ViewSpec spec, const ReadOptions& read) {
  OptionValues options = read_option_table().values(read);
  options.insert(options.end(), spec.read_options.begin(), spec.read_options.end());
  spec.read_options = std::move(options);
  return spec;
}

std::vector<LoadedView> load(const std::vector<ViewSpec>& specs, const ReadAllOptions& options) {
  std::vector<RawTable> tables;
  for (const auto& spec : specs)
    for (auto& table : read_tables(with_defaults(spec, options.read), options.na_values))
      tables.push_back(std::move(table));
  check_view_names(tables);
  put_samples_in_rows(tables, options);
  std::vector<LoadedView> loaded;
  for (auto& table : tables) loaded.push_back(to_view(std::move(table)));
  return loaded;
}

}  // namespace

ReadViews read_all_views(const std::vector<ViewSpec>& specs, const ReadAllOptions& options) {
  std::vector<LoadedView> loaded = load(specs, options);
  ReadViews all;
  if (options.map) all.notices = apply_sample_map(loaded, *options.map, options.normalize_ids);
  for (auto& one : loaded) all.views.push_back(std::move(one.view));
  if (!options.normalize_ids)
    all.spelling = spelling_differences(all.views);
  else if (std::string notice = normalize_ids(all.views); !notice.empty())
    all.notices.push_back(std::move(notice));
  for (std::size_t m = 0; m < loaded.size(); ++m)
    merge_replicates(all.views[m], loaded[m].replicates, loaded[m].rows);
  return all;
}

}  // namespace mkc::io
