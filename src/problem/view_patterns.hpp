#pragma once

#include "mkc/base/types.hpp"

namespace mkc {

/// The samples that have the same views.
struct ViewPattern {
  std::vector<bool> has;  // (M) observed or not
  Indices samples;        // ascending
};

/// Rows of the table (samples x views) grouped by what they have. The order depends on nothing but
/// `has`: false comes before true, from the first view to the last.
std::vector<ViewPattern> view_patterns(const Mask& observed);

}  // namespace mkc
