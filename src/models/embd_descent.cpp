#include "models/embd_descent.hpp"

#include <fmt/format.h>

namespace mkc {

double choose_ridge(const TuningSet& tuning, const std::vector<double>& grid, double fallback,
                    DiagonalRule diagonal, int threads, Strings& notices) {
  const auto complete_by_start = [&](const Problem& copy, std::size_t k) {
    return reconstructed_kernels(copy, leave_one_out_weights(copy, grid[k]), diagonal);
  };
  const double ridge =
      tuning.usable() ? grid[tuning.best(grid.size(), threads, complete_by_start)] : fallback;
  notices.push_back(fmt::format("ridge = {}, chosen on held-out rows", ridge));
  return ridge;
}

}  // namespace mkc
