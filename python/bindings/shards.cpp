// Steps of a completion in factor form that several processes share: functions on files.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "mkc/base/error.hpp"
#include "mkc/files/shards.hpp"
#include "module.hpp"
#include "watch.hpp"

namespace mkc::python {

namespace {

using namespace nb::literals;

RunOptions on_one_thread(const ProgressCallback& progress) {
  RunOptions run;
  run.progress = progress;
  return run;
}

/// Work on a thread of its own, without Python's lock; false where it is cancelled.
template <class Work>
auto step(Work work) {
  auto result = std::make_shared<decltype(work(RunOptions()))>();
  watched(nb::none(), {[result, work = std::move(work)](const ProgressCallback& progress) {
                         *result = work(on_one_thread(progress));
                       },
                       {},
                       {}});
  return std::move(*result);
}

bool moments(const std::string& plan, Index round, const std::string& fit, const std::string& shard,
             const std::string& output) {
  return step([=](const RunOptions& run) {
    return io::compute_moments(plan, round, fit, io::parse_shard(shard), output, false, run);
  });
}

std::pair<bool, Strings> merge(const std::string& plan, const std::string& fit,
                               const Strings& parts, const std::string& output) {
  const io::FitState state = step([=](const RunOptions& run) {
    return io::merge_moments(plan, fit, parts, output, false, run);
  });
  return {state.made, state.notices};
}

bool apply(const std::string& plan, const std::string& fit, const std::string& shard,
           const std::string& output, const std::string& command_line) {
  return step([=](const RunOptions& run) {
    return io::apply_shard(plan, fit, io::parse_shard(shard), output, false, command_line, run);
  });
}

}  // namespace

void bind_shards(nb::module_& module) {
  module.def(
      "plan_size",
      [](const std::string& plan) {
        const io::PlanSize size = io::size_of_plan(plan);
        return std::tuple(size.rounds, size.blocks, size.samples);
      },
      "plan"_a, "Rounds, blocks and samples of a plan folder.");
  module.def("moments", &moments, "plan"_a, "round"_a, "fit"_a, "shard"_a, "output"_a,
             "Sums of a shard; False where they are there already.");
  module.def("merge", &merge, "plan"_a, "fit"_a, "parts"_a, "output"_a,
             "The fit after a round; False where it is there already, and notices.");
  module.def("apply", &apply, "plan"_a, "fit"_a, "shard"_a, "output"_a, "command_line"_a,
             "The completed rows of a shard; False where they are there already.");
}

}  // namespace mkc::python
