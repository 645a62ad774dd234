#pragma once

#include "mkc/methods/method.hpp"

namespace mkc {

struct AloneOptions {};

/// A missing sample is similar to no other: k^_tt = the mean of the view's observed diagonal, and 0
/// off the diagonal of every missing row and column. PSD by itself. No relative error is far above
/// one, so `auto` adds it where nothing predicts a view.
Method alone_method();

}  // namespace mkc
