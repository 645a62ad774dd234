#include "mkc/files/view_source.hpp"

#include "files/joint_source.hpp"

namespace mkc::io {

std::unique_ptr<factor::Source> view_source(std::vector<View> views, const Alignment& alignment,
                                            NaPolicy na_features) {
  ReadViews read;
  for (View& view : views) {
    if (view.lent.size() > 0) {
      view.values = Matrix(view.lent);
      view.lent = {};
    }
    read.views.push_back(std::move(view));
  }
  return std::make_unique<JointSource>(large_views(std::move(read), na_features).views, alignment,
                                       na_features);
}

}  // namespace mkc::io
