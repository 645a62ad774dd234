#include "mkc/complete.hpp"

#include "methods/run_method.hpp"
#include "mkc/registry.hpp"
#include "select/stacking.hpp"

namespace mkc {

Completion complete(const Problem& problem, const std::string& method, const RunOptions& run) {
  const Spec spec = parse_spec(method);
  return run_method(find_method(spec.name), spec.options, problem, run);
}

Completion complete_with_quality(const Problem& problem, const std::string& method,
                                 const RunOptions& run) {
  const bool estimated_anyway = parse_spec(method).name == "auto";
  if (estimated_anyway || problem.nothing_missing()) return complete(problem, method, run);
  return complete_judged(problem, method, run);
}

}  // namespace mkc
