#include "completion_cost.hpp"

#include <set>

#include <fmt/format.h>

#include "mkc/base/error.hpp"
#include "mkc/registry.hpp"

namespace mkc::app {

Spec checked_method(const std::string& text) {
  const Spec spec = parse_spec(text);
  find_method(spec.name).effective_options(spec.options);
  std::set<std::string> seen;
  for (const auto& [name, value] : spec.options)
    if (!seen.insert(name).second)
      throw OptionError(fmt::format("'{}': option '{}' is given twice", text, name));
  return spec;
}

double bytes_needed(const Problem& problem, const std::string& method, int threads) {
  const auto n = static_cast<double>(problem.n_samples());
  double bytes = find_method(parse_spec(method).name)
                     .working_bytes(problem.n_samples(), problem.n_views(), threads);
  bytes += 8 * n * n * static_cast<double>(problem.n_views());  // the result
  for (const auto& view : problem.views()) bytes += 8 * static_cast<double>(view.block.size());
  return bytes;
}

}  // namespace mkc::app
