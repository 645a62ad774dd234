#include "mkc/problem/mask.hpp"

#include <fmt/format.h>

#include "base/names.hpp"
#include "base/text.hpp"
#include "mkc/base/error.hpp"

namespace mkc {

void name_mask(MaskTable& mask, const std::vector<View>& views) {
  if (mask.views.empty()) {
    if (static_cast<Index>(views.size()) != mask.observed.cols())
      throw InputError(fmt::format("the mask has {} columns without names, there are {} views",
                                   mask.observed.cols(), views.size()),
                       "a mask has one column per view, in the order of the views");
    mask.views = names_of(views);
  }
  if (!mask.samples.empty() || views.empty()) return;
  const Strings& ids = views.front().all_ids;
  if (static_cast<Index>(ids.size()) != mask.observed.rows())
    throw InputError(fmt::format("the mask has {} rows without names, view '{}' has {} samples",
                                 mask.observed.rows(), shown(views.front().name), ids.size()),
                     "a mask has one row per sample, in the order of the samples");
  mask.samples = ids;
}

}  // namespace mkc
