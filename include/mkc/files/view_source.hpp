#pragma once

#include <memory>

#include "mkc/factor/source.hpp"
#include "mkc/problem/assemble.hpp"
#include "mkc/problem/view_recipe.hpp"

namespace mkc::io {

/// Views in memory as completion in factor form reads them, samples in the order of the alignment.
/// Their values move into the source; kernels that are lent are copied. OptionError for options of
/// a view that factor form does not have.
struct SourceOfViews {
  std::unique_ptr<factor::Source> source;
  std::vector<ViewRecipe> recipes;  // of the views, for new samples; without kernels
};
SourceOfViews view_source(std::vector<View> views, const Alignment& alignment,
                          NaPolicy na_features);

}  // namespace mkc::io
