#include "formats/files.hpp"
#include "files/hdf5_guard.hpp"
#include "formats/mat73_read.hpp"
#include "files/mat_views.hpp"

namespace mkc::io {

std::vector<View> views_of_mat_file(const ViewSpec& spec) {
  if (!is_mat73(spec.path))
    return views_of_mat(spec, parse_mat5(read_whole_file(spec.path), spec.path));
  auto views = read_in_child(spec.path, [&](const ViewSink& sink) {
    for (auto& view : views_of_mat(spec, parse_mat73(spec.path))) sink(std::move(view));
  });
  for (auto& view : views) view.kernel_options = spec.kernel_options;
  return views;
}

MaskTable mask_of_mat_file(const std::string& path) {
  if (!is_mat73(path)) return mask_of_mat(path, parse_mat5(read_whole_file(path), path));
  // The guard hands views over: samples as ids, views as features.
  const auto views = read_in_child(path, [&](const ViewSink& sink) {
    MaskTable mask = mask_of_mat(path, parse_mat73(path));
    View view;
    view.ids = std::move(mask.samples);
    view.feature_names = std::move(mask.views);
    view.values = mask.observed.cast<double>();
    sink(std::move(view));
  });
  return {views.at(0).ids, views.at(0).feature_names, views.at(0).values.array() == 1};
}

}  // namespace mkc::io
