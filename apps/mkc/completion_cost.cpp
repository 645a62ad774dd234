#include "completion_cost.hpp"

#include "mkc/registry.hpp"

namespace mkc::app {

double bytes_needed(const Problem& problem, const std::string& method, int threads) {
  const auto n = static_cast<double>(problem.n_samples());
  double bytes = find_method(parse_spec(method).name)
                     .working_bytes(problem.n_samples(), problem.n_views(), threads);
  bytes += 8 * n * n * static_cast<double>(problem.n_views());  // the result
  for (const auto& view : problem.views()) bytes += 8 * static_cast<double>(view.block.size());
  return bytes;
}

}  // namespace mkc::app
