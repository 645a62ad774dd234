// complete(): one problem, one method, one result.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "mkc/complete.hpp"
#include "mkc/problem/assemble.hpp"
#include "module.hpp"
#include "quality.hpp"
#include "watch.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;

Completion run(const Assembled& assembled, const std::string& method, std::uint64_t seed,
               int threads, bool fitted, bool quality, const nb::object& callback) {
  const auto completion = std::make_shared<Completion>();
  RunOptions options;
  options.seed = seed;
  options.threads = threads;
  options.fitted = fitted;
  options.transforms = assembled.transforms;
  const auto work = [completion, options, &assembled, method,
                     quality](const ProgressCallback& progress) mutable {
    options.progress = progress;
    *completion = quality ? complete_with_quality(assembled.problem, method, options)
                          : complete(assembled.problem, method, options);
  };
  watched(callback, {work, {owner_of(assembled)}, {}});
  return std::move(*completion);
}

// The kernels leave the result: they are handed over, not copied.
std::vector<Array> take_kernels(Completion& completion) {
  std::vector<Array> list;
  for (auto& K : completion.kernels) list.push_back(symmetric_to_numpy(std::move(K)));
  completion.kernels.clear();
  return list;
}

std::optional<Array> given(const std::optional<Matrix>& values) {
  return values ? std::optional(to_numpy(*values)) : std::nullopt;
}

std::optional<nb::dict> quality(const Completion& completion) {
  if (!completion.quality) return std::nullopt;
  const Quality& q = *completion.quality;
  nb::dict entry = figures_of(q);
  entry["error"] = to_numpy(q.error);
  entry["low"] = to_numpy(q.low);
  entry["high"] = to_numpy(q.high);
  return entry;
}

std::vector<nb::dict> candidates(const Completion& completion) {
  std::vector<nb::dict> list;
  for (const auto& candidate : completion.candidates) {
    nb::dict entry;
    entry["method"] = candidate.spec;
    entry["held_out_errors"] = to_numpy(candidate.held_out_errors);
    entry["weights"] = to_numpy(candidate.weights);
    entry["seconds"] = candidate.seconds;
    entry["skipped"] = candidate.skipped;
    list.push_back(entry);
  }
  return list;
}

}  // namespace

void bind_complete(nb::module_& module) {
  const auto owned = nb::rv_policy::automatic;  // the array keeps its memory alive itself
  nb::class_<Completion>(module, "Completion")
      .def("take_kernels", &take_kernels)
      .def_prop_ro(
          "relations", [](const Completion& c) { return given(c.relations); }, owned)
      .def_prop_ro(
          "uncertainty", [](const Completion& c) { return given(c.uncertainty); }, owned)
      .def_prop_ro("quality", &quality)
      .def_prop_ro("candidates", &candidates)
      .def_prop_ro("method", [](const Completion& c) { return c.info.method; })
      .def_prop_ro("parameters", [](const Completion& c) { return c.info.parameters; })
      .def_prop_ro("status", [](const Completion& c) { return status_name(c.info.status); })
      .def_prop_ro("iterations", [](const Completion& c) { return c.info.iterations; })
      .def_prop_ro("objective", [](const Completion& c) { return c.info.objective; })
      .def_prop_ro("residual", [](const Completion& c) { return c.info.residual; })
      .def_prop_ro("seed", [](const Completion& c) { return c.info.seed; })
      .def_prop_ro("terms", [](const Completion& c) { return c.info.terms; })
      .def_prop_ro("seconds", [](const Completion& c) { return c.info.seconds; })
      .def_prop_ro("warnings", [](const Completion& c) { return c.info.warnings; })
      .def_prop_ro("notices", [](const Completion& c) { return c.info.notices; });
  module.def("complete", &run, "assembled"_a, "method"_a, "seed"_a, "threads"_a, "fitted"_a,
             "quality"_a, "callback"_a.none());
}

}  // namespace mkc::python
