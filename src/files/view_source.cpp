#include "mkc/files/view_source.hpp"

#include "files/joint_source.hpp"

namespace mkc::io {

SourceOfViews view_source(std::vector<View> views, const Alignment& alignment,
                          NaPolicy na_features) {
  ReadViews read;
  for (View& view : views) {
    if (view.lent.size() > 0) {
      view.values = Matrix(view.lent);
      view.lent = {};
    }
    read.views.push_back(std::move(view));
  }
  LargeViews large = large_views(std::move(read), na_features);
  SourceOfViews made;
  for (const LargeView& view : large.views) made.recipes.push_back(recipe_of(view));
  made.source = std::make_unique<JointSource>(std::move(large.views), alignment, na_features);
  return made;
}

}  // namespace mkc::io
