#pragma once

#include "mkc/methods/method.hpp"

namespace mkc {

struct AloneOptions {};

/// A missing sample is like no other: k^_tt = the mean of the view's observed diagonal, and 0 off
/// the diagonal of every missing row and column. PSD by itself. Nobody's relative error is far
/// above one: what `auto` mixes in where nothing foretells a view.
Method alone_method();

}  // namespace mkc
