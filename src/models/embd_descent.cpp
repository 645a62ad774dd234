#include "models/embd_descent.hpp"

#include <fmt/format.h>

namespace mkc {

double choose_ridge(const TuningSet& tuning, const std::vector<double>& grid, double fallback,
                    DiagonalRule diagonal, int threads, SharedProgress& progress,
                    Strings& notices) {
  const Choice choice = tuning.choose(
      grid.size(), threads, progress, "choosing ridge",
      [&](const Problem& copy, std::size_t k, const ProgressCallback&) {
        return reconstructed_kernels(copy, leave_one_out_weights(copy, grid[k]), diagonal);
      });
  const double ridge = choice.made() ? grid[choice.best] : fallback;
  notices.push_back(choice.notice(fmt::format("ridge = {}", ridge)));
  return ridge;
}

}  // namespace mkc
