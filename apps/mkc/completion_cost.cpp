#include "completion_cost.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "mkc/base/error.hpp"
#include "mkc/registry.hpp"
#include "select/auto.hpp"
#include "select/stacking.hpp"

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

RunSize size_of(const Problem& problem) {
  RunSize size{problem.n_samples(), problem.n_views(), 0};
  for (const auto& view : problem.views())
    size.kernel_bytes += 8 * static_cast<double>(view.block.size());
  return size;
}

namespace {

double work_bytes(const RunSize& size, const Spec& method, int threads, bool quality) {
  const Index n = size.n_samples, m = size.n_views;
  if (method.name == "auto") return auto_bytes(method.options, n, m, threads);
  return quality ? judged_bytes(n, m, threads, method.name)
                 : find_method(method.name).working_bytes(n, m, threads);
}

}  // namespace

double bytes_needed(const RunSize& size, const std::string& method, int threads, bool quality) {
  // the program, its libraries and what each thread has
  constexpr double process = 24 * 0x1p20, per_thread = 1.5 * 0x1p20;
  const auto n = static_cast<double>(size.n_samples), m = static_cast<double>(size.n_views);
  const double at_once = std::min(m, static_cast<double>(threads));
  const double writing = 8 * n * n * (0.5 + 1.2 * at_once);  // the files and the report
  const double work = work_bytes(size, parse_spec(method), threads, quality);
  return process + per_thread * threads + size.kernel_bytes + 8 * n * n * m +
         std::max(work, writing);
}

}  // namespace mkc::app
