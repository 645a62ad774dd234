#include "problem/view_patterns.hpp"

#include <map>

namespace mkc {

std::vector<ViewPattern> view_patterns(const Mask& observed) {
  std::map<std::vector<bool>, Indices> groups;
  std::vector<bool> has(static_cast<std::size_t>(observed.cols()));
  for (Index i = 0; i < observed.rows(); ++i) {
    for (std::size_t m = 0; m < has.size(); ++m) has[m] = observed(i, static_cast<Index>(m));
    groups[has].push_back(i);
  }
  std::vector<ViewPattern> patterns;
  for (auto& [views, samples] : groups) patterns.push_back({views, std::move(samples)});
  return patterns;
}

}  // namespace mkc
