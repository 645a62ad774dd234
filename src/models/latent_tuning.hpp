#pragma once

#include "models/latent_model.hpp"
#include "models/tuning.hpp"

namespace mkc::latent {

/// Fills every open option with the value that does best on held-out rows.
void choose_options(const Problem& problem, LatentOptions& options, const RunOptions& run,
                    SharedProgress& progress, Strings& notices);

}  // namespace mkc::latent
