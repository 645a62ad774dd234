#include "files/joint_views.hpp"

namespace mkc::io {

JointSource join_views(LargeViews large, AssembleOptions options, const NameSamples& name_samples,
                       FactorRecord& record) {
  std::vector<View> shells;
  for (auto& one : large.views) {
    record.recipes.push_back(recipe_of(one));
    shells.push_back(std::move(one.view));
    record.kinds.push_back(view_kind_name(one.kind));
  }
  if (name_samples) name_samples(options, shells);
  const Alignment alignment = align_samples(shells, options);
  for (const auto& notice : large.notices) record.notices.push_back(notice);
  for (const auto& view : shells)
    for (const auto& notice : view.notices)
      record.notices.push_back(place_of(view) + ": " + notice);
  for (auto& notice : check_shared_samples(shells, alignment))
    record.notices.push_back(std::move(notice));
  for (std::size_t m = 0; m < shells.size(); ++m) {
    record.views.push_back(summary_of(shells[m]));
    large.views[m].view = std::move(shells[m]);
  }
  JointSource source(std::move(large.views), alignment, options.na_features);
  for (Index m = 0; m < source.n_views(); ++m) {
    record.observed.push_back(source.observed(m));
    record.columns.push_back(source.views()[at(m)].columns);
  }
  return source;
}

}  // namespace mkc::io
