#pragma once

#include <cpp11.hpp>

#include "mkc/files/model_file.hpp"
#include "mkc/problem/assemble.hpp"

namespace mkc::r {

/// What new samples need, as plain values of R, which saveRDS() keeps: per view its observed rows
/// and how features become kernel rows. Without recipes (keep_recipes) NULL. The kernels are not in
/// it: the result has them.
cpp11::sexp model_of(const Assembled& assembled);

/// The model of a result: its samples, views, kernels and what model_of() made.
io::SavedModel saved_model_of(const cpp11::list& result);

}  // namespace mkc::r
