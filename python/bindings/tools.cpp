// Combining kernels, looking at problems, made-up data.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "labels.hpp"
#include "mkc/combine.hpp"
#include "mkc/problem/inspection.hpp"
#include "mkc/problem/synthetic.hpp"
#include "module.hpp"
#include "watch.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;

std::vector<Matrix> matrices(const std::vector<Table>& tables) {
  std::vector<Matrix> list;
  for (const auto& table : tables) list.emplace_back(mapped(table));
  return list;
}

Vector weights(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

nb::dict check(const Assembled& assembled, Index m) {
  const SharedMatrix block = assembled.problem.view(m).block;
  const KernelCheck found =
      watched_result([block] { return check_kernel(block); }, {owner_of(assembled)});
  nb::dict entry;
  entry["smallest_diagonal"] = found.smallest_diagonal;
  entry["median_diagonal"] = found.median_diagonal;
  entry["largest_diagonal"] = found.largest_diagonal;
  entry["smallest_eigenvalue"] = found.smallest_eigenvalue;
  entry["largest_eigenvalue"] = found.largest_eigenvalue;
  entry["positive_semidefinite"] = found.positive_semidefinite;
  entry["directions"] = found.directions;
  entry["spectrum"] = found.spectrum;
  return entry;
}

std::vector<std::pair<std::vector<bool>, Index>> patterns(const Assembled& assembled) {
  std::vector<std::pair<std::vector<bool>, Index>> list;
  for (const auto& pattern : missing_patterns(assembled.problem.observed()))
    list.emplace_back(pattern.views, pattern.samples);
  return list;
}

using NamedFeatures = std::tuple<std::string, Array, OptionValues>;

std::tuple<Strings, std::vector<NamedFeatures>, Flags> example(Index n_samples, double missing,
                                                               std::uint64_t seed) {
  Example made = make_example(n_samples, missing, seed);
  std::vector<NamedFeatures> views;
  for (auto& view : made.views)
    views.emplace_back(view.name, to_numpy(std::move(view.features)), view.kernel);
  return {made.samples, std::move(views), to_numpy(made.observed)};
}

}  // namespace

void bind_tools(nb::module_& module) {
  module.def("kernel_variance", [](const Table& K) { return kernel_variance(Matrix(mapped(K))); });
  module.def("relation_weights",
             [](const Table& S) { return to_numpy(relation_weights(Matrix(mapped(S)))); });
  module.def(
      "alignment_weights", [](const std::vector<Table>& kernels, const LabelArguments& labels,
                              const Strings& samples, bool joint, bool scale) {
        const Target target = typed_labels(labels, samples).target;
        return to_numpy(watched_result([given = matrices(kernels), target, joint, scale] {
          return joint ? alignf_weights(given, target, scale) : alignment_weights(given, target);
        }));
      });
  module.def("combine_kernels", [](const std::vector<Table>& kernels, const std::vector<double>& w,
                                   const Strings& views, bool scale) {
    return symmetric_to_numpy(
        watched_result([given = matrices(kernels), mixed = weights(w), views, scale] {
          return combine_kernels(given, mixed, views, scale);
        }));
  });
  module.def("check_kernel", &check, "assembled"_a, "view"_a);
  module.def("missing_patterns", &patterns, "assembled"_a);
  module.def("missingness_map", [](const Assembled& assembled, Index width) {
    return missingness_map(assembled.problem.observed(), width);
  });
  module.def("make_example", &example, "n_samples"_a, "missing"_a, "seed"_a);
}

}  // namespace mkc::python
