#pragma once

#include "methods/latent/latent_model.hpp"
#include "methods/shared/tuning.hpp"

namespace mkc::latent {

/// Fills every open option with the value that does best on held-out rows.
void choose_options(const Problem& problem, LatentOptions& options, const RunOptions& run,
                    SharedProgress& progress, Strings& notices);

}  // namespace mkc::latent
