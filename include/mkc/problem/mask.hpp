#pragma once

#include "mkc/problem/view.hpp"

namespace mkc {

/// Which sample was measured in which view.
struct MaskTable {
  Strings samples, views;  // empty where the file does not name them (MATLAB)
  Mask observed;           // (samples, views)
};

/// Names the rows and columns of a mask that has no names by their places: the samples as the first
/// view lists them, the views in their order. InputError where the numbers do not agree.
void name_mask(MaskTable& mask, const std::vector<View>& views);

}  // namespace mkc
