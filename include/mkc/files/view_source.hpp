#pragma once

#include <memory>

#include "mkc/factor/source.hpp"
#include "mkc/problem/assemble.hpp"

namespace mkc::io {

/// Views in memory as completion in factor form reads them, samples in the order of the alignment.
/// Their values move into the source; kernels that are lent are copied. OptionError for options of
/// a view that factor form does not have.
std::unique_ptr<factor::Source> view_source(std::vector<View> views, const Alignment& alignment,
                                            NaPolicy na_features);

}  // namespace mkc::io
