#pragma once

#include "mkc/methods/method.hpp"

namespace mkc {

/// Completion in factor form of kernels that are in memory, as one method among the others, for
/// comparing it with them: the same plan, passes and mixture as `mkc complete --form factor`.
Method factor_method();

}  // namespace mkc
